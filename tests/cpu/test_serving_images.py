"""Encoded images as inputs of served networks: decoded, and prepared as the network expects."""

from __future__ import annotations

import base64
import http.client
import io
import json

import numpy as np
import onnx
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from onnx import TensorProto, helper
from PIL import Image
from serving_rig import ServerRig, affine_model
from tritonclient.utils import InferenceServerException

from desktop.pipeline.running.inputs.host_preprocess import prepare_image
from desktop.serving.limits import Limits
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.dense import WorkingInput

SIZE = 16


def echo_model(path, batch="N"):
    """y = x, of images [N, 3, 16, 16], with its preprocessing beside it."""
    shape = [batch, 3, SIZE, SIZE]
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"])],
        "echo",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))
    path.with_name(f"{path.name}.lightloom.toml").write_text(
        '[preprocess]\nscale = "-1..1"\nresize = "stretch"\ncolors = "BGR"\nmean = [0, 0, 0]\nstd = [1, 1, 1]\n'
    )
    return path


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    models = {
        "echo": echo_model(folder / "echo.onnx"),
        "one": echo_model(folder / "one.onnx", batch=1),
        "affine": affine_model(folder / "affine.onnx"),
    }
    limits = Limits(request_bytes=1 << 20, json_bytes=1 << 18, image_pixels=10_000)
    with ServerRig(models, limits=limits) as found:
        yield found


def picture(seed=0, size=(40, 24)):
    small = np.random.default_rng(seed).integers(0, 256, (6, 10, 3), np.uint8)
    return Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)


def encoded(image, form="PNG", **options):
    target = io.BytesIO()
    image.save(target, form, **options)
    return target.getvalue()


def expected(image):
    """Pillow's antialiased bilinear resize, in B'G'R' from -1 to 1."""
    resized = np.asarray(image.resize((SIZE, SIZE), Image.Resampling.BILINEAR), np.float32)
    return (resized[:, :, ::-1] / 127.5 - 1).transpose(2, 0, 1)[None]


def by_json(rig, images, model="echo", shape=None, **parameters):
    entry = {
        "name": "x",
        "datatype": "BYTES",
        "shape": [len(images)] if shape is None else shape,
        "parameters": parameters or {"decode": "image"},
        "data": [base64.b64encode(image).decode() for image in images],
    }
    connection = http.client.HTTPConnection(rig.http, timeout=60)
    connection.request("POST", f"/v2/models/{model}/infer", json.dumps({"inputs": [entry]}))
    response = connection.getresponse()
    said = json.loads(response.read())
    connection.close()
    return response.status, said


def by_client(module, address, images, model="echo", shape=None):
    with module.InferenceServerClient(address) as client:
        x = module.InferInput("x", shape or [len(images)], "BYTES")
        x.set_data_from_numpy(np.array(images, object).reshape(shape or [len(images)]))
        # The clients have no setter for parameters of an input.
        if module is triton_grpc:
            x._input.parameters["decode"].string_param = "image"
        else:
            x._parameters["decode"] = "image"
        return client.infer(model, [x]).as_numpy("y")


def test_images_are_prepared_as_the_network_expects(rig):
    image = picture()
    status, said = by_json(rig, [encoded(image)])
    assert status == 200, said
    found = np.array(said["outputs"][0]["data"], np.float32).reshape(1, 3, SIZE, SIZE)
    # Pillow rounds twice, to a 127.5th of the range.
    assert np.abs(found - expected(image)).max() <= 1.5 / 127.5
    for module, address in ((triton_grpc, rig.grpc), (triton_http, rig.http)):
        assert np.array_equal(by_client(module, address, [encoded(image)]), found)


def test_several_images_of_any_size_and_kind_are_a_batch(rig):
    images = [picture(1), picture(2, (17, 90)), picture(3, (16, 16))]
    data = [
        encoded(images[0], "WEBP", lossless=True),
        encoded(images[1]),
        encoded(images[2], "JPEG", quality=97, subsampling=0),
    ]
    found = by_client(triton_http, rig.http, data, shape=[3, 1])
    assert found.shape == (3, 3, SIZE, SIZE)
    for row, image, tolerance in zip(found, images, (1.5, 1.5, 30), strict=True):
        assert np.abs(row - expected(image)[0]).max() <= tolerance / 127.5
    assert np.array_equal(by_client(triton_grpc, rig.grpc, data), found)


def test_a_photo_is_turned_by_its_orientation(rig):
    exif = Image.Exif()
    exif[274] = 6
    upright = picture(4).transpose(Image.Transpose.ROTATE_270)
    found = by_client(
        triton_grpc, rig.grpc, [encoded(picture(4), "JPEG", quality=97, subsampling=0, exif=exif)]
    )
    assert np.abs(found - expected(upright)).max() <= 30 / 127.5


def test_metadata_say_what_images_become(rig):
    with triton_http.InferenceServerClient(rig.http) as client:
        known = client.get_model_metadata("echo")["parameters"]
        assert known["image_input"] == "x"
        assert known["image_preprocessing"] == "16x16 BGR, -1..1, whole image, bilinear, NCHW float32"
        assert "image_input" not in client.get_model_metadata("affine")["parameters"]


def too_large():
    return encoded(Image.new("L", (101, 100)))


