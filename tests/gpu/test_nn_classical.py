"""Operators that scikit-learn, Custom Vision and Core ML put behind a classifier (ai.onnx.ml), beside ONNX
Runtime.
"""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
from nn_cases import session_for
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.labels import choose_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.classification import TASK

ML = "ai.onnx.ml"
FLOAT, INT, TEXT = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
NAMES = ["sea lion", "gull", "Möwe"]


def maps(name, key=TEXT):
    kind = helper.make_map_type_proto(key, helper.make_tensor_type_proto(FLOAT, None))
    return helper.make_value_info(name, helper.make_sequence_type_proto(kind))


def tensor(name, code, shape=None):
    return helper.make_tensor_value_info(name, code, shape)


def saved(path, nodes, outputs, shape=(None, 4), constants=(), ml=3):
    """A network with the input x; outputs are value infos."""
    held = [numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()]
    graph = helper.make_graph(nodes, "test", [tensor("x", FLOAT, shape)], outputs, held)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(ML, ml)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return path


def classifier(rows, **attributes):
    random = np.random.default_rng(4)
    return helper.make_node(
        "LinearClassifier",
        ["x"],
        ["label", "scores"],
        domain=ML,
        coefficients=random.standard_normal(rows * 4).tolist(),
        intercepts=random.standard_normal(rows).tolist(),
        **attributes,
    )


