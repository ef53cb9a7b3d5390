"""Inference of preprocessing and task for networks with images or maps as outputs, and the tables of the
built-in ones.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from dense_models import SWAP, channel_model, convolution, depth_model, swap_model
from hypothesis import given
from hypothesis import strategies as st
from input_models import Graph
from onnx import helper
from tiny_models import fixed_network, red_or_blue_model

from desktop.base.errors import FilterError
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.filters import description
from desktop.pipeline.filters.header import parse_filter
from desktop.vision.models import builtin, preprocess, sidecar
from desktop.vision.models.builtin import Statement, builtin_models, find_model, read_builtin, read_statement
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize
from desktop.vision.tasks.common import unpack
from desktop.vision.tasks.common.bounds import output_bounds, scale_of
from desktop.vision.tasks.common.dense import (
    DenseRequest,
    choose_output,
    layout_of,
    plan_dense,
    settle,
    stage_task,
    working_size,
)
from desktop.vision.tasks.common.maps import output_channels

IMAGE, MASK, MAP = DenseRequest("image"), DenseRequest("mask"), DenseRequest("map")


def onnxruntime_run(path):
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return lambda array: session.run(None, {session.get_inputs()[0].name: array})[0]


def settled(path, request=IMAGE, statement=Statement(), picture=(64, 48)):  # noqa: B008
    plan = plan_dense(path, picture, statement, request)
    run = onnxruntime_run(path)
    output = run(np.zeros(plan.input.shape, plan.input.dtype))
    info = TensorInfo("y", output.shape, str(output.dtype))
    return settle(plan, layout_of(plan, info, path.name), run, path.name)


# -- sizes ---------------------------------------------------------------------------------------------------


@given(
    st.integers(1, 5000), st.integers(1, 5000), st.integers(16, 2048), st.sampled_from([1, 2, 4, 8, 16, 32])
)
def test_working_sizes(width, height, longer, multiple):
    inner, padded = working_size((width, height), longer, multiple)
    assert max(inner) <= max(longer, 1) or inner == (width, height)
    assert inner[0] <= width and inner[1] <= height  # never enlarged
    for side, full in zip(inner, padded, strict=True):
        assert full % multiple == 0 and 0 <= full - side < multiple
    scale = min(1.0, longer / max(width, height))
    assert abs(inner[0] - max(1, width * scale)) <= 0.5 + 1e-9
    assert abs(inner[1] - max(1, height * scale)) <= 0.5 + 1e-9


def test_a_fixed_size_is_filled_by_the_whole_picture(tmp_path):
    plan = plan_dense(swap_model(tmp_path / "m.onnx", size=(40, 24)), (1920, 1080), Statement(), IMAGE)
    assert (plan.input.width, plan.input.height) == plan.input.inner == (40, 24)
    free = plan_dense(
        swap_model(tmp_path / "f.onnx"), (1920, 1080), Statement(multiple=16, working=100), IMAGE
    )
    assert free.input.inner == (100, 56) and (free.input.width, free.input.height) == (112, 64)


# -- outputs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape, expected",
    [
        ((1, 3, 48, 64), (1, 64, 3072)),
        ((1, 48, 64, 3), (3, 192, 1)),
        ((3, 96, 128), (1, 128, 12288)),
        ((24, 32, 3), (3, 96, 1)),
        ((1, 3, 47, 63), (1, 63, 2961)),  # a pixel less: a convolution without padding
    ],
)
def test_layouts_of_outputs(tmp_path, shape, expected):
    plan = plan_dense(swap_model(tmp_path / "m.onnx"), (64, 48), Statement(), IMAGE)
    layout = layout_of(plan, TensorInfo("y", shape, "float32"), "m.onnx")
    assert layout.strides == expected and layout.channels == 3


def test_the_output_over_the_picture_is_chosen_and_cropped(tmp_path):
    plan = plan_dense(swap_model(tmp_path / "m.onnx"), (61, 43), Statement(), MASK)
    outputs = [TensorInfo("features", (1, 128), "float32"), TensorInfo("mask", (1, 2, 24, 32), "float32")]
    info = choose_output(plan, outputs, "m.onnx")
    assert info.name == "mask"
    layout = layout_of(plan, info, "m.onnx")
    # 61 of 64 columns and 43 of 48 rows, at half the size.
    assert (layout.width, layout.height) == (30, 22)
    assert (layout.activation, layout.channel) == ("softmax", 1)
    with pytest.raises(Exception, match=r"no image, mask or map.*'features'"):
        choose_output(plan, outputs[:1], "m.onnx")
    with pytest.raises(Exception, match="has no output 'alpha'"):
        choose_output(replace(plan, output_name="alpha"), outputs, "m.onnx")


@pytest.mark.parametrize("channels, person", [(1, 0), (2, 1), (19, 11), (21, 15), (150, 12)])
def test_which_class_is_a_person(tmp_path, channels, person):
    plan = plan_dense(swap_model(tmp_path / "m.onnx"), (64, 48), Statement(), MASK)
    info = TensorInfo("y", (1, channels, 48, 64), "float32")
    assert layout_of(plan, info, "m").channel == person
    asked = replace(plan, request=replace(MASK, channel=channels))
    with pytest.raises(Exception, match=f"no channel {channels}"):
        layout_of(asked, info, "m")


PETS = ("background", "cat", "dog", "person", "sheep")


def voc_like(path, channels=21, names=()):
    model = convolution(path, np.ones((channels, 3, 1, 1), np.float32), size=(64, 48))
    if names:
        path.with_suffix(".labels.txt").write_text("\n".join(names), "utf-8")
    return model


@pytest.mark.parametrize(
    ("channels", "names", "person", "said"),
    [
        (5, PETS, 3, "labels call a person"),
        # A list without the background's name: it is the first class.
        (5, PETS[1:], 3, "labels call a person"),
        (21, (*(f"part {n}" for n in range(20)), "Person"), 20, "labels call a person"),
        (21, (), 15, "assumed to be the person"),
        (21, PETS, 15, "assumed to be the person"),  # another network's names
        (7, (), 0, "nothing says which of the 7 classes"),
        # The names are the network's and none is a person: the first thing, and not the background.
        (
            4,
            ("background", "road", "tree", "sky"),
            1,
            "(road), because none of the network's labels is a person",
        ),
        (4, ("road", "tree", "sky"), 1, "(road), because"),
        (21, tuple(f"organ {n}" for n in range(21)), 0, "(organ 0), because"),
    ],
)
def test_the_mask_is_of_the_class_that_is_called_a_person(tmp_path, channels, names, person, said):
    model = voc_like(tmp_path / "m.onnx", channels, names)
    plan = plan_dense(model, (64, 48), Statement(), MASK)
    layout = layout_of(plan, TensorInfo("y", (1, channels, 48, 64), "float32"), "m")
    assert layout.channel == person
    [remark] = stage_task("mask").reading_notes(plan, layout)
    assert said in remark and f"class {person}" in remark


@pytest.mark.parametrize(
    ("names", "channel", "said"),
    [
        ((), 15, "nothing names the classes"),
        (PETS, 3, "labels call a person"),
        (("background", "road", "tree"), 1, "(road), because none of the network's labels is a person"),
    ],
)
def test_of_class_numbers_the_mask_is_of_a_class_that_has_a_name(tmp_path, names, channel, said):
    plan = plan_dense(voc_like(tmp_path / "m.onnx", 1, names), (64, 48), Statement(), MASK)
    layout = layout_of(plan, TensorInfo("y", (1, 48, 64), "int64"), "m")
    assert (layout.activation, layout.channel) == ("argmax", channel)
    [remark] = stage_task("mask").reading_notes(plan, layout)
    assert said in remark


def test_a_class_that_somebody_chose_needs_no_remark(tmp_path):
    plan = plan_dense(voc_like(tmp_path / "m.onnx"), (64, 48), Statement(), replace(MASK, channel=3))
    layout = layout_of(plan, TensorInfo("y", (1, 21, 48, 64), "float32"), "m")
    assert layout.channel == 3 and stage_task("mask").reading_notes(plan, layout) == ()


@pytest.mark.parametrize(
    ("names", "stage"),
    [
        ((), "background"),
        (tuple(f"organ {n}" for n in range(21)), "segmentation"),
        ((*PETS, *"abcdefghijklmnop"), "background"),
    ],
)
def test_of_classes_without_a_person_no_background_is_blurred(tmp_path, names, stage):
    found = stage_for_model(voc_like(tmp_path / "m.onnx", 21, names))
    assert found is not None and found[0] == stage


# -- ranges --------------------------------------------------------------------------------------------------


def test_bounds_of_the_last_operators(tmp_path):
    def bounds(*nodes, constants=()):
        path = convolution(tmp_path / "b.onnx", SWAP, after=nodes, constants=constants)
        return output_bounds(onnx.load(str(path)), "y")

    def constant(name, value):
        return helper.make_tensor(name, 1, [], [value])

    node = helper.make_node
    assert bounds(node("Identity", ["c"], ["y"])) is None
    assert bounds(node("Sigmoid", ["c"], ["y"])) == (0.0, 1.0)
    tanh = node("Tanh", ["c"], ["t"])
    mul = node("Mul", ["t", "gain"], ["m"])
    add = node("Add", ["m", "shift"], ["y"])
    parts = [constant("gain", 150.0), constant("shift", 127.5)]
    assert bounds(tanh, mul, add, constants=parts) == (-22.5, 277.5)
    clip = node("Clip", ["c", "gain", "shift"], ["y"])
    assert bounds(clip, constants=[constant("gain", 0.0), constant("shift", 255.0)]) == (0.0, 255.0)
    divided = [tanh, node("Sub", ["t", "gain"], ["m"]), node("Div", ["m", "shift"], ["y"])]
    assert bounds(*divided, constants=[constant("gain", -1.0), constant("shift", 2.0)]) == (0.0, 1.0)
    by_zero = [tanh, node("Div", ["t", "gain"], ["y"])]
    assert bounds(*by_zero, constants=[constant("gain", 0.0)]) is None


def test_bounds_of_a_graph_that_doubles_its_paths_or_goes_in_a_circle():
    nodes = [helper.make_node("Tanh", ["x"], ["v0"])]
    nodes += [helper.make_node("Add", [f"v{i}", f"v{i}"], [f"v{i + 1}"]) for i in range(20)]
    nodes.append(helper.make_node("Identity", ["v20"], ["y"]))
    graph = helper.make_graph(nodes, "g", [], [])
    assert output_bounds(helper.make_model(graph), "y") == (-(2.0**20), 2.0**20)
    circle = [helper.make_node("Add", ["b", "b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])]
    assert output_bounds(helper.make_model(helper.make_graph(circle, "g", [], [])), "b") is None


@pytest.mark.parametrize(
    "low, high, scale",
    [(0, 1, "0..1"), (-0.1, 1.2, "0..1"), (-1, 1, "-1..1"), (-22.5, 277.5, "0..255"), (3, 250, "0..255")],
)
def test_ranges_of_values(low, high, scale):
    assert scale_of(low, high) == scale


def test_what_comes_out_settles_what_nothing_says(tmp_path):
    # The network divides by its input's mean, so that its output has a range of its own: 255 whatever goes
    # in.
    mean = helper.make_node("GlobalAveragePool", ["x"], ["mean"])
    divided = helper.make_node("Div", ["c", "mean"], ["d"])
    scaled = helper.make_node("Mul", ["d", "gain"], ["y"])
    gain = [helper.make_tensor("gain", 1, [], [120.0])]
    model = convolution(tmp_path / "m.onnx", SWAP, after=[mean, divided, scaled], constants=gain)
    plan, layout = settled(model)
    assert plan.input.scale == "0..255" and layout.gain == pytest.approx(1 / 255)
    assert any("the output's is taken, 0..255" in note for note in map(sentence_of, plan.findings))


def test_an_enhancement_is_given_the_range_in_which_it_works(tmp_path):
    # x (2 - x), a brightening curve of 0..1, times 255 and clipped: in 0..255 nothing but black would come
    # out.
    nodes = [
        helper.make_node("Sub", ["two", "x"], ["s"]),
        helper.make_node("Mul", ["x", "s"], ["m"]),
        helper.make_node("Mul", ["m", "gain"], ["g"]),
        helper.make_node("Clip", ["g", "zero", "gain"], ["y"]),
    ]
    values = {"two": 2.0, "gain": 255.0, "zero": 0.0}
    constants = [helper.make_tensor(name, 1, [], [value]) for name, value in values.items()]
    model = convolution(tmp_path / "m.onnx", SWAP, after=nodes, constants=constants)
    plan, layout = settled(model)
    assert plan.input.scale == "0..1" and layout.gain == pytest.approx(1 / 255)
    assert any("images come out best with 0..1" in note for note in map(sentence_of, plan.findings))


def test_what_is_asked_for_counts_most(tmp_path):
    model = channel_model(tmp_path / "m.onnx")
    stated = Statement({"scale": "-1..1", "colors": "BGR", "width": 3})
    plan = plan_dense(model, (64, 48), stated, MASK)
    assert (plan.input.scale, plan.input.colors, plan.input.width) == ("-1..1", "BGR", 64)
    asked = replace(MASK, scale="ImageNet", colors="RGB")
    plan = plan_dense(model, (64, 48), stated, asked)
    assert plan.input.scale == "0..1" and plan.input.mean == (0.485, 0.456, 0.406)
    assert plan.input.colors == "RGB" and plan.settled


@pytest.mark.parametrize(
    ("config", "name", "near"),
    [
        (
            {"architectures": ["DepthAnythingForDepthEstimation"], "depth_estimation_type": "metric"},
            "pixel_values",
            "low",
        ),
        ({"architectures": ["ZoeDepthForDepthEstimation"]}, "pixel_values", "low"),
        # MiDaS, of another exporter, which happens to lie in the same folder.
        ({"architectures": ["ZoeDepthForDepthEstimation"]}, "input", "high"),
        ({"architectures": ["GLPNForDepthEstimation"]}, "pixel_values", "low"),
        (
            {"architectures": ["DepthAnythingForDepthEstimation"], "depth_estimation_type": "relative"},
            "pixel_values",
            "high",
        ),
        ({"architectures": [7]}, "pixel_values", "high"),
        (None, "pixel_values", "high"),
    ],
)
def test_whether_near_is_large_is_read_beside_the_network_or_said_to_be_assumed(tmp_path, config, name, near):
    """Distances grow with depth, disparities fall."""
    path = depth_model(tmp_path / "d.onnx", name=name)
    if config is not None:
        (tmp_path / "config.json").write_text(json.dumps(config))
    plan = plan_dense(path, (64, 48), Statement(), MAP)
    info = TensorInfo("y", (1, 1, 48, 64), "float32")
    layout = layout_of(plan, info, "d")
    assert layout.gain == (-1.0 if near == "low" else 1.0)
    notes = " ".join(map(sentence_of, plan.findings))
    assert ("config.json says" in notes) == (near == "low")
    assert ("Large values are taken for near" in notes) == (near == "high")
    assert near == "low" or "d.onnx.lightloom.toml" in notes
    stated = plan_dense(path, (64, 48), Statement(near="high"), MAP)
    assert layout_of(stated, info, "d").gain == 1.0 and "near" not in " ".join(
        map(sentence_of, stated.findings)
    )


def test_near_things_may_have_small_values(tmp_path):
    plan = plan_dense(depth_model(tmp_path / "d.onnx"), (64, 48), Statement(near="low"), MAP)
    layout = layout_of(plan, TensorInfo("y", (1, 1, 48, 64), "float32"), "d")
    assert (layout.gain, layout.bias) == (-1.0, 0.0)


def test_not_a_picture(tmp_path):
    path = convolution(tmp_path / "m.onnx", np.ones((3, 5, 1, 1), np.float32))
    with pytest.raises(Exception, match="does not take one image of 1 or 3 channels"):
        plan_dense(path, (64, 48), Statement(), IMAGE)
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"\x08\x07nonsense")
    with pytest.raises(Exception, match=r"broken\.onnx"):
        plan_dense(broken, (64, 48), Statement(), IMAGE)


# -- which stage ---------------------------------------------------------------------------------------------


def test_stages_of_networks(tmp_path):
    style, mask = swap_model(tmp_path / "s.onnx"), channel_model(tmp_path / "m.onnx", output="mask")
    depth = depth_model(tmp_path / "d.onnx")
    assert stage_for_model(style) == ("style", {"model": str(style)})
    assert stage_for_model(mask) == ("background", {"model": str(mask)})
    assert stage_for_model(depth) == ("depth", {"model": str(depth)})
    (tmp_path / "bad.onnx").write_bytes(b"nothing")
    # Of five classes none is known to be people: they are shown in colors, and nothing is blurred.
    roads = convolution(tmp_path / "roads.onnx", np.ones((5, 3, 1, 1), np.float32), size=(64, 48))
    voc = convolution(tmp_path / "voc.onnx", np.ones((21, 3, 1, 1), np.float32), size=(64, 48))
    assert stage_for_model(roads) == ("segmentation", {"model": str(roads)})
    assert stage_for_model(voc) == ("background", {"model": str(voc)})
    assert stage_for_model(tmp_path / "bad.onnx") is None


@pytest.mark.parametrize(
    "file, stage",
    [
        ("style/fns_candy.onnx", "style"),
        ("style/ml5_style_wave.onnx", "style"),
        ("style/nc8_mosaic_256x256.onnx", "style"),
        ("enhance/obs_zero_dce_180x320.onnx", "style"),
        ("enhance/sci_360x640.onnx", "style"),
        ("enhance/super-resolution-10.onnx", "super_resolution"),
        ("segment/obs_selfie_segmentation.onnx", "background"),
        ("segment/deeplab_v3_mnv2_257.onnx", "background"),
        ("depth/obs_tcmonodepth_tcsmallnet_192x320.onnx", "depth"),
    ],
)
def test_stages_of_real_networks(shared, file, stage):
    found = stage_for_model(shared / "models" / file)
    assert found is not None and found[0] == stage


@pytest.mark.parametrize(
    "file, scale, colors, out",
    [
        ("style/fns_candy.onnx", "0..255", "BGR", 255),
        ("style/ml5_style_wave.onnx", "0..255", "RGB", 255),
        ("style/nc8_mosaic_256x256.onnx", "0..255", "RGB", 255),
        ("enhance/obs_zero_dce_180x320.onnx", "0..1", "RGB", 255),
        ("enhance/sci_360x640.onnx", "0..1", "RGB", 1),
        ("enhance/super-resolution-10.onnx", "0..1", "GRAY", 1),
    ],
)
def test_ranges_of_real_networks(shared, file, scale, colors, out):
    # As their origins document them (manifest.json; for Zero-DCE its paper's curves, which are of 0..1).
    plan, layout = settled(shared / "models" / file, replace(IMAGE, size=128))
    assert (plan.input.scale, plan.input.colors) == (scale, colors)
    assert layout.gain == pytest.approx(1 / out) and layout.bias == 0


# -- built-in networks ---------------------------------------------------------------------------------------

TABLE = """
title = "Ink"
task = "image"
licence = "MIT"
card = "docs/model-cards/style.md"
[preprocess]
colors = "RGB"
scale = "0..1"
[input]
multiple = 16
working = 384
[output]
scale = "0..1"
"""


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder in the place of assets/models, with one style."""
    swap_model(tmp_path / "style_ink.onnx")
    (tmp_path / "style_ink.toml").write_text(TABLE, "utf-8")
    monkeypatch.setattr(builtin, "resource", lambda *parts: tmp_path)
    return tmp_path


