"""Enlargements behind the pointwise convolutions that read them."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

TOLERANCE = {"fp32": 1e-5, "fp16": 3e-3}
MODES = {
    "linear": {"mode": "linear"},
    "corners": {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
    "cubic": {"mode": "cubic", "exclude_outside": 1},
    "nearest": {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
}


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


FORMS = {
    "scales": (["", "s"], {}),
    "sizes": (["", "", "n"], {}),
    "sizes of pictures": (["", "", "p"], {"axes": [2, -1]}),
}


def _decoder(
    folder,
    how,
    *,
    form="scales",
    channels=(12, 8),
    size=(5, 7),
    scale=(1.8, 2.0),
    batch=1,
    kernel=1,
    again=False,
):
    """Conv, Resize, Conv; a second convolution behind, where `again`."""
    given, made = channels
    inputs, more = FORMS[form]
    large = [int(n * factor) for n, factor in zip(size, scale, strict=True)]
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("Resize", ["c", *inputs], ["large"], **how, **more),
        helper.make_node("Conv", ["large", "w", "b"], ["d"]),
        *([helper.make_node("Conv", ["d", "last"], ["e"])] if again else []),
        helper.make_node("Relu", ["e" if again else "d"], ["y"]),
    ]
    constants = {
        "first": rand(0, given, given, 1, 1),
        "s": np.array([1, 1, *scale], np.float32),
        "n": np.array([batch, given, *large]),
        "p": np.array(large),
        "w": rand(1, made, given, kernel, kernel),
        "b": rand(2, made),
    } | ({"last": rand(3, made, made, 1, 1)} if again else {})
    shape = (batch, given, *size)
    path = save(folder / "m.onnx", nodes, {"x": shape}, "y", constants, opset=18)
    return path, {"x": rand(4, *shape)}


def _run(gpu, path, feeds, *, precision="fp32", keep=(), workgroups=None):
    """The result, and every value that has memory."""
    session = session_for(gpu, path, precision=precision, keep=keep, workgroups=workgroups)
    found = session.run(feeds)["y"]
    values = set(session.plan.operands)
    session.close()
    return found, values


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("how", MODES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("again", [False, True])
def test_the_convolution_goes_first(gpu, tmp_path, precision, how, form, again):
    """Two in a row both do."""
    needs_halves(gpu, precision)
    path, feeds = _decoder(tmp_path, MODES[how], form=form, again=again, batch=2)
    found, values = _run(gpu, path, feeds, precision=precision)
    assert "large" not in values
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]


@pytest.mark.parametrize(
    "case",
    [
        {"channels": (8, 12)},
        {"scale": (0.5, 0.5)},
        {"kernel": 3},
    ],
    ids=["more channels", "fewer pixels", "a window"],
)
def test_others_stay(gpu, tmp_path, case):
    path, feeds = _decoder(tmp_path, MODES["linear"], size=(8, 8), **case)
    found, values = _run(gpu, path, feeds)
    assert "large" in values
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE["fp32"]


def test_a_kept_enlargement_stays(gpu, tmp_path):
    path, feeds = _decoder(tmp_path, MODES["linear"])
    found, values = _run(gpu, path, feeds, keep=("large",))
    assert "large" in values
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE["fp32"]


def test_what_a_crop_fills_stays(gpu, tmp_path):
    """A bias is added to what is filled in, which is no mean of pixels."""
    how = {
        "mode": "linear",
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "extrapolation_value": 3.0,
    }
    path, feeds = _decoder(tmp_path, how)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("Resize", ["c", "roi", "s"], ["large"], **how),
        helper.make_node("Conv", ["large", "w", "b"], ["y"]),
    ]
    constants = {
        "first": rand(0, 12, 12, 1, 1),
        "roi": np.array([0, 0, -0.5, 0, 1, 1, 1.2, 0.7], np.float32),
        "s": np.array([1, 1, 2, 2], np.float32),
        "w": rand(1, 8, 12, 1, 1),
        "b": rand(2, 8),
    }
    path = save(tmp_path / "crop.onnx", nodes, {"x": (1, 12, 5, 7)}, "y", constants)
    found, _ = _run(gpu, path, feeds)
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE["fp32"]


@pytest.mark.parametrize("mode", ["linear", "nearest"])
@pytest.mark.parametrize(("batch", "height", "width"), [(1, 37, 53), (3, 19, 21), (2, 2, 300)])
def test_outputs_below_each_other(gpu, tmp_path, mode, batch, height, width):
    """One to four of them a thread, over the borders of pictures and past the last line."""
    constants = {"s": np.array([1, 1, 1.75, 2.5], np.float32)}
    nodes = [helper.make_node("Resize", ["x", "", "s"], ["y"], mode=mode)]
    path = save(tmp_path / "m.onnx", nodes, {"x": (batch, 9, height, width)}, "y", constants)
    feeds = {"x": rand(5, batch, 9, height, width)}
    wanted = reference(path, feeds)["y"]
    lines = set()
    for workgroups in (1, 8, 16, 1000):
        session = session_for(gpu, path, workgroups=workgroups)
        code = next(each.code for each in session.plan.dispatches if each.kernel == "resize")
        lines.add(code[code.index("const LINES") :].split("\n")[0])
        assert relative_error(session.run(feeds)["y"], wanted) <= TOLERANCE["fp32"]
        session.close()
    assert len(lines) >= 3
