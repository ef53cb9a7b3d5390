"""TensorFlow Lite files: what is read of them, their import, and the shapes and rewrites of what they are
spelt in; nothing is computed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import flatbuffers
import numpy as np
import tflite
from flatbuffers import flexbuffers

from desktop.base.errors import LightloomError
from desktop.compute.nn.compile.driver import build_graph
from desktop.pipeline.running.inputs.input_facts import read_input_facts
from desktop.vision.models.builtin import read_statement
from desktop.vision.models.labels import choose_labels, metadata_names
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.common.dense import DenseRequest, plan_dense
from fuzz.harness import Harness
from fuzz.material import shared, written

FLOAT32, INT32, INT8 = tflite.TensorType.FLOAT32, tflite.TensorType.INT32, tflite.TensorType.INT8


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "n.tflite", data)
    said: LightloomError | None = None
    for reader in (
        _facts,
        _dense,
        build_graph,
        lambda path: build_graph(path, input_shapes={"x": (1, 6, 6, 3)}),
    ):
        try:
            reader(path)
        except LightloomError as error:
            said = error
    if said is not None:
        raise said


def _dense(path: Path) -> None:
    plan_dense(path, (64, 48), read_statement(path), DenseRequest("image"))


def _facts(path: Path) -> None:
    read_input_facts(path)
    facts = ModelFile.open(path).facts
    recognize_facts(facts)
    metadata_names(facts.metadata)
    choose_labels(facts.classes, model=path, metadata=facts.metadata)
    choose_preprocess(path, facts)


class Writer:
    """A file with one network, written with the accessors' own builders."""

    def __init__(self) -> None:
        self.builder = flatbuffers.Builder(1024)
        self.buffers = [self.table("Buffer")]
        self.tensors: list[int] = []
        self.codes: list[int] = []
        self.operators: list[int] = []

    def table(self, kind: str, **fields: Any) -> int:
        getattr(tflite, f"{kind}Start")(self.builder)
        for name, value in fields.items():
            getattr(tflite, f"{kind}Add{name}")(self.builder, value)
        return int(getattr(tflite, f"{kind}End")(self.builder))

    def numbers(self, values: Any, dtype: str = "int32") -> int:
        return int(self.builder.CreateNumpyVector(np.asarray(values, dtype).reshape(-1)))

    def tables(self, offsets: Sequence[int]) -> int:
        self.builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            self.builder.PrependUOffsetTRelative(offset)
        return int(self.builder.EndVector())

    def buffer(self, data: bytes) -> int:
        self.buffers.append(self.table("Buffer", Data=self.numbers(np.frombuffer(data, np.uint8), "uint8")))
        return len(self.buffers) - 1

    def tensor(
        self,
        name: str,
        shape: Sequence[int],
        kind: int,
        *,
        data: Any = None,
        scale: float = 0.0,
        sparse: int = 0,
    ) -> int:
        fields: dict[str, Any] = {"Shape": self.numbers(shape), "Name": self.builder.CreateString(name)}
        if data is not None:
            fields["Buffer"] = self.buffer(np.asarray(data).tobytes())
        if scale:
            scales, zeros = self.numbers([scale], "float32"), self.numbers([3], "int64")
            fields["Quantization"] = self.table("QuantizationParameters", Scale=scales, ZeroPoint=zeros)
        if sparse:
            fields["Sparsity"] = sparse
        self.tensors.append(self.table("Tensor", Type=kind, **fields))
        return len(self.tensors) - 1

    def operator(
        self,
        code: int,
        inputs: Sequence[int],
        outputs: Sequence[int],
        options: str = "",
        custom: bytes = b"",
        **fields: Any,
    ) -> None:
        extra: dict[str, Any] = (
            {"CustomCode": self.builder.CreateString("TFLite_Detection_PostProcess")} if custom else {}
        )
        self.codes.append(
            self.table("OperatorCode", BuiltinCode=code, DeprecatedBuiltinCode=min(code, 127), **extra)
        )
        given: dict[str, Any] = {"Inputs": self.numbers(inputs), "Outputs": self.numbers(outputs)}
        if options:
            given["BuiltinOptions"] = self.table(f"{options}Options", **fields)
            given["BuiltinOptionsType"] = getattr(tflite.BuiltinOptions, f"{options}Options")
        if custom:
            given["CustomOptions"] = self.numbers(np.frombuffer(custom, np.uint8), "uint8")
        self.operators.append(self.table("Operator", OpcodeIndex=len(self.codes) - 1, **given))

    def packed(self, inputs: Sequence[int], outputs: Sequence[int], metadata: bytes = b"") -> bytes:
        extra: dict[str, Any] = {}
        if metadata:
            name = self.builder.CreateString("TFLITE_METADATA")
            extra["Metadata"] = self.tables([self.table("Metadata", Name=name, Buffer=self.buffer(metadata))])
        graph = {
            "Tensors": self.tables(self.tensors),
            "Inputs": self.numbers(inputs),
            "Outputs": self.numbers(outputs),
            "Operators": self.tables(self.operators),
        }
        graphs = self.tables([self.table("SubGraph", **graph)])
        fields = {
            "Buffers": self.tables(self.buffers),
            "OperatorCodes": self.tables(self.codes),
            "Subgraphs": graphs,
        }
        self.builder.Finish(self.table("Model", Version=3, **fields, **extra), b"TFL3")
        return bytes(self.builder.Output())