def test_built_in_networks(box):
    (box / "catalogue.toml").write_text(
        "[[network]]\n", "utf-8"
    )  # another table of that folder: no network beside it
    models = builtin_models()
    assert list(models) == ["style_ink"]
    ink = models["style_ink"]
    assert (ink.title, ink.task, ink.licence) == ("Ink", "image", "MIT")
    assert ink.statement == Statement(
        {"colors": "RGB", "scale": "0..1"}, multiple=16, working=384, scale="0..1"
    )
    assert find_model("style_ink") == (box / "style_ink.onnx", ink.statement)
    assert stage_for_model(box / "style_ink.onnx") == ("style", {"model": "style_ink"})
    with pytest.raises(Exception, match="the built-in ones are style_ink"):
        find_model("style_oil")


def test_a_classifier_in_the_box_is_prepared_as_its_table_says(box, monkeypatch):
    monkeypatch.setattr(sidecar, "resource", lambda *parts: box)
    model = red_or_blue_model(box / "classifier.onnx")
    table = 'title = "C"\ntask = "classification"\nlicence = "MIT"\ncard = "c.md"\n[preprocess]\nscale = "-1..1"\n'
    (box / "classifier.toml").write_text(table, "utf-8")
    plan, notes = preprocess.choose_preprocess(model, ModelFile.open(model).facts)
    assert plan.scale == "-1..1" and "Set by classifier.toml: scale." in map(sentence_of, notes)
    (box / "classifier.onnx.lightloom.toml").write_text('[preprocess]\nscale = "0..255"\n', "utf-8")
    assert (
        preprocess.choose_preprocess(model, ModelFile.open(model).facts)[0].scale == "0..255"
    )  # the user's own


