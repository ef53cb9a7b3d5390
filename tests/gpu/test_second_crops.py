"""Regions of a picture as a network's input: the affine pass against OpenCV's `warpAffine`, and the rules
against MediaPipe's words.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
import wgpu

from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.inputs.gpu_crops import GpuCrops, Regions
from desktop.pipeline.running.one.picture_network import upload_rgb
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD, Preprocess
from desktop.vision.tasks.common.regions import Region, find_region
from desktop.vision.tasks.task import RegionRule

SIZE = (160, 120)


def picture(width=SIZE[0], height=SIZE[1]):
    """Smooth waves: OpenCV places samples on thirty-seconds of a pixel, which noise would show as
    differences.
    """
    y, x = np.mgrid[0:height, 0:width]
    waves = [np.sin(x / 9.0 + k) + np.cos(y / (7.0 + k)) for k in range(3)]
    return np.clip(np.stack(waves, axis=2) * 60 + 127, 0, 255).astype(np.uint8)


def reference(pixels, region, width, height):
    """The region as float64 (height, width, 3) in 0..1: OpenCV's, of a sample for each two texels that a
    pixel covers.
    """
    size = np.array((pixels.shape[1], pixels.shape[0]))
    (a, b, c), (d, e, f) = (np.array((region.across, region.down)) * size[:, None]).tolist()
    right, down = math.hypot(a, d) / width, math.hypot(b, e) / height
    across, along = (max(1, math.ceil(step / 2 - 0.001)) for step in (right, down))
    fine = (width * across, height * along)
    # From a middle of a sample to a middle of a texel.
    matrix = np.array(((a / fine[0], b / fine[1], c), (d / fine[0], e / fine[1], f)))
    matrix[:, 2] += matrix[:, :2] @ (0.5, 0.5) - 0.5
    found = cv2.warpAffine(
        pixels.astype(np.float32) / 255,
        matrix,
        fine,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return found.reshape(height, along, width, across, 3).mean(axis=(1, 3))


def crops(gpu, plan, pixels, regions, *, items, first=0, dtype="float32", layout="NCHW", padded=0):
    channels = padded or plan.channels
    count = items * plan.width * plan.height * channels
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
    buffer = gpu.buffer((count * np.dtype(dtype).itemsize + 3) // 4 * 4, usage)
    table = Regions(gpu)
    table.write(regions)
    shape = (items, *plan.shape[1:])
    unit = GpuCrops(gpu, plan, Tensor(buffer, shape, dtype, layout, padded), table, first)
    texture = upload_rgb(gpu, pixels)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    unit.bind(texture)(compute_pass)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    data = np.frombuffer(bytes(gpu.queue.read_buffer(buffer)), dtype)[:count]
    unit.close()
    table.close()
    last = layout == "NHWC" or plan.layout == "NHWC"
    return data.reshape((items, plan.height, plan.width, channels) if last else shape)


REGIONS = (
    Region.around((80.3, 60.2), (60.0, 60.0), 0.0, SIZE),
    Region.around((70.0, 52.0), (40.0, 40.0), math.radians(33), SIZE),
    Region.around((20.0, 100.0), (90.0, 90.0), math.radians(-140), SIZE),  # over the edge
    Region.around((85.0, 58.0), (150.0, 115.0), math.radians(80), SIZE),  # shrunk three times and more
)


def test_crops_are_those_of_warp_affine(gpu):
    plan = Preprocess(36, 32)
    found = crops(gpu, plan, picture(), REGIONS, items=4)
    for item, region in zip(found, REGIONS, strict=True):
        expected = reference(picture(), region, 36, 32).transpose(2, 0, 1)
        # A sixty-fourth of a texel of the steepest wave: 0.47 / 7 / 64, and float32.
        assert np.abs(item - expected).max() < 2e-3


@pytest.mark.parametrize(
    ("dtype", "layout", "padded", "tolerance"),
    [("float16", "NCHW", 0, 6e-3), ("float16", "NHWC", 4, 6e-3), ("float32", "NHWC", 4, 2e-3)],
)
def test_tensors_of_every_kind(gpu, dtype, layout, padded, tolerance):
    plan = Preprocess(15, 15, colors="BGR", scale="-1..1")
    found = crops(gpu, plan, picture(), REGIONS, items=2, first=1, dtype=dtype, layout=layout, padded=padded)
    for item, region in zip(found, REGIONS[1:3], strict=True):
        expected = reference(picture(), region, 15, 15)[..., ::-1] * 2 - 1
        if layout == "NCHW":
            expected = expected.transpose(2, 0, 1)
        assert np.abs(item[..., :3] - expected if layout == "NHWC" else item - expected).max() < 2 * tolerance
        if padded:
            assert not item[..., 3:].any()


def test_colors_are_normalized_and_bytes_rounded(gpu):
    plan = Preprocess(16, 16, mean=IMAGENET_MEAN, std=IMAGENET_STD)
    expected = (reference(picture(), REGIONS[0], 16, 16) - IMAGENET_MEAN) / IMAGENET_STD
    found = crops(gpu, plan, picture(), REGIONS, items=1)[0].transpose(1, 2, 0)
    assert np.abs(found - expected).max() < 2e-3 / min(IMAGENET_STD)
    plan = Preprocess(16, 16, layout="NHWC", scale="0..255", dtype="uint8")
    found = crops(gpu, plan, picture(), REGIONS, items=1, dtype="uint8")[0]
    assert np.abs(found.astype(float) - reference(picture(), REGIONS[0], 16, 16) * 255).max() < 1.1


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32"])
@pytest.mark.parametrize("held", ["itself", "words"])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_whole_numbers_are_written_as_the_picture_s_own_input_is(gpu, dtype, held, layout):
    """Quantized networks take bytes with and without a sign; the engine may hold them as a word a number."""
    mean = (128.0,) * 3 if dtype == "int8" else (0.0,) * 3
    plan = Preprocess(15, 15, layout=layout, scale="0..255", mean=mean, dtype=dtype)
    stored = "int32" if held == "words" else dtype
    found = crops(gpu, plan, picture(), REGIONS, items=3, dtype=stored).astype(float)
    for item, region in zip(found, REGIONS[:3], strict=True):
        expected = reference(picture(), region, 15, 15) * 255 - (128 if dtype == "int8" else 0)
        assert np.abs(item - (expected if layout == "NHWC" else expected.transpose(2, 0, 1))).max() < 1.1


def test_where_no_region_is_nothing_is_seen(gpu):
    found = crops(gpu, Preprocess(16, 16), picture(), REGIONS[:1], items=2)
    assert found[0].any() and not found[1].any()


# -- rules ---------------------------------------------------------------------------------------------------


def test_a_hands_region_is_turned_shifted_and_enlarged():
    """A palm that points to the right: upright in its region, which lies beyond it to the right, 2.6 times as
    large.
    """
    rule = RegionRule(start=(0,), end=(1,), angle=90.0, scale=2.6, shift=(0.0, -0.5))
    box = (50 / 160, 40 / 120, 70 / 160, 60 / 120)
    region = find_region(rule, box, ((50 / 160, 50 / 120), (70 / 160, 50 / 120)), SIZE)
    # The box's middle is (60, 50); half of its height towards the fingers is 10 pixels to the right.
    assert np.allclose(np.array(region.place(0.5, 0.5)) * SIZE, (70, 50))
    # The region's own upper left corner lies at the right above: its side is 52.
    assert np.allclose(np.array(region.place(0.0, 0.0)) * SIZE, (70 + 26, 50 - 26))
    assert np.allclose(np.array(region.place(0.0, 1.0)) * SIZE, (70 - 26, 50 - 26))


def test_points_carry_their_region_along_their_own_axes():
    """Four points of a turned rectangle of 40 to 20: the region's sides are its longer one, times the scale."""
    turn = math.radians(25)
    around = Region.around((80, 60), (20, 40), turn, SIZE)
    rule = RegionRule(start=(3, 2), end=(0, 1), angle=90.0, extent=(0, 1, 2, 3), scale=2.0)
    found = find_region(rule, None, around.corners, SIZE)
    expected = Region.around((80, 60), (80, 80), turn, SIZE)
    assert np.allclose(found.across, expected.across) and np.allclose(found.down, expected.down)


