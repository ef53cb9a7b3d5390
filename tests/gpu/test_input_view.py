"""The network's input against Pillow's resize of the same image: each pixel within two of 255 levels.

One level is what rounding to 8 bits at the end may differ by, one the input's own 8 bits or float16.
"""

from __future__ import annotations

import itertools
import time

import cv2
import numpy as np
import pytest
from PIL import Image
from tiny_models import color_vector_model, square_detector, squares
from waiting import LIMIT_S, until

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor
from desktop.media.sources.image import load_image
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.pipeline.running.inputs.input_view import InputView, undone
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.picture_network import upload_rgb
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.preprocess import Preprocess

LEVELS = 2


def reference(plan, pixels, step=1):
    """The picture as it lies in the input, uint8 R'G'B', by Pillow."""
    height, width = pixels.shape[:2]
    box = plan.box(width, height)
    edges = (box.x, box.y, box.x + box.width, box.y + box.height)
    method = {
        "bilinear": Image.Resampling.BILINEAR,
        "bicubic": Image.Resampling.BICUBIC,
        "nearest": Image.Resampling.NEAREST,
    }
    whole = np.full((plan.height, plan.width, 3), plan.pad * 255)
    rows, columns = (
        slice(box.target_y, box.target_y + box.target_height),
        slice(box.target_x, box.target_x + box.target_width),
    )
    for c in range(3):
        channel = Image.fromarray(pixels[..., c].astype(np.float32))
        size = (box.target_width, box.target_height)
        whole[rows, columns, c] = np.asarray(channel.resize(size, method[plan.interpolation], box=edges))
    if plan.colors == "GRAY":
        whole = np.repeat((whole @ [0.299, 0.587, 0.114])[..., None], 3, axis=2)
    if step > 1:
        blocks = [
            [whole[y : y + step, x : x + step].mean(axis=(0, 1)) for x in range(0, plan.width, step)]
            for y in range(0, plan.height, step)
        ]
        whole = np.array(blocks)
    return np.clip(whole, 0, 255)


def picture(width=160, height=90):
    rng = np.random.default_rng(2)
    small = rng.integers(0, 256, (9, 16, 3), np.uint8)
    return np.asarray(Image.fromarray(small).resize((width, height), Image.Resampling.BILINEAR))