def test_the_first_that_suits_is_the_default(box):
    text = '/* lightloom\ntitle = "T"\n[[param]]\nname = "m"\ntype = "model"\ntasks = [{0}]\n[network]\noutput = "{1}"\n'
    text += 'texture = "t"\nmodel = "m"\n*/\nfn main(p: vec2i) -> vec4f {{ return load(p); }}'
    assert parse_filter(text.format('"image"', "image"), "t.wgsl", builtin=False).defaults == {
        "m": "style_ink"
    }
    assert parse_filter(text.format('"mask"', "mask"), "t.wgsl", builtin=False).defaults == {"m": ""}


FILTER = """/* lightloom
title = "T"
[[param]]
name = "m"
type = "model"
tasks = ["image"]
[[param]]
name = "n"
type = "int"
default = 1
max = 9
[[param]]
name = "how"
type = "choice"
choices = ["auto", "wgpu", "onnxruntime"]
[network]
output = "image"
texture = "t"
model = "m"
size = "n"
backend = "how"
*/
fn main(p: vec2i) -> vec4f { return load(p); }"""


def test_a_filter_declares_its_network():
    use = parse_filter(FILTER, "t.wgsl", builtin=False).network
    assert (use.texture, use.output, use.format) == ("t", "image", "rgba16float")
    assert use.params == {"m", "n", "how"}