OPS = tflite.BuiltinOperator


def floats() -> bytes:
    """Convolution, pool, slice, reshape, softmax, and a sparse constant."""
    w = Writer()
    x = w.tensor("x", (1, 6, 6, 3), FLOAT32)
    half = w.tensor("h", (4, 1, 1, 3), tflite.TensorType.FLOAT16, data=np.ones(12, np.float16))
    weights = w.tensor("w", (4, 1, 1, 3), FLOAT32)
    bias = w.tensor("bias", (4,), FLOAT32, data=np.ones(4, np.float32))
    w.operator(OPS.DEQUANTIZE, (half,), (weights,), "Dequantize")
    a, b, c, d, e, y = (
        w.tensor(name, shape, FLOAT32)
        for name, shape in (
            ("a", (1, 6, 6, 4)), ("b", (1, 3, 3, 4)), ("c", (1, 2, 3, 4)), ("d", (1, 24)), ("e", (1, 2)), ("y", (1, 2)),
        )
    )  # fmt: skip
    numbers = [
        w.tensor(f"n{i}", (4,), INT32, data=np.int32(v))
        for i, v in enumerate(((0, 1, 0, 0), (1, 3, 3, 4), (1, 1, 1, 1)))
    ]
    sparse = w.tensor("s", (2, 24), FLOAT32, data=np.float32([1, 2, 3]), sparse=_sparsity(w))
    w.operator(
        OPS.CONV_2D,
        (x, weights, bias),
        (a,),
        "Conv2D",
        Padding=0,
        StrideW=1,
        StrideH=1,
        FusedActivationFunction=3,
    )
    w.operator(
        OPS.MAX_POOL_2D, (a,), (b,), "Pool2D", Padding=1, StrideW=2, StrideH=2, FilterWidth=2, FilterHeight=2
    )
    w.operator(OPS.STRIDED_SLICE, (b, *numbers), (c,), "StridedSlice", BeginMask=1)
    w.operator(OPS.RESHAPE, (c, w.tensor("shape", (2,), INT32, data=np.int32((1, -1)))), (d,), "Reshape")
    w.operator(OPS.FULLY_CONNECTED, (d, sparse, -1), (e,), "FullyConnected")
    w.operator(OPS.SOFTMAX, (e,), (y,), "Softmax", Beta=1.0)
    return w.packed((x,), (y,), _metadata()) + _archive()


def _sparsity(w: Writer) -> int:
    def vector(values: Sequence[int]) -> int:
        return w.table("Uint8Vector", Values=w.numbers(values, "uint8"))

    kind = tflite.SparseIndexVector.Uint8Vector
    rows = w.table("DimensionMetadata", Format=0, DenseSize=2)
    columns = w.table(
        "DimensionMetadata", Format=1, ArraySegmentsType=kind, ArraySegments=vector((0, 1, 3)),
        ArrayIndicesType=kind, ArrayIndices=vector((5, 0, 23)),
    )  # fmt: skip
    return w.table(
        "SparsityParameters", TraversalOrder=w.numbers((0, 1)), DimMetadata=w.tables((rows, columns))
    )