@pytest.mark.parametrize(
    ("images", "options", "said"),
    [
        (too_large, {}, "is 101 x 100 pixels, more than the 10,000 that are decoded here"),
        (lambda: b"GIF89a" + bytes(20), {}, "is no image of these kinds: jpeg, png, webp"),
        (lambda: encoded(picture())[:20] + bytes(30), {}, "is cut off"),
        (lambda: encoded(picture()), {"decode": "video"}, "their parameter 'decode' is 'image'"),
        (lambda: encoded(picture()), {"other": 1}, "their parameter 'decode' is 'image'"),
        (lambda: encoded(picture()), {"shape": [2]}, "has no list of 2 texts in base64"),
        (lambda: encoded(picture()), {"shape": [1, 2]}, "takes images in the shape [N] or [N, 1]"),
        (lambda: encoded(picture()), {"shape": [9]}, "N at most 8"),
        (lambda: encoded(picture()), {"shape": [True]}, "takes images in the shape"),
        (lambda: encoded(picture()), {"model": "affine"}, "takes no encoded images"),
    ],
)
def test_what_is_no_image_is_refused_with_a_sentence(rig, images, options, said):
    status, document = by_json(rig, [images()], **options)
    assert status == 400 and said in document["error"]


def test_a_network_of_one_row_takes_one_image(rig):
    assert by_json(rig, [encoded(picture())], "one")[0] == 200
    assert by_json(rig, [encoded(picture())] * 2, "one")[0] == 400


@pytest.mark.parametrize("cut", (3, 10, -1))
def test_lengths_of_elements_are_checked(rig, cut):
    """Triton's encoding, cut off in a length and in an element."""
    image = encoded(picture())
    data = (len(image).to_bytes(4, "little") + image)[:cut]
    entry = {"name": "x", "datatype": "BYTES", "shape": [1]}
    entry["parameters"] = {"decode": "image", "binary_data_size": len(data)}
    head = json.dumps({"inputs": [entry]}).encode()
    connection = http.client.HTTPConnection(rig.http, timeout=60)
    headers = {"Inference-Header-Content-Length": str(len(head))}
    connection.request("POST", "/v2/models/echo/infer", head + data, headers)
    response = connection.getresponse()
    assert (response.status, "behind its length" in response.read().decode()) == (400, True)
    connection.close()


def test_memory_for_decoding_is_reserved(tmp_path):
    limits = Limits(request_bytes=1 << 20, in_flight_bytes=200_000)
    with ServerRig({"echo": echo_model(tmp_path / "echo.onnx")}, limits=limits) as rig:
        assert by_json(rig, [encoded(Image.new("RGB", (20, 20)))])[0] == 200
        status, said = by_json(rig, [encoded(Image.new("RGB", (200, 200)))])
        assert status == 429 and "memory" in said["error"]
        with pytest.raises(InferenceServerException, match="memory"):
            by_client(triton_grpc, rig.grpc, [encoded(Image.new("RGB", (200, 200)))])
        assert rig.service.held == 0


def test_memory_for_their_tensor_is_reserved(tmp_path):
    limits = Limits(request_bytes=1 << 20, in_flight_bytes=30_000)
    with ServerRig({"echo": echo_model(tmp_path / "echo.onnx")}, limits=limits) as rig:
        small = encoded(Image.new("L", (2, 2)))
        assert by_json(rig, [small])[0] == 200
        # Eight rows of 3 KiB, twice while they are joined.
        status, said = by_json(rig, [small] * 8)
        assert status == 429 and "memory" in said["error"]
        assert rig.service.held == 0


@pytest.mark.parametrize(
    "options",
    [
        {"resize": "crop", "crop": 0.5},
        {"resize": "stretch", "interpolation": "bicubic"},
        {"layout": "NHWC", "dtype": "uint8", "scale": "0..255", "resize": "stretch"},
    ],
)
def test_preparation_is_that_of_pillow(options):
    image = picture(7)
    plan = Preprocess(10, 6, **options)
    box = plan.box(*image.size)
    method = getattr(Image.Resampling, plan.interpolation.upper())
    place = (box.x, box.y, box.x + box.width, box.y + box.height)
    wanted = np.asarray(image.resize((10, 6), method, box=place), np.float32)
    found = prepare_image(plan, np.asarray(image))
    assert (found.dtype, found.shape) == (plan.dtype, plan.shape)
    rows = found[0] if plan.layout == "NHWC" else found[0].transpose(1, 2, 0) * 255
    # Pillow clamps and rounds after each pass.
    assert np.abs(np.clip(rows, 0, 255).astype(np.float32) - wanted).max() <= 2


def test_preparation_is_that_of_the_gpu_around_the_image():
    """The values that shaders/tasks/preprocess.wgsl writes around an image."""
    white = np.full((4, 4, 3), 255, np.uint8)
    repeated = WorkingInput(8, 4, resize="stretch", scale="0..255", inner=(4, 4))
    assert np.array_equal(prepare_image(repeated, white)[0], np.full((3, 4, 8), 255, np.float32))


def test_a_letterbox_is_padded():
    plan = Preprocess(8, 8, resize="letterbox", pad=0.5, colors="GRAY", mean=(0.0,), std=(1.0,))
    found = prepare_image(plan, np.full((4, 16, 3), 255, np.uint8))[0, 0]
    assert np.allclose(found[3:5], 1) and np.allclose(found[:3], 0.5) and np.allclose(found[5:], 0.5)