@pytest.mark.parametrize(
    "line, replacement, message",
    [
        (
            'output = "image"',
            'output = "sound"',
            "'output' must be one of image, enlarged, repainted, mask, map, classes, flow",
        ),
        ('texture = "t"', 'texture = "input"', "the name 'input' is used twice"),
        ('texture = "t"', 'texture = "network"', "the name 'network' is used twice"),
        ('model = "m"', 'model = "n"', "'model' must name a parameter of type model"),
        ('size = "n"', 'size = "how"', "'size' must name a parameter of type int"),
        (
            '"onnxruntime"]',
            '"cpu"]',
            "'backend' must name a parameter of type choice with the choices auto, wgpu",
        ),
        ('size = "n"', 'siez = "n"', "'siez' is not known"),
        ('tasks = ["image"]', "", "'tasks' belongs to a model"),
        ('tasks = ["image"]', 'tasks = ["sound"]', "'tasks' belongs to a model"),
        ("[network]", '[[texture]]\nname = "x"\n[net]', "'net' is not known"),
    ],
)
def test_wrong_declarations(line, replacement, message):
    with pytest.raises(FilterError, match=message):
        parse_filter(FILTER.replace(line, replacement, 1), "t.wgsl", builtin=False)


def test_a_model_without_a_network_and_the_reverse():
    without = FILTER.split("[network]")[0] + "*/\nfn main(p: vec2i) -> vec4f { return load(p); }"
    with pytest.raises(FilterError, match=r"one parameter of type model goes with a table \[network\]"):
        parse_filter(without, "t.wgsl", builtin=False)