def integers() -> bytes:
    """Eight bits: depthwise convolution, addition, resizing, mean, and boxes with options of their own."""
    w = Writer()
    x = w.tensor("x", (1, 6, 6, 3), INT8, scale=0.1)
    weights = w.tensor("w", (1, 2, 2, 3), INT8, data=np.arange(12, dtype=np.int8), scale=0.02)
    a, b, c = (w.tensor(name, (1, 6, 6, 3), INT8, scale=0.07) for name in "abc")
    d = w.tensor("d", (1, 3), INT8, scale=0.1)
    real, again = w.tensor("real", (1, 3), FLOAT32), w.tensor("again", (1, 3), INT8, scale=0.2)
    w.operator(
        OPS.DEPTHWISE_CONV_2D,
        (x, weights, -1),
        (a,),
        "DepthwiseConv2D",
        StrideW=1,
        StrideH=1,
        DepthMultiplier=1,
    )
    w.operator(OPS.ADD, (a, x), (b,), "Add", FusedActivationFunction=1)
    w.operator(
        OPS.RESIZE_BILINEAR,
        (b, w.tensor("size", (2,), INT32, data=np.int32((6, 6)))),
        (c,),
        "ResizeBilinear",
        HalfPixelCenters=True,
    )
    w.operator(OPS.MEAN, (c, w.tensor("axes", (2,), INT32, data=np.int32((1, 2)))), (d,), "Reducer")
    w.operator(OPS.DEQUANTIZE, (d,), (real,), "Dequantize")
    w.operator(OPS.QUANTIZE, (real,), (again,), "Quantize")
    boxes, scores = w.tensor("boxes", (1, 5, 4), FLOAT32), w.tensor("scores", (1, 5, 3), FLOAT32)
    anchors = w.tensor("anchors", (5, 4), FLOAT32, data=np.ones(20, np.float32))
    results = [w.tensor(f"r{i}", (), FLOAT32) for i in range(4)]
    options = {
        "max_detections": 3, "max_classes_per_detection": 1, "num_classes": 2, "use_regular_nms": True,
        "detections_per_class": 4, "nms_score_threshold": 0.1, "nms_iou_threshold": 0.5,
        "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0,
    }  # fmt: skip
    w.operator(OPS.CUSTOM, (boxes, scores, anchors), results, custom=bytes(flexbuffers.Dumps(options)))
    return w.packed((x, boxes, scores), (again, *results))


def _metadata() -> bytes:
    """Normalization of the input, and a file of labels for the output, as metadata_schema.fbs orders their
    fields.
    """
    b = flatbuffers.Builder(256)

    def table(**fields: tuple[str, Any]) -> int:
        b.StartObject(8)
        for slot, (kind, value) in fields.items():
            at = int(slot.removeprefix("f"))
            b.PrependInt8Slot(at, value, 0) if kind == "byte" else b.PrependUOffsetTRelativeSlot(at, value, 0)
        return int(b.EndObject())

    def tables(*offsets: int) -> int:
        b.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            b.PrependUOffsetTRelative(offset)
        return int(b.EndVector())

    mean, std = (b.CreateNumpyVector(np.float32([n])) for n in (127.5, 128.0))
    unit = table(f0=("byte", 1), f1=("offset", table(f0=("offset", mean), f1=("offset", std))))
    content = table(f0=("byte", 2), f1=("offset", table(f0=("byte", 1))))
    inputs = tables(table(f3=("offset", content), f4=("offset", tables(unit))))
    file = table(f0=("offset", b.CreateString("labels.txt")), f2=("byte", 2))
    outputs = tables(table(f6=("offset", tables(file))))
    graph = table(f2=("offset", inputs), f3=("offset", outputs))
    b.Finish(table(f3=("offset", tables(graph))), b"M001")
    return bytes(b.Output())


def _archive() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("labels.txt", "cat\ndog\n")
    return made.getvalue()


def _seeds(folder: Path) -> list[bytes]:
    return [floats(), integers(), *shared("models/tflite/*.tflite", largest=200_000)]


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"TFL3",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f",
        b"\x00\x00\x00\x80",
        b"\x00\x00\x00\x00",
        b"\x01\x00\x00\x00",
        b"\x00\x00\x80\x7f",
        b"\x00\x00\xc0\x7f",
        b"PK\x05\x06",
        b"TFLITE_METADATA",
    ),
    memory_mb=1500,
    largest=1 << 18,
)
