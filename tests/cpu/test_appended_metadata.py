"""Metadata that Ultralytics appends to TensorFlow Lite files as an archive, hostile archives among them."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fuzz.read_tflite import FLOAT32, OPS, Writer

from desktop.compute.nn.frontends.appended import appended_file, described
from desktop.vision.models.labels import choose_labels, metadata_names
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize

SAID = {
    "description": "Ultralytics YOLOv8n-cls model trained on imagenette",
    "author": "Ultralytics",
    "stride": 32,
    "task": "classify",
    "imgsz": [96, 96],
    "names": {0: "tench", 1: "it's", 2: "truck"},
}


def archive(name: str, content: bytes | str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        file.writestr(name, content)
    return made.getvalue()


def classifier() -> bytes:
    """Three scores of a picture of 96 x 96."""
    w = Writer()
    x, y = w.tensor("x", (1, 96, 96, 3), FLOAT32), w.tensor("y", (1, 3), FLOAT32)
    pooled, flat, logits = (
        w.tensor(name, shape, FLOAT32) for name, shape in (("p", (1, 1, 1, 3)), ("f", (1, 3)), ("l", (1, 3)))
    )
    window = {"StrideW": 96, "StrideH": 96, "FilterWidth": 96, "FilterHeight": 96}
    w.operator(OPS.AVERAGE_POOL_2D, (x,), (pooled,), "Pool2D", Padding=1, **window)
    shape = w.tensor("shape", (2,), w_int32(), data=np.int32((1, 3)))
    w.operator(OPS.RESHAPE, (pooled, shape), (flat,), "Reshape")
    weights = w.tensor("w", (3, 3), FLOAT32, data=np.eye(3, dtype=np.float32))
    w.operator(OPS.FULLY_CONNECTED, (flat, weights, -1), (logits,), "FullyConnected")
    w.operator(OPS.SOFTMAX, (logits,), (y,), "Softmax", Beta=1.0)
    return w.packed((x,), (y,))


def w_int32() -> int:
    import tflite

    return int(tflite.TensorType.INT32)


@pytest.mark.parametrize(
    ("name", "content"),
    [("temp_meta.txt", str(SAID)), ("meta.txt", str(SAID)), ("metadata.json", json.dumps(SAID))],
)
def test_a_classifier_is_prepared_as_its_file_says(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / "n.tflite"
    path.write_bytes(classifier() + archive(name, content))
    file = ModelFile.open(path)
    found = recognize(file)
    assert found is not None and found.task.id == "classification"
    assert choose_labels(3, model=path, metadata=file.facts.metadata).names == ("tench", "it's", "truck")
    plan, _ = found.task.prepare(file, found.task.checked({}), {})
    assert (plan.scale, plan.mean, plan.std, plan.colors) == ("0..1", (0.0,) * 3, (1.0,) * 3, "RGB")


def test_without_an_archive_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "n.tflite"
    path.write_bytes(classifier())
    assert not metadata_names(ModelFile.open(path).facts.metadata)


def bomb() -> bytes:
    return archive("temp_meta.txt", b" " * (200 << 20))


def lying_bomb() -> bytes:
    """An archive that says its file is small."""
    data, large = bomb(), struct.pack("<I", 200 << 20)
    return data.replace(large, struct.pack("<I", 100))


def crowd() -> bytes:
    """More files than are listed, of which the end says that they are few."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for number in range(20_000):
            file.writestr(f"{number}", "")
        file.writestr("temp_meta.txt", str(SAID))
    data = bytearray(made.getvalue())
    at = data.rfind(b"PK\x05\x06")
    struct.pack_into("<HH", data, at + 8, 1, 1)
    return bytes(data)


HOSTILE = {
    "bomb": bomb,
    "lying bomb": lying_bomb,
    "crowd": crowd,
    "not UTF-8": lambda: archive("temp_meta.txt", b"\xff\xfe{'names': {0: 'a'}}"),
    "no dictionary": lambda: archive("temp_meta.txt", "[1, 2]"),
    "nothing": lambda: archive("temp_meta.txt", ""),
    "code": lambda: archive("temp_meta.txt", "{'names': {0: __import__('os').getcwd()}}"),
    "deep": lambda: archive("temp_meta.txt", "{'names': " + "[" * 100_000),
    "signs": lambda: archive("temp_meta.txt", "{'names': " + "-" * 400_000 + "1}"),
    "names without end": lambda: archive("temp_meta.txt", str({"names": {0: "a" * 400_000}})),
    "a class of a billion": lambda: archive("metadata.json", json.dumps({"names": {"1000000000": "a"}})),
    "digits without end": lambda: archive("temp_meta.txt", "{'names': {0: 0x" + "f" * 5000 + "}}"),
    "a number without end": lambda: archive("temp_meta.txt", "{'names': {0x" + "f" * 5000 + ": 'a'}}"),
    "damaged": lambda: archive("temp_meta.txt", str(SAID))[:40] + archive("x", "")[-22:],
    "another method": lambda: archive("temp_meta.txt", str(SAID), zipfile.ZIP_LZMA).replace(
        b"\x0e\x00", b"\x63\x00"
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_archive_says_nothing_and_takes_little(kind: str) -> None:
    data = classifier() + HOSTILE[kind]()
    tracemalloc.start()
    found = described(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "names" not in found
    assert most < 150 << 20


def test_names_of_another_kind_are_left_out() -> None:
    said = {**SAID, "names": {0: ["a"]}, "stride": {"a": 1}, "task": "x" * 5000, "imgsz": [1] * 9}
    found = described(archive("metadata.json", json.dumps(said)))
    assert set(found) == {"description", "author", "task"} and len(found["task"]) == 1000
    endless = "{'task': 'detect', 'stride': 0x" + "f" * 5000 + "}"
    assert described(archive("temp_meta.txt", endless)) == {"task": "detect"}


def test_the_first_name_that_is_there_counts() -> None:
    data = archive("labels.txt", "cat\n")
    assert appended_file(data, ("other.txt", "labels.txt"), 100) == b"cat\n"
    assert appended_file(data, ("labels.txt",), 2) is None
    assert appended_file(data, ("other.txt",), 100) is None