@pytest.mark.parametrize(
    "plan, stored",
    [
        (Preprocess(40, 24), {}),
        (
            Preprocess(
                40, 24, colors="BGR", scale="0..255", mean=(104.0, 117.0, 123.0), resize="letterbox", pad=0.5
            ),
            {},
        ),
        (Preprocess(33, 17, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)), {"dtype": "float16"}),
        (Preprocess(33, 17, layout="NHWC", scale="-1..1"), {}),
        (Preprocess(32, 24, scale="-1..1", resize="stretch"), {"layout": "NHWC", "padded_channels": 4}),
        (Preprocess(28, 28, colors="GRAY", mean=(0.1,), std=(0.3,)), {}),
        (Preprocess(33, 17, layout="NHWC", scale="0..255", dtype="uint8"), {}),
        (Preprocess(33, 17, layout="NHWC", scale="0..255", mean=(128.0,) * 3, dtype="int8"), {}),
        (
            Preprocess(33, 17, layout="NHWC", scale="0..255", mean=(128.0,) * 3, dtype="int8"),
            {"dtype": "int32"},
        ),
        (Preprocess(900, 700, resize="stretch"), {}),
    ],
)
def test_every_kind_of_tensor_shows_the_picture(gpu, plan, stored):
    import wgpu

    pixels = picture()
    dtype = stored.get("dtype", plan.dtype)
    channels = stored.get("padded_channels", plan.channels)
    size = (16 + plan.width * plan.height * channels * np.dtype(dtype).itemsize + 3) // 4 * 4
    buffer = gpu.buffer(size, wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    places = {k: v for k, v in stored.items() if k != "dtype"}
    tensor = Tensor(buffer, plan.shape, dtype, offset=16, **places)
    preprocessor, view = GpuPreprocessor(gpu, plan, tensor), InputView(gpu, plan, (tensor,))
    record = preprocessor.bind(upload_rgb(gpu, pixels))
    target = gpu.buffer(view.bytes, wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    record(compute_pass)
    view.encode(compute_pass)
    compute_pass.end()
    view.copy(encoder, target, 0)
    gpu.queue.submit([encoder.finish()])
    found = np.frombuffer(bytes(gpu.queue.read_buffer(target, 0, view.bytes)), np.uint8).reshape(
        *view.shape, 4
    )[0, :, :, :3]
    assert view.step == (2 if plan.width == 900 else 1)
    assert np.abs(found - reference(plan, pixels, view.step)).max() <= LEVELS
    view.close()
    preprocessor.close()


def test_what_normalization_did_is_undone():
    plan = Preprocess(8, 8, colors="BGR", scale="-1..1", mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7))
    colors = np.random.default_rng(0).random((20, 3))
    stored = (colors[:, ::-1] * 2 - 1 - plan.mean) / plan.std
    assert np.abs(np.column_stack((stored, np.ones(20))) @ undone(plan).T - colors).max() < 1e-12


def engine_of(spec):
    engine = Engine(lambda: Gpu.open(None), FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    engine.current.set_setup(Setup(network=spec))
    assert engine.current.network_status.state == "running", engine.current.network_status.text
    return engine


def seen(engine, path):
    """What the network, or both, saw of a picture."""
    engine.watch_input(True)
    engine.analyze_frame(load_image(path).frame)
    end = time.perf_counter() + LIMIT_S
    while not engine.current.recent_inputs() and time.perf_counter() < end:
        engine.render(None)
        time.sleep(0.01)
    return engine.current.recent_inputs()


ONNX_NETWORKS = (
    "classify/mobilenet_v2_1.0_224_f32.onnx",
    "classify/squeezenet_fp16.onnx",
    "detect/yolox_nano_zoo.onnx",
)


@pytest.mark.parametrize(
    ("model", "backend"),
    [
        *itertools.product(ONNX_NETWORKS, ["wgpu", "onnxruntime"]),
        # onnxruntime takes no .tflite.
        ("tflite/coral_tf2_mobilenet_v2_1.0_224_ptq.tflite", "wgpu"),
    ],
)
def test_real_networks_show_what_went_in(gpu, shared, tmp_path, model, backend):
    path = shared / "models" / model
    image = tmp_path / "picture.png"
    pixels = picture(320, 200)
    Image.fromarray(pixels).save(image)
    engine = engine_of(NetworkSpec(str(path), backend))
    (found,) = seen(engine, image)
    assert found.name == path.name
    assert found.pictures.shape[0] == 1
    assert np.abs(found.pictures[0] - reference(found.preprocess, pixels, found.step)).max() <= LEVELS
    assert engine.pipeline.stats.readback_bytes <= 4096 or backend == "onnxruntime"
    engine.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize("batch", [1, "n"])
def test_a_second_network_shows_the_crop_of_each_thing(gpu, tmp_path, backend, batch):
    model = color_vector_model(tmp_path / "colors.onnx", batch=batch)
    second = NetworkSpec(str(model), backend, enlarge=1.5)
    engine = engine_of(NetworkSpec(str(square_detector(tmp_path / "squares.onnx")), backend, second=second))
    image = tmp_path / "squares.png"
    assert cv2.imwrite(str(image), squares()[..., ::-1])
    first, crops = seen(engine, image)
    # How many things there are is known with the first result.
    engine.analyze_frame(load_image(image).frame)
    time.sleep(0.12)
    engine.analyze_frame(load_image(image).frame)
    engine.pipeline.drain()
    until(lambda: len(engine.current.recent_inputs()[-1].pictures) == 2)
    first, crops = engine.current.recent_inputs()
    assert first.pictures.shape[:3] == (1, 64, 64) and crops.pictures.shape == (2, 32, 32, 3)
    for look, crop in zip(engine.current.result.objects, crops.pictures, strict=True):
        (a, b, c), (d, e, f) = look.found.region.across, look.found.region.down
        # From pixels' middles of the crop to those of the picture.
        matrix = np.array([[a * 128, b * 128, c * 128], [d * 96, e * 96, f * 96]]) @ np.array(
            [[1 / 32, 0, 0.5 / 32], [0, 1 / 32, 0.5 / 32], [0, 0, 1]]
        )
        matrix[:, 2] -= 0.5
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        wanted = cv2.warpAffine(
            squares().astype(np.float32), matrix, (32, 32), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        # OpenCV's coordinates have steps of 1/32 of a pixel, which at an edge are 8 levels.
        assert np.abs(crop - wanted).max() <= 10 and np.abs(crop - wanted).mean() < 1
    engine.close()


def test_nothing_is_read_back_unless_somebody_looks(gpu, tmp_path):
    model = color_vector_model(tmp_path / "colors.onnx")
    image = tmp_path / "picture.png"
    Image.fromarray(picture()).save(image)
    engine = engine_of(NetworkSpec(str(model), "wgpu"))
    engine.analyze_frame(load_image(image).frame)
    assert engine.current.recent_inputs() == () and engine.pipeline.analyses.current.network.view is None
    assert len(seen(engine, image)) == 1
    # A picture that stands is not looked at again and again for it.
    for _ in range(5):
        engine.render(None)
        engine.pipeline.drain()
    time.sleep(0.11)
    engine.render(None)
    engine.pipeline.drain()
    assert not engine.current.wants_frames
    engine.watch_input(False)
    assert engine.current.recent_inputs() == () and engine.pipeline.analyses.current.network.view is None
    engine.watch_input(True)
    engine.rebuild()
    assert len(seen(engine, image)) == 1
    engine.close()
