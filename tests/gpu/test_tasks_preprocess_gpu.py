"""Preprocessing on the GPU against Pillow's antialiased resize, in float, with NumPy for color order and
normalization.
"""

import numpy as np
import pytest
import wgpu
from PIL import Image

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.pipeline.running.one.picture_network import upload_rgb
from desktop.vision.models.preprocess import CAFFE_MEAN_BGR, IMAGENET_MEAN, IMAGENET_STD, Preprocess

_PILLOW = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}


def picture(width, height, seed=0):
    """Noise over a gradient: fine detail that aliases, and a slope that shows a shift."""
    rng = np.random.default_rng(seed)
    slope = np.linspace(0, 155, width)[None, :, None] * np.array([1, 0.6, 0.2])
    return np.clip(slope + rng.integers(0, 100, (height, width, 3)), 0, 255).astype(np.uint8)


def reference(plan, pixels):
    """The input tensor in float64 by Pillow and NumPy."""
    height, width = pixels.shape[:2]
    box = plan.box(width, height)
    edges = (box.x, box.y, box.x + box.width, box.y + box.height)
    size = (box.target_width, box.target_height)
    inner = np.dstack(
        [
            Image.fromarray(pixels[..., c].astype(np.float32) / 255).resize(
                size, _PILLOW[plan.interpolation], box=edges
            )
            for c in range(3)
        ]
    ).astype(np.float64)
    whole = np.full((plan.height, plan.width, 3), plan.pad)
    whole[box.target_y : box.target_y + size[1], box.target_x : box.target_x + size[0]] = inner
    if plan.colors == "GRAY":
        whole = (whole @ [0.299, 0.587, 0.114])[..., None]
    elif plan.colors == "BGR":
        whole = whole[..., ::-1]
    whole = {"0..1": whole, "-1..1": whole * 2 - 1, "0..255": whole * 255}[plan.scale]
    whole = (whole - plan.mean) / np.array(plan.std)
    return (whole if plan.layout == "NHWC" else whole.transpose(2, 0, 1))[None]


def compute(gpu, plan, texture, *, dtype="float32", layout="NCHW", padded=0, offset=0):
    """The tensor by the GPU, as it lies in memory."""
    channels = padded or plan.channels
    count = plan.width * plan.height * channels
    size = (offset + count * np.dtype(dtype).itemsize + 3) // 4 * 4
    buffer = gpu.buffer(size, wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    unit = GpuPreprocessor(gpu, plan, Tensor(buffer, plan.shape, dtype, layout, padded, offset))
    unit.bind(texture)
    gpu.compute(unit.encode)
    data = bytes(gpu.queue.read_buffer(buffer))[offset:]
    unit.close()
    buffer.destroy()
    return np.frombuffer(data, dtype, count)


@pytest.mark.parametrize("interpolation", ["bilinear", "bicubic"])
@pytest.mark.parametrize("resize", ["crop", "stretch", "stretched_crop", "letterbox"])
@pytest.mark.parametrize("size", [(97, 61), (33, 150), (20, 14)])
def test_resampling_is_pillows(gpu, interpolation, resize, size):
    # Odd sizes, tall and wide, smaller and larger than the input.
    pixels = picture(*size)
    plan = Preprocess(31, 23, resize=resize, interpolation=interpolation, pad=0.4)
    texture = upload_rgb(gpu, pixels)
    got = compute(gpu, plan, texture).reshape(plan.shape)
    # float32 sums against Pillow's float32 sums.
    np.testing.assert_allclose(got, reference(plan, pixels), atol=2e-5)


@pytest.mark.parametrize(
    "options",
    [
        {"colors": "BGR", "scale": "0..255", "mean": CAFFE_MEAN_BGR},
        {"mean": IMAGENET_MEAN, "std": IMAGENET_STD},
        {"scale": "-1..1", "layout": "NHWC"},
        {"colors": "GRAY", "mean": (0.1,), "std": (0.3,)},
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_colour_order_normalization_and_storage(gpu, options, dtype):
    pixels = picture(64, 48)
    plan = Preprocess(17, 11, **options)
    got = compute(gpu, plan, upload_rgb(gpu, pixels), dtype=dtype).reshape(plan.shape)
    expected = reference(plan, pixels)
    tolerance = {"float32": 1e-6, "float16": 1e-3}[dtype]
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max() + 1e-5)


@pytest.mark.parametrize("dtype", ["uint8", "int32"])
def test_bytes_are_rounded(gpu, dtype):
    pixels = picture(50, 40)
    plan = Preprocess(13, 9, scale="0..255", dtype=dtype)
    got = compute(gpu, plan, upload_rgb(gpu, pixels), dtype=dtype).reshape(plan.shape)
    assert np.abs(got - reference(plan, pixels)).max() <= 0.501


def test_channels_last_with_padding_and_an_offset(gpu):
    pixels = picture(50, 40)
    plan = Preprocess(13, 9)
    got = compute(gpu, plan, upload_rgb(gpu, pixels), layout="NHWC", padded=4, offset=256).reshape(9, 13, 4)
    np.testing.assert_allclose(got[..., :3].transpose(2, 0, 1)[None], reference(plan, pixels), atol=2e-5)
    assert not got[..., 3].any()


def test_nearest_takes_the_pixel_under_the_center(gpu):
    pixels = picture(40, 30)
    plan = Preprocess(20, 15, resize="stretch", interpolation="nearest")
    got = compute(gpu, plan, upload_rgb(gpu, pixels)).reshape(plan.shape)
    np.testing.assert_allclose(got[0].transpose(1, 2, 0), pixels[1::2, 1::2] / 255, atol=1e-6)


def test_a_working_texture_beyond_its_range_is_clamped(gpu):
    values = np.zeros((4, 4, 4), np.float16)
    values[..., :3] = (-2.0, 0.5, 7.0)
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
    texture = gpu.device.create_texture(size=(4, 4, 1), format="rgba16float", usage=usage)
    gpu.queue.write_texture(
        {"texture": texture}, values, {"bytes_per_row": 32, "rows_per_image": 4}, (4, 4, 1)
    )
    got = compute(gpu, Preprocess(2, 2), texture).reshape(3, 4)
    np.testing.assert_allclose(got, np.array([[0.0], [0.5], [1.0]]) * np.ones((1, 4)), atol=1e-6)


def test_another_texture_and_another_size(gpu):
    plan = Preprocess(16, 12)
    buffer = gpu.buffer(16 * 12 * 3 * 4, wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    unit = GpuPreprocessor(gpu, plan, Tensor(buffer, plan.shape, "float32"))
    assert not unit.bound
    for size, seed in (((40, 30), 1), ((40, 30), 2), ((90, 80), 3), ((24, 50), 4)):
        pixels = picture(*size, seed)
        unit.bind(upload_rgb(gpu, pixels))
        gpu.compute(unit.encode)
        got = np.frombuffer(gpu.queue.read_buffer(buffer), np.float32).reshape(plan.shape)
        np.testing.assert_allclose(got, reference(plan, pixels), atol=2e-5)
    unit.close()


def test_a_tensor_of_another_shape_is_refused(gpu):
    buffer = gpu.buffer(64, wgpu.BufferUsage.STORAGE)
    with pytest.raises(ModelUnsupportedError, match=r"\[1, 3, 12, 16\]"):
        GpuPreprocessor(gpu, Preprocess(16, 12), Tensor(buffer, (1, 3, 4, 4), "float32"))