@pytest.mark.parametrize(
    "line, replacement, message",
    [
        ('title = "Ink"', "", "'title' is missing"),
        ('task = "image"', 'task = "painting"', "'task' must be one of"),
        ("multiple = 16", "multiple = 0", "'multiple' must be a whole number from 1"),
        ("multiple = 16", "mutliple = 16", "'mutliple' is not known"),
        ('licence = "MIT"', 'licence = "MIT"\nauthor = "me"', "'author' is not known"),
        ('[output]\nscale = "0..1"', '[output]\nscale = "0..2"', "'scale' must be one of"),
        ("title", "= broken", "are not TOML"),
    ],
)
def test_wrong_tables(box, line, replacement, message):
    path = box / "style_ink.toml"
    path.write_text(TABLE.replace(line, replacement, 1), "utf-8")
    with pytest.raises(Exception, match=message) as caught:
        read_builtin(path)
    assert str(caught.value).count("\n") == 0
    assert builtin_models() == {}  # left out, and the program goes on


def test_a_sidecar_speaks_for_a_users_network(tmp_path):
    model = channel_model(tmp_path / "m.onnx")
    assert read_statement(model) == Statement()
    sidecar = tmp_path / "m.onnx.lightloom.toml"
    sidecar.write_text(
        '[preprocess]\nscale = "-1..1"\n[output]\nactivation = "sigmoid"\nchannel = 0\n', "utf-8"
    )
    statement = find_model(str(model))[1]
    assert statement.activation == "sigmoid" and statement.channel == 0
    plan = plan_dense(model, (64, 48), statement, MASK)
    assert plan.input.scale == "-1..1"
    assert layout_of(plan, TensorInfo("y", (1, 1, 48, 64), "float32"), "m").activation == "sigmoid"