def as_written(path, x):
    """What ONNX Runtime gives for the file as it is, by name; maps as they are."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"x": x}), strict=True))


def rows(count=5):
    return np.random.default_rng(2).standard_normal((count, 4)).astype(np.float32)


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_linear_classifier(gpu, tmp_path, count, transform):
    labels = [7, -2, 40][: max(count, 2)]
    node = classifier(count, classlabels_ints=labels, post_transform=transform)
    path = saved(tmp_path / "m.onnx", [node], [tensor("label", INT), tensor("scores", FLOAT)])
    x = rows()
    session = session_for(gpu, path, input_shapes={"x": x.shape})
    found, expected = session.run({"x": x}), as_written(path, x)
    session.close()
    assert np.array_equal(found["label"], expected["label"])
    np.testing.assert_allclose(found["scores"], expected["scores"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("Normalizer", {"norm": "MAX"}),
        ("Normalizer", {"norm": "L1"}),
        ("Normalizer", {"norm": "L2"}),
        ("Scaler", {"offset": [0.5], "scale": [-2.0]}),
        ("Scaler", {"offset": [1.0, 2.0, 3.0, 4.0], "scale": [2.0, 0.5, -1.0, 3.0]}),
    ],
)
def test_rows_are_scaled(gpu, tmp_path, op, attributes):
    node = helper.make_node(op, ["x"], ["y"], domain=ML, **attributes)
    path = saved(tmp_path / "m.onnx", [node], [tensor("y", FLOAT)])
    x = rows()
    x[2] = 0.0
    session = session_for(gpu, path, input_shapes={"x": x.shape})
    found = session.run({"x": x})["y"]
    session.close()
    np.testing.assert_allclose(found, as_written(path, x)["y"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "attributes",
    [
        {"keys_int64s": [2, 0, 1], "values_int64s": [10, -20, 30], "default_int64": 5},
        {"keys_int64s": [2, 0], "values_floats": [0.5, 0.25]},
        {"keys_tensor": np.array([0, 1, 2]), "values_tensor": np.array([5, 6, 7], np.int64)},
    ],
)
def test_a_table_of_numbers(gpu, tmp_path, attributes):
    attributes = {
        name: numpy_helper.from_array(value) if isinstance(value, np.ndarray) else value
        for name, value in attributes.items()
    }
    if "keys_tensor" in attributes:
        attributes["default_tensor"] = numpy_helper.from_array(np.array([3], np.int64))
    nodes = [
        helper.make_node("ArgMax", ["x"], ["at"], axis=-1, keepdims=0),
        helper.make_node("LabelEncoder", ["at"], ["y"], domain=ML, **attributes),
    ]
    code = FLOAT if "values_floats" in attributes else INT
    path = saved(tmp_path / "m.onnx", nodes, [tensor("y", code)], ml=4)
    x = rows(20)
    session = session_for(gpu, path, input_shapes={"x": x.shape})
    found = session.run({"x": x})["y"]
    session.close()
    assert np.array_equal(found, as_written(path, x)["y"])


def sklearn_head(tmp_path, **labels):
    """As skl2onnx writes a logistic regression: the label, and a map of the normalized scores."""
    key = TEXT if "classlabels_strings" in labels else INT
    names = {"classlabels_ints" if key == INT else "classlabels_strings": next(iter(labels.values()))}
    nodes = [
        helper.make_node("Scaler", ["x"], ["scaled"], domain=ML, offset=[0.1] * 4, scale=[2.0] * 4),
        classifier(3, post_transform="LOGISTIC", **names),
        helper.make_node("Normalizer", ["scores"], ["probabilities"], domain=ML, norm="L1"),
        helper.make_node("ZipMap", ["probabilities"], ["output_probability"], domain=ML, **labels),
        helper.make_node("Identity", ["label"], ["output_label"]),
    ]
    nodes[1].input[0] = "scaled"
    outputs = [tensor("output_label", key, [None]), maps("output_probability", key)]
    return saved(tmp_path / "m.onnx", nodes, outputs)


@pytest.mark.parametrize(
    "labels", [{"classlabels_strings": NAMES}, {"classlabels_int64s": [3, 8, 5]}], ids=["texts", "numbers"]
)
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_map_becomes_scores_with_their_names(gpu, tmp_path, backend, labels):
    path = sklearn_head(tmp_path, **labels)
    x = rows()
    expected = as_written(path, x)
    shapes = {"x": x.shape}
    if backend == "wgpu":
        session = session_for(gpu, path, input_shapes=shapes)
    else:
        session = OnnxRuntimeSession.load(path, input_shapes=shapes)
    found = session.run({"x": x})
    session.close()
    names = next(iter(labels.values()))
    scores = np.array([[each[name] for name in names] for each in expected["output_probability"]])
    np.testing.assert_allclose(found["output_probability"], scores, rtol=1e-5, atol=1e-6)
    assert next(iter(found)) == "output_probability"
    if "classlabels_int64s" in labels:
        assert np.array_equal(found["output_label"], expected["output_label"])
    else:
        assert list(found) == ["output_probability"]  # the text says what the scores say

    facts = ModelFile.open(path).facts
    assert facts.classes == 3
    assert facts.softmax
    assert TASK.recognize(facts) is not None
    assert choose_labels(3, metadata=facts.metadata).names == tuple(map(str, names))


def custom_vision(tmp_path, width=3):
    """A convolutional classifier as Custom Vision exports it: `classLabel` from texts, `loss` a map."""
    random = np.random.default_rng(8)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], kernel_shape=[3, 3], strides=[2, 2]),
        helper.make_node("GlobalAveragePool", ["c"], ["p"]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Softmax", ["f"], ["model_output"], axis=1),
        helper.make_node("ArgMax", ["model_output"], ["at"], axis=1, keepdims=0),
        helper.make_node("ArrayFeatureExtractor", ["texts", "at"], ["classLabel"], domain=ML),
        helper.make_node("ZipMap", ["model_output"], ["loss"], domain=ML, classlabels_strings=NAMES),
    ]
    constants = {
        "w": random.standard_normal((width, 3, 3, 3)).astype(np.float32),
        "texts": np.array(NAMES, object),
    }
    outputs = [tensor("classLabel", TEXT), maps("loss")]
    return saved(tmp_path / "m.onnx", nodes, outputs, (None, 3, 16, 16), constants, ml=1)


def test_a_classifier_of_pictures_with_names(gpu, tmp_path):
    path = custom_vision(tmp_path)
    x = np.random.default_rng(1).random((1, 3, 16, 16), np.float32)
    session = session_for(gpu, path)
    found = session.run({"x": x})
    session.close()
    expected = as_written(path, x)
    np.testing.assert_allclose(found["loss"][0], [expected["loss"][0][n] for n in NAMES], rtol=1e-5)
    likeliest = NAMES[int(found["loss"].argmax())]
    assert np.ravel(expected["classLabel"])[0] == likeliest


def test_the_bytes_of_other_networks_stay_as_they_are(tmp_path):
    path = saved(tmp_path / "m.onnx", [helper.make_node("Relu", ["x"], ["y"])], [tensor("y", FLOAT)])
    file = NetworkFile.open(path)
    assert file.runnable is file.data


@pytest.mark.parametrize("names", [{"classlabels_strings": ["a", "b", "a"]}, {}])
def test_names_that_contradict_themselves_are_refused(gpu, tmp_path, names):
    node = helper.make_node("ZipMap", ["x"], ["y"], domain=ML, **names)
    path = saved(tmp_path / "m.onnx", [node], [maps("y")])
    with pytest.raises(ModelUnsupportedError, match="ZipMap"):
        session_for(gpu, path)


@pytest.mark.parametrize(
    ("node", "error", "what"),
    [
        (classifier(3, classlabels_ints=[1, 2, 3], post_transform="PROBIT"), ModelUnsupportedError, "PROBIT"),
        (classifier(3, classlabels_ints=[1, 2]), ModelUnsupportedError, "2 classes of 3 rows"),
        (
            helper.make_node("Scaler", ["x"], ["scores"], domain=ML, offset=[0.0] * 3),
            ModelUnsupportedError,
            "3 numbers",
        ),
        (
            helper.make_node(
                "LabelEncoder", ["x"], ["scores"], domain=ML, keys_strings=["a"], values_floats=[1.0]
            ),
            ModelUnsupportedError,
            "texts",
        ),
    ],
)
def test_what_is_not_taken_says_why(gpu, tmp_path, node, error, what):
    path = saved(tmp_path / "m.onnx", [node], [tensor("scores", FLOAT)])
    with pytest.raises(error, match=what):
        session_for(gpu, path)
