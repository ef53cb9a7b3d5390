"""Files that are no ONNX networks: what is said of them, by whichever part meets them first."""

from __future__ import annotations

import zipfile
from pathlib import Path

import onnx
import pytest
from onnx import helper

from desktop.base.errors import ModelInvalidError
from desktop.compute.nn.frontends.formats import not_onnx
from desktop.compute.nn.frontends.onnx import read_model
from desktop.media.sources.file_kinds import classify_drop
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.model_file import ModelFile

HEADS = {
    "a.tflite": (b"\x1c\0\0\0TFL3" + bytes(40), "TensorFlow Lite", "download"),
    "a.h5": (b"\x89HDF\r\n\x1a\n" + bytes(40), "Keras", "tf2onnx"),
    "a.safetensors": (b"\x40\0\0\0\0\0\0\0" + b'{"w":{}}' + bytes(40), "weights alone", "torch.onnx.export"),
    "a.ort": (b"\x20\0\0\0ORTM" + bytes(40), "ONNX Runtime's own", ".onnx file"),
    "lfs.onnx": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS", "git lfs pull"),
    "page.onnx": (b"<!DOCTYPE html><html></html>", "web page", "download"),
    "a.pth": (b"\x80\x02}q\0" + bytes(40), "a PyTorch file", "torch.onnx.export"),
    "a.ckpt": (b"\xff" * 60, "a PyTorch file", "torch.onnx.export"),
    "pytorch_model.bin": (b"\xff" * 60, "weights alone", "torch.onnx.export"),
    "a.engine": (b"ftrt" + bytes(40), "a TensorRT engine", ".onnx file"),
    "yolo.plan": (b"\xff" * 60, "a TensorRT engine", ".onnx file"),
    "a.mlmodel": (b"\x08\x04\x12\x02\x0a\x00", "a Core ML network", "to ONNX"),
    "a.gguf": (b"GGUF\x03\0\0\0" + bytes(40), "llama.cpp", "to ONNX"),
    "a.pb": (
        b"\x0a\x20\x0a\x05input\x12\x0bPlaceholder*\x0a\x0a\x05dtype\x12\x01\x30",
        "TensorFlow graph",
        "tf2onnx",
    ),
    "renamed.onnx": (
        b"\x0a\x20\x0a\x05input\x12\x0bPlaceholder*\x0a\x0a\x05dtype\x12\x01\x30",
        "TensorFlow",
        "tf2onnx",
    ),
    "a.param": (b"7767517\n75 83\n", "ncnn", ".onnx file"),
    "a.ncnn.bin": (b"\xff" * 60, "ncnn", ".onnx file"),
    "a.xml": (b'<?xml version="1.0"?>\n<net name="m" version="11">', "OpenVINO", ".onnx file"),
    "a.pdmodel": (b"\xff" * 60, "Paddle", "paddle2onnx"),
    "a.caffemodel": (b"\x0a\x03net\xa2\x06\x00", "Caffe", "to ONNX"),
    "model.json": (b'{"format": "graph-model", "modelTopology": {}}', "TensorFlow.js", "tf2onnx"),
    "a.onnx_data": (b"\xff" * 60, "weights of an ONNX", ".onnx file"),
    "a.rknn": (b"RKNN" + bytes(40), "one device", ".onnx file"),
    "empty.onnx": (b"", "empty", "download"),
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


@pytest.mark.parametrize(
    ("record", "kind", "advice"),
    [
        ("a/data.pkl", "a PyTorch file", "torch.onnx.export"),
        ("model.weights.h5", "Keras", "tf2onnx"),
        ("hand_detector.tflite", "MediaPipe", "unpack"),
        ("a.mlpackage/Data/com.apple.CoreML/model.mlmodel", "Core ML", "to ONNX"),
        ("export/model.onnx", "an ONNX network in it", "unpack"),
        ("1/saved_model.pb", "SavedModel", "tf2onnx"),
    ],
)
def test_an_archive_is_named_by_what_is_in_it(tmp_path: Path, record: str, kind: str, advice: str) -> None:
    path = tmp_path / "a.onnx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(record, b"")
    with pytest.raises(ModelInvalidError) as caught:
        facts(path)
    assert kind in str(caught.value) and advice in str(caught.value)


@pytest.mark.parametrize(
    ("folder", "file", "kind"),
    [
        ("a.mlpackage", "Manifest.json", "Core ML"),
        ("saved", "saved_model.pb", "TensorFlow"),
        ("ir", "model.xml", "OpenVINO"),
        ("hub", "model.safetensors", "weights alone"),
        ("paddle", "inference.pdmodel", "Paddle"),
    ],
)
def test_a_folder_of_another_format_is_named(tmp_path: Path, folder: str, file: str, kind: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / file).write_bytes(b"")
    with pytest.raises(ModelInvalidError) as caught:
        ModelFile.open(tmp_path / folder)
    assert folder in str(caught.value) and kind in str(caught.value)


def test_a_network_without_nodes_is_still_one(tmp_path: Path) -> None:
    graph = helper.make_graph([], "g", [helper.make_tensor_value_info("x", 1, [1, 3, 8, 8])], [])
    path = tmp_path / "identity.onnx"
    onnx.save(helper.make_model(graph), path)
    with pytest.raises(ModelInvalidError, match="no input or no output"):
        facts(path)


@pytest.mark.parametrize(
    "suffix",
    [
        *(
            ".tflite",
            ".pt",
            ".pth",
            ".safetensors",
            ".h5",
            ".keras",
            ".ort",
            ".ckpt",
            ".engine",
            ".plan",
            ".gguf",
        ),
        *(".mlmodel", ".pb", ".param", ".bin", ".xml", ".pdmodel", ".caffemodel", ".task"),
    ],
)
def test_networks_of_other_formats_are_dropped_as_networks(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"PK\x03\x04" + bytes(60))
    assert classify_drop(path) == "model"
