"""Unsupported formats: what a file or folder is, by its first bytes, else its name, and advice to users."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop.base.wording import Text, sentence

_ZIP: Final = b"PK\x03\x04"
_HEAD: Final = 4096
"""Bytes that are examined."""


@dataclass(frozen=True)
class UnsupportedFormat:
    """A format that is not read.

    Attributes:
        name: 'a Keras or HDF5 file'.
        advice: what to do instead; it goes on after a semicolon.
        suffixes: of its files and folders.
        marks: (offset, bytes), one of which its files have; `text`: bytes at the start of its text files.
        records: parts of names in its zip archives, any of them.
    """

    name: str
    advice: str
    suffixes: tuple[str, ...] = ()
    marks: tuple[tuple[int, bytes], ...] = ()
    text: tuple[bytes, ...] = ()
    records: tuple[str, ...] = ()

    def marks_it(self, head: bytes) -> bool:
        """Tell whether a file begins as its files do."""
        marked = any(head[at : at + len(mark)] == mark for at, mark in self.marks)
        return marked or any(text in head for text in self.text)

    def refusal(self, name: str) -> Text:
        """Return the sentence that refuses a file or folder of a name."""
        return sentence(
            "{name} is {each_name}, not an ONNX network; {advice}.",
            name=name,
            each_name=self.name,
            advice=self.advice,
        )


_TF2ONNX: Final = sentence("convert it with tf2onnx")
_ORIGINAL: Final = sentence("use the .onnx file that it was made from")
_TORCH: Final = sentence(
    "export it with torch.onnx.export, or save the network with torch.export.save or torch.jit.save"
)
_TFLITE: Final = UnsupportedFormat(
    sentence("a TensorFlow Lite model"),
    sentence("choose the backend wgpu, which reads it"),
    marks=((4, b"TFL3"),),
)
UNSUPPORTED: Final = (
    _TFLITE,
    UnsupportedFormat(
        sentence("a Keras or HDF5 file"),
        _TF2ONNX,
        (".h5", ".hdf5", ".keras"),
        ((0, b"\x89HDF\r\n\x1a\n"),),
        records=("model.weights.h5",),
    ),
    UnsupportedFormat(
        sentence("a task bundle of MediaPipe's"),
        sentence("unpack it as a zip archive and open a .tflite file of it"),
        (".task",),
        records=(".tflite",),
    ),
    UnsupportedFormat(
        sentence("a Core ML network"),
        sentence("export the network that it was made from to ONNX"),
        (".mlmodel", ".mlpackage", ".mlmodelc"),
        records=(".mlmodel",),
    ),
    UnsupportedFormat(
        sentence("an archive with an ONNX network in it"),
        sentence("unpack it and open the .onnx file"),
        records=(".onnx",),
    ),
    # torch.save writes a zip archive, before 1.6 a pickle. Unpickling would run whatever it names.
    UnsupportedFormat(
        sentence("a PyTorch file of pickled objects, which may be any program"),
        _TORCH,
        (".pt", ".pth", ".ckpt", ".pkl", ".joblib"),
        ((0, _ZIP), (0, b"\x80\x02"), (0, b"\x80\x04"), (0, b"\x80\x05")),
    ),
    UnsupportedFormat(
        sentence("a file of weights alone (safetensors)"),
        sentence("export the network with torch.onnx.export, or with optimum-cli export onnx"),
        (".safetensors",),
        ((8, b'{"'),),
    ),
    UnsupportedFormat(
        sentence("a file of weights alone"),
        sentence("export the network that they are of with torch.onnx.export"),
        (".bin", ".npz", ".npy", ".msgpack"),
        ((0, b"\x93NUMPY"),),
    ),
    UnsupportedFormat(
        sentence("a TensorRT engine, which is made for one kind of GPU"),
        _ORIGINAL,
        (".engine", ".plan", ".trt"),
        ((0, b"ftrt"), (0, b"ptrt"), (4, b'{"description": "Ultralytics')),
    ),
    UnsupportedFormat(
        sentence("a file of weights for llama.cpp (GGUF)"),
        sentence("export the network that they are of to ONNX"),
        (".gguf", ".ggml"),
        ((0, b"GGUF"), (0, b"lmgg")),
    ),
    UnsupportedFormat(
        sentence("in ONNX Runtime's own format"),
        _ORIGINAL,
        (".ort",),
        ((4, b"ORTM"),),
    ),
    UnsupportedFormat(
        sentence("the weights of an ONNX network"),
        sentence("open the .onnx file that they belong to"),
        (".onnx_data", ".onnx.data"),
    ),
    UnsupportedFormat(
        sentence("an ncnn network"),
        _ORIGINAL,
        (".param", ".ncnn.bin"),
        ((0, b"7767517"),),
    ),
    UnsupportedFormat(
        sentence("an OpenVINO network"),
        _ORIGINAL,
        (".xml",),
        text=(b"<net name=",),
    ),
    UnsupportedFormat(
        sentence("a TensorFlow graph or SavedModel"),
        sentence("convert it with tf2onnx, or to a .tflite file"),
        (".pb", ".pbtxt", ".meta"),
        text=(b"\x0bPlaceholder",),
        records=("saved_model.pb",),
    ),
    UnsupportedFormat(
        sentence("a TensorFlow.js network"),
        sentence("convert the network that it was made from with tf2onnx"),
        (".tfjs",),
        text=(b'"modelTopology"', b'"weightsManifest"'),
    ),
    UnsupportedFormat(
        sentence("a Paddle network"),
        sentence("convert it with paddle2onnx"),
        (".pdmodel", ".pdiparams", ".pdparams", ".nb"),
    ),
    UnsupportedFormat(
        sentence("a Caffe network"),
        sentence("convert it to ONNX, with caffe2onnx for instance"),
        (".caffemodel", ".prototxt"),
    ),
    UnsupportedFormat(
        sentence("a Darknet network"),
        sentence("convert it to ONNX with its project's own script"),
        (".weights", ".cfg"),
        text=(b"[net]\n", b"[net]\r\n"),
    ),
    UnsupportedFormat(
        sentence("a network compiled for one device"),
        _ORIGINAL,
        (".mnn", ".rknn", ".hef", ".om", ".dlc", ".tmfile", ".ms", ".blob", ".kmodel", ".cvimodel", ".pte"),
        ((0, b"RKNN"), (0, b"\x01HEF")),
    ),
    UnsupportedFormat(
        sentence("a pointer of Git LFS"),
        sentence("fetch the file itself with 'git lfs pull'"),
        marks=((0, b"version https://git-lfs"),),
    ),
    UnsupportedFormat(
        sentence("a web page"),
        sentence("download the file that the page leads to"),
        marks=((0, b"<!DOCTYPE"), (0, b"<!doctype"), (0, b"<html")),
    ),
    UnsupportedFormat(
        sentence("a packed archive"),
        sentence("unpack it and open the network in it"),
        (".tar", ".tgz", ".gz", ".7z", ".rar", ".zip"),
        ((0, b"\x1f\x8b"), (0, b"7z\xbc\xaf"), (0, b"Rar!"), (257, b"ustar")),
    ),
)
"""In the order in which they are asked: of zip archives those first whose records tell them."""


def unsupported_format(path: Path, data: bytes) -> UnsupportedFormat | None:
    """Return the unsupported format of a file by its bytes, else by its name; None if neither tells."""
    if data.startswith(_ZIP):
        records = _records(data)
        found = next((each for each in UNSUPPORTED if _holds(records, each.records)), None)
        if found is not None:
            return found
    head = data[:_HEAD]
    marked = next((each for each in UNSUPPORTED if each.marks_it(head)), None)
    return marked or named_format(path.name)


def named_format(name: str) -> UnsupportedFormat | None:
    """Return the format that a file's or folder's name tells; None where it tells none."""
    lower = name.lower()
    suited = [(len(end), each) for each in UNSUPPORTED for end in each.suffixes if lower.endswith(end)]
    return max(suited, key=lambda found: found[0], default=(0, None))[1]


def _holds(names: Iterable[str], parts: tuple[str, ...]) -> bool:
    return any(part in name for name in names for part in parts)


def _records(data: bytes) -> tuple[str, ...]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return tuple(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError):
        return ()