def test_a_circle_goes_through_its_second_point():
    rule = RegionRule(start=(0,), end=(1,), angle=90.0, scale=1.25, circle=True)
    found = find_region(rule, (0, 0, 1, 1), ((80 / 160, 60 / 120), (80 / 160, 30 / 120)), SIZE)
    assert np.allclose(
        np.array(found.corners) * SIZE, [(42.5, 22.5), (117.5, 22.5), (117.5, 97.5), (42.5, 97.5)]
    )


def test_a_box_without_points_stays_upright_and_fits_the_input():
    rule = RegionRule(scale=1.5, square=False)
    found = find_region(rule, (0.25, 0.25, 0.5, 0.75), (), SIZE, aspect=2.0)
    left, top = np.array(found.corners[0]) * SIZE
    right, bottom = np.array(found.corners[2]) * SIZE
    # 40 to 60 pixels become 120 to 60, and 180 to 90.
    assert np.allclose((right - left, bottom - top), (180, 90)) and found.is_upright


@pytest.mark.parametrize(
    "box", [(0.2, 0.2, 0.2, 0.2), (0.2, 0.2, math.nan, 0.4), (0.0, 0.0, math.inf, 0.5), (0, 0, 1e9, 1e9)]
)
def test_numbers_that_make_no_region_do_no_harm(box):
    assert find_region(RegionRule(), box, (), SIZE) is None
    points = ((math.nan, 0.5), (0.5, 0.5))
    assert find_region(RegionRule(start=(0,), end=(1,)), (0.1, 0.1, 0.5, 0.5), points, SIZE) is None
