"""Inference of the input where a TensorFlow Lite file leaves it open; test_network_inputs.py has ONNX's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tflite_models import Network

from desktop.base.errors import SizesNeededError
from desktop.compute.nn.frontends.tflite import import_tflite
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess


def classifier(path: Path, signature: tuple[int, ...], *, channels: int = 3, multiplier: int = 0) -> Path:
    """A convolution of 3 x 3, depthwise with a `multiplier`, and the mean over all pixels."""
    made = channels * multiplier if multiplier else 8
    weights = np.zeros((1, 3, 3, made) if multiplier else (made, 3, 3, channels), np.float32)
    n = Network()
    n.tensor("x", tuple(max(size, 1) for size in signature), signature=signature)
    n.tensor("shifted", tuple(max(size, 1) for size in signature))
    n.constant("half", [0.5], "float32")
    n.operator("SUB", ["x", "half"], ["shifted"], "Sub")
    n.tensor("w", data=weights)
    n.tensor("b", data=np.zeros(made, np.float32))
    n.tensor("y", (1, 16, 16, made))
    op, options = ("DEPTHWISE_CONV_2D", "DepthwiseConv2D") if multiplier else ("CONV_2D", "Conv2D")
    more = {"depthMultiplier": multiplier} if multiplier else {}
    n.operator(
        op,
        ["shifted", "w", "b"],
        ["y"],
        options,
        strideW=2,
        strideH=2,
        dilationWFactor=1,
        dilationHFactor=1,
        **more,
    )
    n.tensor("m", (1, made))
    n.constant("axes", [1, 2])
    n.operator("MEAN", ["y", "axes"], ["m"], "Reducer")
    path.write_bytes(n.packed(["x"], ["m"]))
    return path


@pytest.mark.parametrize(
    ("signature", "options", "want"),
    [
        ((-1, -1, -1, -1), {}, (0, 0, 0, 3)),
        ((1, 32, 32, -1), {}, (1, 32, 32, 3)),
        ((1, 32, 32, -1), {"channels": 1}, (1, 32, 32, 1)),
        ((-1, -1, -1, 3), {}, (0, 0, 0, 3)),
        ((1, 32, 32, -1), {"multiplier": 2}, (1, 32, 32, 3)),
        ((1, 32, 32, -1), {"multiplier": 8, "channels": 1}, (1, 32, 32, 1)),
    ],
)
def test_free_channels_are_those_of_the_first_convolution(tmp_path, signature, options, want):
    with ModelFile.opened(classifier(tmp_path / "net.tflite", signature, **options)) as file:
        found = file.facts
    assert found.input_shape == want
    assert found.settled_axes == ((3,) if signature[3] < 0 else ())
    plan, _ = Preprocess.infer(found)
    assert (plan.layout, plan.channels) == ("NHWC", options.get("channels", 3))


def test_sizes_that_a_converter_wrote_as_1_are_asked_for(tmp_path):
    path = classifier(tmp_path / "net.tflite", (-1, -1, -1, -1))
    with pytest.raises(SizesNeededError, match=r"'x' has free dimensions \(d0, d1, d2, d3\)"):
        import_tflite(path)
    assert import_tflite(path, input_shapes={"x": (1, 40, 48, 3)}).values["x"].shape == (1, 40, 48, 3)


def test_a_free_batch_is_1(tmp_path):
    path = classifier(tmp_path / "net.tflite", (-1, 32, 32, 3))
    assert import_tflite(path).values["x"].shape == (1, 32, 32, 3)