def test_every_key_is_documented():
    text = (
        (Path(__file__).parents[2] / "docs" / "models.md")
        .read_text("utf-8")
        .split("## Built-in networks", 1)[1]
    )
    keys = (
        "title",
        "task",
        "help",
        "licence",
        "card",
        "labels",
        "[preprocess]",
        "[input] name",
        "[input] multiple",
    )
    keys += ("[input] working", "[output] name", "[output] scale", "[output] colors", "[output] activation")
    for key in (*keys, "[output] channel", "[output] near"):
        assert f"| `{key}` |" in text, key


def test_filters_and_tasks_speak_of_the_same_textures():
    assert unpack.FORMATS == description.NETWORK_FORMATS


@pytest.mark.parametrize(
    ("shape", "output", "enlarges"),
    [
        ((1, 4, 12, 16), "classes", True),
        ((1, 12, 16, 4), "classes", True),
        ((1, 4, 12, 16), "mask", True),
        ((1, 4, 48, 64), "classes", False),
        ((1, 1, 48, 64), "mask", False),
        ((1, 4, 96, 128), "classes", False),
    ],
)
def test_scores_on_a_smaller_map_are_enlarged_and_others_are_read_as_they_are(
    tmp_path, shape, output, enlarges
):
    path = fixed_network(tmp_path / "mask.onnx", {"logits": np.ones(shape, np.float32)}, (64, 48))
    plan = plan_dense(path, (64, 48), Statement(), DenseRequest(output))
    layout = layout_of(plan, TensorInfo("logits", shape, "float32"), "m")
    assert (layout.enlargement is not None) == enlarges
    assert layout.size == ((64, 48) if enlarges else (layout.width, layout.height))
    numbers = layout_of(plan, TensorInfo("logits", (1, 1, 12, 16), "int64"), "m")
    assert numbers.enlargement is None and numbers.size == (16, 12)


