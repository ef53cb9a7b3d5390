"""TensorFlow Lite files that are wrong, or more than the engine takes: one sentence each; and what a file
says of itself.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fuzz.read_tflite import FLOAT32, INT8, OPS, Writer, floats, integers

from desktop.base.errors import ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.compute.nn.compile.driver import build_graph
from desktop.compute.nn.frontends.sparse import densified
from desktop.compute.nn.frontends.tflite_reader import read_tflite
from desktop.compute.nn.measure.report import examine
from desktop.vision.models.labels import choose_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess


def written(folder: Path, data: bytes) -> Path:
    path = folder / "n.tflite"
    path.write_bytes(data)
    return path


def refused(folder: Path, data: bytes) -> str:
    with pytest.raises(ModelError) as caught:
        build_graph(written(folder, data))
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def two_tensors() -> tuple[Writer, int, int]:
    w = Writer()
    return w, w.tensor("x", (1, 4), FLOAT32), w.tensor("y", (1, 4), FLOAT32)


def test_a_cut_off_file(tmp_path: Path) -> None:
    data = floats()
    for length in (8, 40, len(data) // 4, len(data) // 2):
        assert "n.tflite is not a valid TensorFlow Lite model" in refused(tmp_path, data[:length])


def test_tensors_that_are_not_there(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    w.operator(OPS.TANH, (99,), (y,))
    assert "names a tensor that is not there" in refused(tmp_path, w.packed((x,), (y,)))


def test_what_nothing_computes(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    z = w.tensor("z", (1, 4), FLOAT32)
    w.operator(OPS.ADD, (x, z), (y,))
    assert "reads 'z', which nothing before it computes" in refused(tmp_path, w.packed((x,), (y,)))


def test_operators_in_a_circle(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    z = w.tensor("z", (1, 4), FLOAT32)
    w.operator(OPS.ADD, (x, y), (z,))
    w.operator(OPS.TANH, (z,), (y,))
    assert "reads 'y', which nothing before it computes" in refused(tmp_path, w.packed((x,), (y,)))


def test_what_is_computed_twice(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    w.operator(OPS.TANH, (x,), (y,))
    w.operator(OPS.ABS, (x,), (y,))
    assert "'y' is computed twice" in refused(tmp_path, w.packed((x,), (y,)))


def test_an_output_that_nothing_computes(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    z = w.tensor("z", (1, 4), FLOAT32)
    w.operator(OPS.TANH, (x,), (z,))
    assert "nothing computes an output" in refused(tmp_path, w.packed((x,), (y,)))


@pytest.mark.parametrize("shape", [(1 << 30, 1 << 30), (-1, 4), (1,) * 9])
def test_absurd_shapes(tmp_path: Path, shape: tuple[int, ...]) -> None:
    w = Writer()
    x, y = w.tensor("x", shape, FLOAT32), w.tensor("y", shape, FLOAT32)
    w.operator(OPS.TANH, (x,), (y,))
    assert "not a valid TensorFlow Lite model" in refused(tmp_path, w.packed((x,), (y,)))


def test_a_constant_of_another_size(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    c = w.tensor("c", (1, 4), FLOAT32, data=np.ones(3, np.float32))
    w.operator(OPS.ADD, (x, c), (y,))
    assert "'c' has 12 bytes for the shape [1, 4]" in refused(tmp_path, w.packed((x,), (y,)))


def test_a_result_that_would_fill_the_memory(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    times = w.tensor("times", (2,), 2, data=np.int32([1 << 20, 1 << 20]))
    w.operator(OPS.TILE, (x, times), (y,))
    assert "a result of shape" in refused(tmp_path, w.packed((x,), (y,)))


def test_a_scale_that_is_none(tmp_path: Path) -> None:
    w = Writer()
    x, y = (w.tensor(name, (1, 4), INT8, scale=float("inf")) for name in "xy")
    w.operator(OPS.TANH, (x,), (y,))
    assert "scales or zero points that are none" in refused(tmp_path, w.packed((x,), (y,)))


def test_operators_that_are_not_known_are_listed(tmp_path: Path) -> None:
    w, x, y = two_tensors()
    a, b = w.tensor("a", (1, 4), FLOAT32), w.tensor("b", (1, 4), FLOAT32)
    w.operator(OPS.HASHTABLE, (x,), (a,))
    w.operator(OPS.WHILE, (a,), (b,))
    w.operator(OPS.TANH, (b,), (y,))
    with pytest.raises(ModelUnsupportedError) as caught:
        build_graph(written(tmp_path, w.packed((x,), (y,))))
    assert "2 unsupported nodes: tflite.HASHTABLE, tflite.WHILE" in str(caught.value)


def test_a_shape_that_an_input_does_not_take(tmp_path: Path) -> None:
    with pytest.raises(ModelInvalidError, match="does not take the shape"):
        build_graph(written(tmp_path, floats()), input_shapes={"x": (1, 7, 6, 3)})


def test_sparse_levels_that_contradict_the_shape() -> None:
    network = read_tflite(floats(), Path("n.tflite"))
    sparse = next(tensor for tensor in network.tensors if tensor.name == "s")
    assert sparse.array is not None
    dense = np.zeros((2, 24), np.float32)
    dense[0, 5], dense[1, 0], dense[1, 23] = 1, 2, 3
    np.testing.assert_array_equal(sparse.array, dense)

    class Levels:
        """A level that says it is longer than the tensor."""

        def TraversalOrderAsNumpy(self) -> np.ndarray:
            return np.array([0, 1])

        def BlockMapAsNumpy(self) -> int:
            return 0

        def DimMetadataLength(self) -> int:
            return 2

        def DimMetadata(self, level: int) -> Levels:
            return self

        def Format(self) -> int:
            return 0

        def DenseSize(self) -> int:
            return 1 << 30

    with pytest.raises(ValueError, match="dense level"):
        densified(Levels(), np.ones(3, np.float32), (2, 24))


def test_metadata_and_labels_are_used(tmp_path: Path) -> None:
    file = ModelFile.open(written(tmp_path, floats()))
    assert choose_labels(2, model=file.path, metadata=file.facts.metadata).names == ("cat", "dog")
    preprocess = choose_preprocess(file.path, file.facts)[0]
    assert (preprocess.layout, preprocess.scale, preprocess.mean, preprocess.std) == (
        "NHWC", "0..255", (127.5,) * 3, (128.0,) * 3,
    )  # fmt: skip
    assert preprocess.colors == "RGB"
    assert file.facts.softmax


def test_pictures_of_signed_bytes(tmp_path: Path) -> None:
    file = ModelFile.open(written(tmp_path, integers()))
    preprocess = choose_preprocess(file.path, file.facts)[0]
    assert (preprocess.dtype, preprocess.scale, preprocess.mean) == ("int8", "0..255", (128.0,) * 3)


def test_the_report_of_a_file(tmp_path: Path) -> None:
    report = examine(written(tmp_path, floats()))
    assert report.operators["Conv"] == 1
    assert report.inputs[0].shape == (1, 6, 6, 3)
    assert not report.refused
    assert report.flops > 0
