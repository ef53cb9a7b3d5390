"""Files that are no ONNX networks: what is said of them, by whichever part meets them first."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from desktop.compute.backends.onnxruntime import OnnxRuntimeSession
from desktop.compute.media.sources.file_kinds import classify_drop
from desktop.compute.models.model_file import ModelFile
from desktop.compute.nn.frontends.formats import not_onnx
from desktop.compute.nn.frontends.onnx import read_model
from desktop.errors import ModelInvalidError

HEADS = {
    "a.tflite": (b"\x1c\0\0\0TFL3" + bytes(40), "TensorFlow Lite", "download"),
    "a.h5": (b"\x89HDF\r\n\x1a\n" + bytes(40), "Keras", "tf2onnx"),
    "a.safetensors": (b"\x40\0\0\0\0\0\0\0" + b'{"w":{}}' + bytes(40), "weights alone", "torch.onnx.export"),
    "a.ort": (b"\x20\0\0\0ORTM" + bytes(40), "ONNX Runtime's own", ".onnx file"),
    "lfs.onnx": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS", "git lfs pull"),
    "page.onnx": (b"<!DOCTYPE html><html></html>", "web page", "download"),
    "damaged.onnx": (b"\xff" * 60, "not a readable ONNX", "download"),
}


def written(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(HEADS[name][0])
    return path


def facts(path):
    return ModelFile.open(path).facts


@pytest.mark.parametrize("name", HEADS)
def test_the_sentence_names_the_format_and_what_to_do(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    _, kind, advice = HEADS[name]
    # onnxruntime reads its own format, and leaves TensorFlow Lite's to the engine.
    own = name in ("a.ort", "a.tflite")
    readers = (read_model, facts) if own else (read_model, facts, OnnxRuntimeSession.load)
    for read in readers:
        with pytest.raises(ModelInvalidError) as caught:
            read(path)
        assert name in str(caught.value)
        assert kind in str(caught.value)
        assert advice in str(caught.value)


def test_onnxruntime_names_the_backend_that_reads_tensorflow_lite(tmp_path: Path) -> None:
    with pytest.raises(ModelInvalidError, match=r"a TensorFlow Lite model, .* choose the backend wgpu"):
        OnnxRuntimeSession.load(written(tmp_path, "a.tflite"))


def test_a_pytorch_file_is_a_zip_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", b"")
    assert "a PyTorch file" in str(not_onnx(path, path.read_bytes()))


@pytest.mark.parametrize("suffix", [".tflite", ".pt", ".pth", ".safetensors", ".h5", ".keras", ".ort"])
def test_networks_of_other_formats_are_dropped_as_networks(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"PK\x03\x04" + bytes(60))
    assert classify_drop(path) == "model"