@pytest.mark.parametrize(
    ("shape", "size", "channels"),
    [
        ((1, 150, 128, 128), 512, 150),  # SegFormer on ADE20K
        ((1, 128, 128, 150), 512, 150),
        ((1, 140, 128, 128), 512, 140),
        ((1, 150, 64, 64), 256, 150),
        ((1, 19, 128, 128), 512, 19),
        ((1, 512, 7, 7), 224, 0),  # features of a backbone
        ((1, 256, 56, 56), 224, 0),
        ((1, 255, 80, 80), 640, 0),  # a detector's raw head
    ],
)
def test_there_may_be_more_classes_than_rows(tmp_path, shape, size, channels):
    path = fixed_network(tmp_path / "net.onnx", {"logits": np.zeros(shape, np.float32)}, (size, size))
    file = ModelFile.open(path)
    assert output_channels(file.facts) == channels
    found = recognize(file)
    assert (found is not None and found.task.id == "mask") == (channels > 0)


@pytest.mark.parametrize(
    ("classes", "size", "stride", "last", "channels"),
    [
        (150, 512, 8, "Softmax", 150),  # ADE20K on 64 x 64
        (150, 512, 8, "", 0),  # as a backbone's features or a detector's head
        (150, 512, 8, "Relu", 0),
        (150, 512, 16, "Softmax", 0),
        (19, 512, 8, "", 19),
    ],
)
@pytest.mark.parametrize("channels_last", [False, True])
def test_a_softmax_of_the_last_convolution_tells_classes_from_rows(
    tmp_path, classes, size, stride, last, channels, channels_last
):
    graph = Graph()
    value = graph.conv("x", 3, classes, stride, strides=[stride, stride])
    value = graph.node(last, value, **({"axis": 1} if last == "Softmax" else {})) if last else value
    perm = [0, 2, 3, 1] if channels_last else [0, 1, 2, 3]
    graph.node("Transpose", value, to="y", perm=perm)
    side = size // stride
    shape = (1, side, side, classes) if channels_last else (1, classes, side, side)
    with ModelFile.opened(graph.save(tmp_path / "net.onnx", (1, 3, size, size), [("y", shape)])) as file:
        assert output_channels(file.facts) == channels
        found = recognize(file)
    assert (found is not None and found.task.id == "mask") == (channels > 0)
