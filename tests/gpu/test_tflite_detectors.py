"""Detectors that end in TensorFlow Lite's own operator, as TensorFlow 1 and 2 name and order its results."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.pipeline.running.one.loading import load_network

# y, x, height, width as shares, with the anchors' own numbers: logits of 0 leave an anchor as it is.
ANCHORS = np.array([[0.25, 0.5, 0.2, 0.4], [0.75, 0.25, 0.3, 0.2], [0.5, 0.8, 0.1, 0.1]], np.float32)
OPTIONS = {
    "max_detections": 5, "max_classes_per_detection": 1, "detections_per_class": 5, "num_classes": 3,
    "use_regular_nms": False, "nms_score_threshold": 0.1, "nms_iou_threshold": 0.5,
    "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0,
}  # fmt: skip
ONE = "TFLite_Detection_PostProcess"
FORMS = {
    "TensorFlow 1": ([ONE, f"{ONE}:1", f"{ONE}:2", f"{ONE}:3"], (0, 1, 2, 3)),
    "TensorFlow 2": ([f"StatefulPartitionedCall:{n}" for n in (3, 2, 1, 0)], (0, 1, 2, 3)),
    # Of Model Maker's EfficientDet-Lite the scores come first, then boxes, count and classes.
    "Model Maker": ([f"StatefulPartitionedCall:{n}" for n in (1, 3, 0, 2)], (2, 0, 3, 1)),
}


def detector(names, order):
    """The file: for any image a box of class 2, one of 0 and one of 1, by falling score."""
    tflite_models = pytest.importorskip("tflite_models", reason="ai-edge-litert is not installed")
    flexbuffers = pytest.importorskip("flatbuffers.flexbuffers")
    n = tflite_models.Network()
    n.tensor("image", (1, 64, 64, 3))
    axes = n.constant("axes", [1, 2, 3])
    n.operator("MEAN", ["image", axes], [n.tensor("mean", (1,))], "Reducer", keepDims=False)
    n.operator("SUB", ["mean", "mean"], [n.tensor("zero", (1,))], "Sub")
    scores = np.full((1, 3, 4), 0.01, np.float32)
    scores[0, (0, 1, 2), (3, 1, 2)] = 0.9, 0.8, 0.7  # after the background
    for name, values in (("boxes", np.zeros((1, 3, 4), np.float32)), ("scores", scores)):
        n.tensor(f"{name} constant", data=values)
        n.operator("ADD", [f"{name} constant", "zero"], [n.tensor(name, values.shape)], "Add")
    n.tensor("anchors", data=ANCHORS)
    outputs = [n.tensor(name, ()) for name in names]
    n.operator(ONE, ["boxes", "scores", "anchors"], outputs, custom=bytes(flexbuffers.Dumps(OPTIONS)))
    return n.packed(["image"], [outputs[number] for number in order])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("labels", ["ant\nbee\ncow\n", "???\nant\nbee\ncow\n"])
def test_results_are_told_apart_by_the_operator(gpu, tmp_path, form, labels):
    path = tmp_path / "net.tflite"
    path.write_bytes(detector(*FORMS[form]))
    path.with_name("net.labels.txt").write_text(labels, encoding="utf-8")
    network = load_network(gpu, path)
    assert network.head.decoder.id == "tflite_ssd"
    found = network.analyze_pixels(np.zeros((200, 200, 3), np.uint8)).objects
    assert [(each.index, each.label) for each in found] == [(2, "cow"), (0, "ant"), (1, "bee")]
    middle, half = ANCHORS[:, 1::-1] * 200, ANCHORS[:, :1:-1] * 100
    np.testing.assert_allclose(
        [each.box for each in found], np.hstack((middle - half, middle + half)), atol=0.1
    )
    network.close()
