"""Inference of the preprocessing from evidence in the model, its arithmetic, and the sidecar."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.vision.models.facts import facts_of
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import (
    CAFFE_MEAN_BGR,
    IMAGENET_MEAN,
    IMAGENET_STD,
    Preprocess,
    choose_preprocess,
    read_sidecar,
)
from desktop.vision.models.sidecar import sidecar_path


def network(
    shape=(1, 3, 224, 224),
    classes=1000,
    *,
    first=(),
    weights=None,
    name="input",
    producer="pytorch",
    metadata=None,
    dtype=TensorProto.FLOAT,
    last="",
    bias=0.1,
):
    """A classifier of one convolution, with `first` = [(op, constants...)] before it and `last` after it."""
    nodes, inits, value = [], [], name
    for i, (op, *constants) in enumerate(first):
        names = [f"c{i}_{j}" for j in range(len(constants))]
        inits += [numpy_helper.from_array(np.asarray(c), n) for c, n in zip(constants, names, strict=True)]
        nodes.append(helper.make_node(op, [value, *names], [f"v{i}"]))
        value = f"v{i}"
    channels = 3 if 3 in shape[1:] else 1
    w = np.full((8, channels, 3, 3), 0.2, np.float32) if weights is None else weights
    inits += [numpy_helper.from_array(w, "w"), numpy_helper.from_array(np.full(8, bias, np.float32), "b")]
    if shape[-1] in (1, 3):
        nodes.append(helper.make_node("Transpose", [value], ["nchw"], perm=[0, 3, 1, 2]))
        value = "nchw"
    nodes += [
        helper.make_node("Conv", [value, "w", "b"], ["conv"]),
        helper.make_node("GlobalAveragePool", ["conv"], ["pool"]),
        helper.make_node("Flatten", ["pool"], ["flat"]),
        helper.make_node("Gemm", ["flat", "fc"], ["logits" if last else "output"]),
    ]
    inits.append(numpy_helper.from_array(np.ones((8, classes), np.float32), "fc"))
    if last:
        nodes.append(helper.make_node(last, ["logits"], ["output"]))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, dtype, shape)],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, classes])],
        inits,
    )
    model = helper.make_model(graph, producer_name=producer, opset_imports=[helper.make_opsetid("", 13)])
    helper.set_model_props(model, metadata or {})
    return model


def infer(**options):
    return Preprocess.infer(facts_of(network(**options), "test.onnx"))


def test_without_evidence_imagenet_is_assumed_and_said():
    plan, notes = infer()
    assert (plan.colors, plan.scale, plan.mean, plan.std) == ("RGB", "0..1", IMAGENET_MEAN, IMAGENET_STD)
    assert (plan.width, plan.height, plan.layout, plan.dtype) == (224, 224, "NCHW", "float32")
    assert plan.resize == "crop" and plan.crop == 0.875
    assert any("assumed" in note and "ImageNet" in note for note in map(sentence_of, notes))


def test_size_and_layout_come_from_the_shape():
    plan, _ = infer(shape=(1, 3, 192, 320))
    assert (plan.width, plan.height, plan.layout, plan.shape) == (320, 192, "NCHW", (1, 3, 192, 320))
    plan, _ = infer(shape=(1, 160, 128, 3))
    assert (plan.width, plan.height, plan.layout, plan.shape) == (128, 160, "NHWC", (1, 160, 128, 3))


def test_free_dimensions_get_a_size_and_a_note():
    plan, notes = infer(shape=("batch", 3, "height", "width"))
    assert (plan.width, plan.height) == (224, 224)
    assert any("free" in note for note in map(sentence_of, notes))


def test_gray_digits_are_not_cropped():
    plan, _ = infer(shape=(1, 1, 28, 28), classes=10)
    assert (plan.colors, plan.channels, plan.crop) == ("GRAY", 1, 1.0)


def test_1001_outputs_are_tensorflows():
    plan, _ = infer(classes=1001)
    assert (plan.colors, plan.scale, plan.mean, plan.std) == ("RGB", "-1..1", (0, 0, 0), (1, 1, 1))


@pytest.mark.parametrize("options", [{"producer": "onnx-caffe2"}, {"name": "gpu_0/data_0", "producer": ""}])
def test_caffe_networks_take_bgr_less_the_mean(options):
    plan, _ = infer(**options)
    assert (plan.colors, plan.scale, plan.mean) == ("BGR", "0..255", CAFFE_MEAN_BGR)


def test_metadata_says_order_and_range():
    plan, notes = infer(
        metadata={"Image.BitmapPixelFormat": "Bgr8", "Image.NominalPixelRange": "NominalRange_0_255"},
        classes=1001,
    )
    assert (plan.colors, plan.scale, plan.mean) == ("BGR", "0..255", (0, 0, 0))
    assert any("metadata" in note for note in map(sentence_of, notes))
    plan, _ = infer(metadata={"mean": "[0.1, 0.2, 0.3]", "std": "0.5"})
    assert (plan.mean, plan.std) == ((0.1, 0.2, 0.3), (0.5, 0.5, 0.5))


@pytest.mark.parametrize(
    "write",
    [
        str,
        lambda x: str(list(map(float, x))),
        lambda x: " ".join(map(str, x)),
        lambda x: str(x.reshape(3, 1, 1)),
    ],
)
def test_arrays_in_the_metadata_are_read_as_numpy_writes_them(write):
    mean, std = np.array([0.25, 0.5, 0.75]), np.array([0.125, 1.5, 0.5])
    plan, _ = infer(metadata={"mean": write(mean), "std": write(std)})
    assert (plan.mean, plan.std) == (tuple(mean), tuple(std))


@pytest.mark.parametrize("text", ["nan,1,2", "1,2", "x", "[" * 100, "1e999,0,0"])
def test_nonsense_in_the_metadata_is_no_evidence(text):
    plan, _ = infer(metadata={"mean": text})
    assert plan.mean == IMAGENET_MEAN


def channelwise(*values):
    return np.array(values, np.float32).reshape(1, 3, 1, 1)


@pytest.mark.parametrize(
    ("first", "colors", "scale"),
    [
        (
            [("Sub", channelwise(123.7, 116.3, 103.5)), ("Div", channelwise(58.4, 57.1, 57.4))],
            "RGB",
            "0..255",
        ),
        ([("Sub", channelwise(103.9, 116.8, 123.7))], "BGR", "0..255"),
        ([("Mul", np.float32(1 / 255))], "RGB", "0..255"),
        ([("Div", np.float32(127.5)), ("Sub", np.float32(1))], "RGB", "0..255"),
        ([("Sub", channelwise(*IMAGENET_MEAN)), ("Div", channelwise(*IMAGENET_STD))], "RGB", "0..1"),
        ([("Mul", np.float32(2)), ("Sub", np.float32(1))], "RGB", "0..1"),
    ],
)
def test_what_the_graph_does_itself_is_left_to_it(first, colors, scale):
    plan, _ = infer(first=first)
    assert (plan.colors, plan.scale, plan.mean, plan.std) == (colors, scale, (0, 0, 0), (1, 1, 1))


def test_a_batch_normalization_of_the_input_tells_its_mean():
    ones = np.ones(3, np.float32)
    for mean, variance, expected in (
        ((104, 117, 124), 3600, ("BGR", "0..255")),
        ((0.48, 0.46, 0.41), 0.06, ("RGB", "0..1")),
        ((0, 0, 0), 0.25, ("RGB", "-1..1")),
    ):
        first = [("BatchNormalization", ones, ones, np.array(mean, np.float32), ones * variance)]
        plan, _ = infer(first=first)
        assert (plan.colors, plan.scale) == expected


@pytest.mark.parametrize(
    ("scale", "zero", "expected"),
    [
        (1 / 127.5, np.uint8(127), ("-1..1", (0, 0, 0))),
        (1 / 255, np.uint8(0), ("0..1", (0, 0, 0))),
        (1.0, np.uint8(0), ("0..255", (0, 0, 0))),
        (0.018658, np.uint8(114), ("0..1", IMAGENET_MEAN)),
        (0.018658, np.int8(-14), ("0..1", IMAGENET_MEAN)),
        (1.08, np.uint8(114), ("0..255", CAFFE_MEAN_BGR)),
    ],
)
def test_the_quantized_input_tells_its_range(scale, zero, expected):
    dtype = np.float32(scale)
    plan, _ = infer(first=[("QuantizeLinear", dtype, zero), ("DequantizeLinear", dtype, zero)])
    assert (plan.scale, plan.mean) == expected


def test_weights_sized_for_raw_values():
    # What folding a batch normalization into a layer trained on 0..255 leaves: small weights beside ordinary
    # biases.
    plan, _ = infer(weights=np.full((8, 3, 3, 3), 0.002, np.float32), bias=0.4)
    assert plan.scale == "0..255"


def test_bytes_and_halves():
    plan, _ = infer(dtype=TensorProto.UINT8)
    assert (plan.dtype, plan.scale) == ("uint8", "0..255")
    plan, _ = infer(dtype=TensorProto.INT32)
    assert (plan.dtype, plan.scale) == ("int32", "0..255")
    plan, _ = infer(dtype=TensorProto.FLOAT16)
    assert plan.dtype == "float16"


@pytest.mark.parametrize("shape", [(1, 10), (1, 7, 224, 224), (2, 3, 8, 8)])
def test_what_is_no_picture_is_refused(shape):
    with pytest.raises(ModelUnsupportedError, match="one image"):
        infer(shape=shape, weights=np.ones((8, 3, 3, 3), np.float32))


@pytest.mark.parametrize(
    ("last", "softmax"), [("", False), ("Softmax", True), ("Sigmoid", True), ("Relu", False)]
)
def test_the_graphs_end_says_whether_scores_are_probabilities(last, softmax):
    assert facts_of(network(last=last), "t").softmax is softmax


def test_networks_of_the_shared_folder(shared: Path):
    expected = {
        "mobilenet_v2_1.0_224_f32": ("RGB", "-1..1", (0, 0, 0)),
        "mobilenet_v2_1.0_224_qdq": ("RGB", "-1..1", (0, 0, 0)),
        "squeezenet_fp16": ("BGR", "0..255", CAFFE_MEAN_BGR),
        "shufflenet-v2-12-int8": ("RGB", "0..1", IMAGENET_MEAN),
        "mlfastvit_food101_224": ("RGB", "0..1", IMAGENET_MEAN),
    }
    for name, figures in expected.items():
        plan, _ = Preprocess.infer(ModelFile.open(shared / "models" / "classify" / f"{name}.onnx").facts)
        assert (plan.colors, plan.scale, plan.mean) == figures, name


def test_rows_are_the_affine_map_of_numpy():
    rng = np.random.default_rng(3)
    rgb = rng.random(3)
    for colors, scale, unit in (
        ("RGB", "0..1", rgb),
        ("BGR", "-1..1", 2 * rgb - 1),
        ("RGB", "0..255", 255 * rgb),
    ):
        plan = Preprocess(8, 8, colors=colors, scale=scale, mean=(0.5, 0.4, 0.3), std=(0.2, 0.3, 0.4))
        ordered = unit[::-1] if colors == "BGR" else unit
        expected = (ordered - plan.mean) / np.array(plan.std)
        np.testing.assert_allclose(np.array(plan.rows) @ [*rgb, 1.0], expected, rtol=1e-12)
    gray = Preprocess(8, 8, colors="GRAY", mean=(0.0,), std=(1.0,))
    np.testing.assert_allclose(np.array(gray.rows) @ [*rgb, 1.0], rgb @ [0.299, 0.587, 0.114])


def test_boxes():
    crop = Preprocess(224, 224).box(1920, 1080)
    assert (crop.width, crop.height) == (945, 945)
    assert (crop.x, crop.y) == (487.5, 67.5)
    wide = Preprocess(320, 192, crop=1.0).box(1000, 1000)
    assert (wide.x, wide.y, wide.width, wide.height) == (0, 200, 1000, 600)
    letter = Preprocess(416, 416, resize="letterbox").box(1920, 1080)
    assert (letter.target_x, letter.target_y, letter.target_width, letter.target_height) == (0, 91, 416, 234)
    stretch = Preprocess(10, 20, resize="stretch").box(7, 5)
    assert (stretch.width, stretch.height, stretch.target_width, stretch.target_height) == (7, 5, 10, 20)
    # As DeiT's processor: stretched to 256 x 256, of which the middle 224 x 224 are taken.
    both = Preprocess(224, 224, resize="stretched_crop", crop=0.875).box(512, 1024)
    assert (both.x, both.y, both.width, both.height) == (32, 64, 448, 896)
    assert (both.target_x, both.target_y, both.target_width, both.target_height) == (0, 0, 224, 224)


def test_describe_names_everything_that_matters():
    text = Preprocess(
        224, 192, colors="BGR", scale="0..255", mean=CAFFE_MEAN_BGR, resize="letterbox"
    ).describe()
    for part in ("224x192 BGR", "0..255", "mean (104, 117, 123)", "letterboxed", "NCHW float32"):
        assert part in text


@pytest.mark.parametrize(
    "values",
    [
        {"colors": "CMYK"},
        {"width": 0},
        {"width": 99999},
        {"width": True},
        {"crop": 0.0},
        {"crop": "much"},
        {"mean": [1.0]},
        {"mean": [1.0, float("nan"), 2.0]},
        {"std": [1.0, 0.0, 1.0]},
        {"std": ["a", "b", "c"]},
        {"pad": 2.0},
    ],
)
def test_values_that_a_field_does_not_take(values):
    with pytest.raises(UsageError, match=f"'{next(iter(values))}'"):
        Preprocess(224, 224).updated(values)


def test_the_sidecar_overrides(tmp_path: Path):
    model = tmp_path / "net.onnx"
    onnx.save(network(), str(model))
    facts = ModelFile.open(model).facts
    wanted = Preprocess(224, 224, colors="BGR", scale="0..255", mean=(1.5, 2.0, 3.0), resize="stretch")
    sidecar_path(model).write_text(
        "[preprocess]\nwidth = 224\nheight = 224\ncolors = 'BGR'\nscale = '0..255'\nresize = 'stretch'\n"
        "mean = [1.5, 2.0, 3.0]\nstd = [1.0, 1.0, 1.0]\n"
    )
    plan, notes = choose_preprocess(model, facts)
    assert plan == wanted
    assert any("net.onnx.lightloom.toml" in note for note in map(sentence_of, notes))
    plan, notes = choose_preprocess(model, facts, {"colors": "RGB", "colour": "red"})
    assert (plan.colors, plan.scale) == ("RGB", "0..255")
    assert any("'colour' is unknown" in note for note in map(sentence_of, notes))


def test_a_sidecar_that_does_not_fit_or_is_broken(tmp_path: Path):
    model = tmp_path / "net.onnx"
    onnx.save(network(), str(model))
    facts = ModelFile.open(model).facts
    sidecar_path(model).write_text("[preprocess]\nwidth = 100\n")
    with pytest.raises(UsageError, match=r"takes float32\[1, 3, 224, 224\]"):
        choose_preprocess(model, facts)
    for text in ("[preprocess", "preprocess = 3"):
        sidecar_path(model).write_text(text)
        with pytest.raises(ModelInvalidError):
            read_sidecar(sidecar_path(model))


def test_a_file_that_is_not_onnx(tmp_path: Path):
    path = tmp_path / "not.onnx"
    path.write_bytes(b"hello, I am a text")
    with pytest.raises(ModelInvalidError):
        assert ModelFile.open(path).facts
    with pytest.raises(ModelInvalidError, match="cannot be read"):
        ModelFile.open(tmp_path / "missing.onnx")
