"""Read a TensorFlow Lite file into frozen values. It is untrusted: counts and sizes are checked before use.

The `tflite` package checks offsets; checked here are small files that need much memory (lists that refer to
one table a million times, absurd shapes). Schema:
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import tflite

from desktop.base.errors import LightloomError, ModelInvalidError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.sparse import densified

LARGEST_TENSOR: Final = 2**30
_LARGEST_RANK: Final = 8
_MOST_TENSORS: Final = 100_000
_MOST_OPERATORS: Final = 20_000
_MOST_NAMES: Final = 256
"""Limit of the inputs or outputs of one operator, and of the network."""
_MOST_COPIED: Final = 1 << 26
"""Most bytes of names, scales, options and metadata, which are copied; overlapping tables could name more."""
_LONGEST_NAME: Final = 1 << 16
_MOST_SPARSE: Final = 1 << 29
"""Bytes of all dense tensors that are made of sparse ones."""
DAMAGE: Final = (
    struct.error,
    IndexError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    AttributeError,
    RecursionError,
    ZeroDivisionError,
    MemoryError,
    AssertionError,
)
"""Exceptions that the accessors raise on a damaged file."""

_DTYPES: Final = {
    tflite.TensorType.FLOAT32: "float32",
    tflite.TensorType.FLOAT16: "float16",
    tflite.TensorType.INT32: "int32",
    tflite.TensorType.UINT8: "uint8",
    tflite.TensorType.INT64: "int64",
    tflite.TensorType.BOOL: "bool",
    tflite.TensorType.INT16: "int16",
    tflite.TensorType.INT8: "int8",
    tflite.TensorType.FLOAT64: "float64",
    tflite.TensorType.UINT64: "uint64",
    tflite.TensorType.UINT32: "uint32",
    tflite.TensorType.UINT16: "uint16",
}
_QUANTIZED: Final = ("int8", "uint8", "int16", "int32", "int64")
_ACTIVATIONS: Final = ("int8", "uint8", "int16")
_CUSTOM: Final = tflite.BuiltinOperator.CUSTOM


def _names(enumeration: type) -> Mapping[int, str]:
    return {value: name for name, value in vars(enumeration).items() if isinstance(value, int)}


_OPERATORS: Final = _names(tflite.BuiltinOperator)
_OPTIONS: Final = _names(tflite.BuiltinOptions)


@dataclass(frozen=True)
class TensorScales:
    """Scales and zero points along `axis`: one of each, or one for each entry."""

    scales: np.ndarray
    zeros: np.ndarray
    axis: int


@dataclass(frozen=True)
class TfliteTensor:
    """A tensor of a network, of a unique name; `array` has the elements of a constant.

    `shape` is as in the file; `free` are the dimensions that a caller may set.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    free: tuple[int, ...] = ()
    array: np.ndarray | None = None
    quantized: TensorScales | None = None

    @property
    def is_integer(self) -> bool:
        """Return True for an activation with one scale, which the graph holds as integers."""
        given = self.quantized
        return (
            self.array is None
            and given is not None
            and self.dtype in _ACTIVATIONS
            and given.scales.size == 1
            and float(given.scales[0]) > 0
        )


@dataclass(frozen=True)
class OperatorOf:
    """An operator: name in the schema ('CUSTOM ' and its code), tensors by index (-1 for none), options."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Network:
    """Contents of a file."""

    tensors: tuple[TfliteTensor, ...]
    operators: tuple[OperatorOf, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    description: str = ""
    version: int = 0
    metadata: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def invalid(name: str, what: str) -> ModelInvalidError:
    """Return the error for a file that violates the format."""
    return ModelInvalidError(
        sentence(
            "{name} is not a valid TensorFlow Lite model: {what}; download or convert it again.",
            name=name,
            what=what,
        )
    )


@contextmanager
def at_fault(name: str) -> Iterator[None]:
    """Turn exceptions of the accessors (`DAMAGE`) into a ModelInvalidError that names the file."""
    try:
        yield
    except LightloomError:
        raise
    except DAMAGE as error:
        raise invalid(name, sentence("it is damaged or cut off")) from error


def is_tflite(data: bytes) -> bool:
    """Return True for bytes that begin as a TensorFlow Lite file."""
    return data[4:8] == b"TFL3"


def read_tflite(data: bytes, path: Path) -> Network:
    """Read a file's bytes; constants are views of them. `path` is for messages.

    Raises:
        ModelInvalidError: not a TensorFlow Lite file, or one that contradicts itself.
        ModelUnsupportedError: several networks that call each other, or unsupported types.
    """
    name = path.name
    if not is_tflite(data):
        raise invalid(name, sentence("it does not begin as one"))
    with at_fault(name):
        return _Reader(data, name).network()


class _Reader:
    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        self._model = tflite.Model.GetRootAsModel(data, 0)
        self._sparse = 0
        self._copied = 0

    def network(self) -> Network:
        model = self._model
        self._bounded(model.SubgraphsLength(), 64, "networks")
        self._bounded(model.BuffersLength(), _MOST_TENSORS, "buffers")
        self._bounded(model.OperatorCodesLength(), 4096, "kinds of operators")
        if model.SubgraphsLength() == 0:
            raise invalid(self._name, sentence("it holds no network"))
        graph = model.Subgraphs(0)
        self._bounded(graph.TensorsLength(), _MOST_TENSORS, "tensors")
        self._bounded(graph.OperatorsLength(), _MOST_OPERATORS, "operators")
        inputs = self._numbers(graph.InputsAsNumpy(), graph, _MOST_NAMES * 4)
        outputs = self._numbers(graph.OutputsAsNumpy(), graph, _MOST_NAMES * 4)
        if not graph.OperatorsLength() or not outputs:
            raise invalid(self._name, sentence("it holds no network"))
        operators = tuple(self._operator(graph, i) for i in range(graph.OperatorsLength()))
        return Network(
            self._tensors(graph, {*inputs, *outputs}),
            operators,
            inputs,
            outputs,
            self._text(model, 3),
            int(model.Version()),
            self._metadata(),
            self._signature(inputs, outputs),
        )

    def _bounded(self, count: int, most: int, what: str) -> None:
        if not 0 <= count <= min(most, len(self._data)):
            raise invalid(self._name, sentence("it has {count} {what}", count=count, what=what))

    def _spend(self, count: int) -> None:
        """Count bytes that are about to be copied, against the limit."""
        self._copied += count
        if not 0 <= count <= self._copied <= _MOST_COPIED:
            raise invalid(self._name, sentence("it names the same bytes too often"))

    def _text(self, table: Any, field: int) -> str:
        """Return the text in a table's field, given by index in the schema, cut to the longest name."""
        offset = int(table._tab.Offset(4 + 2 * field))
        if not offset:
            return ""
        at = int(table._tab.Indirect(table._tab.Pos + offset))
        (length,) = struct.unpack_from("<I", self._data, at)
        length = min(length, _LONGEST_NAME, len(self._data) - at - 4)
        self._spend(length + 32)
        return self._data[at + 4 : at + 4 + length].decode("utf-8", "replace")

    # -- tensors ---------------------------------------------------------------------------------------------

    def _tensors(self, graph: Any, ends: set[int]) -> tuple[TfliteTensor, ...]:
        """Return all tensors, with unique names; inputs and outputs keep theirs."""
        count = graph.TensorsLength()
        taken: set[str] = set()
        names = [""] * count
        for at in (*sorted(ends), *(at for at in range(count) if at not in ends)):
            wanted = self._text(graph.Tensors(at), 3) or f"tensor {at}"
            free = wanted not in taken and (at in ends or "#" not in wanted)
            names[at] = wanted if free else f"{wanted.replace('#', ' ')} ({at})"
            while names[at] in taken:
                names[at] += "'"
            taken.add(names[at])
        return tuple(self._tensor(graph.Tensors(at), names[at]) for at in range(count))

    def _tensor(self, tensor: Any, name: str) -> TfliteTensor:
        shape = tuple(int(n) for n in _array(tensor.ShapeAsNumpy())[: _LARGEST_RANK + 1])
        signature = [int(n) for n in _array(tensor.ShapeSignatureAsNumpy())[: _LARGEST_RANK + 1]]
        dtype = _DTYPES.get(tensor.Type(), "")
        if len(shape) > _LARGEST_RANK:
            raise invalid(
                self._name,
                sentence("the tensor '{name}' has {count} dimensions or more", name=name, count=len(shape)),
            )
        free = tuple(at for at, n in enumerate(signature) if n < 0) if len(signature) == len(shape) else ()
        return TfliteTensor(
            name,
            shape,
            dtype,
            free,
            self._constant(tensor, name, shape, dtype),
            self._quantized(tensor, dtype),
        )

    def _constant(self, tensor: Any, name: str, shape: tuple[int, ...], dtype: str) -> np.ndarray | None:
        data = self._bytes(tensor.Buffer(), name)
        if not len(data) or not dtype:
            return None
        if any(n < 0 for n in shape) or math.prod(shape) * 8 > LARGEST_TENSOR * 2:
            raise invalid(
                self._name,
                sentence(
                    "the constant '{tensor_name}' has the shape {dims}", tensor_name=name, dims=list(shape)
                ),
            )
        kind = np.dtype(dtype).newbyteorder("<")
        if tensor.Sparsity() is not None:
            self._sparse += math.prod(shape) * kind.itemsize
            if self._sparse > _MOST_SPARSE:
                raise invalid(
                    self._name,
                    sentence("its sparse tensors are of {size} MiB and more", size=self._sparse >> 20),
                )
            return densified(tensor.Sparsity(), np.frombuffer(data, kind), shape)
        if len(data) != math.prod(shape) * kind.itemsize:
            raise invalid(
                self._name,
                sentence(
                    "the constant '{tensor_name}' has {count} bytes for the shape {dims}",
                    tensor_name=name,
                    count=len(data),
                    dims=list(shape),
                ),
            )
        return np.frombuffer(data, kind).reshape(shape)

    def _bytes(self, index: int, name: str) -> memoryview:
        """Return a buffer's bytes, in the flatbuffer or behind it if the file is too large for one."""
        if index == 0:
            return memoryview(b"")  # empty by definition
        if not 0 <= index < self._model.BuffersLength():
            raise invalid(
                self._name, sentence("the data of '{name}' lie in a buffer that is not there", name=name)
            )
        buffer = self._model.Buffers(index)
        offset, size = (
            (int(n) for n in (buffer.Offset(), buffer.Size())) if hasattr(buffer, "Offset") else (0, 0)
        )
        if offset > 1:
            if size < 0 or offset + size > len(self._data):
                raise invalid(self._name, sentence("the data of '{name}' do not fit the file", name=name))
            return memoryview(self._data)[offset : offset + size]
        return _array(buffer.DataAsNumpy()).view(np.uint8).data

    def _quantized(self, tensor: Any, dtype: str) -> TensorScales | None:
        given = tensor.Quantization()
        if given is None or dtype not in _QUANTIZED or not given.ScaleLength():
            return None
        self._spend(12 * (given.ScaleLength() + given.ZeroPointLength()))
        scales = _array(given.ScaleAsNumpy()).astype(np.float32)
        zeros = _array(given.ZeroPointAsNumpy()).astype(np.int64)
        zeros = np.zeros(1, np.int64) if not zeros.size else zeros
        zeros = zeros[:1] if (zeros == zeros[0]).all() else zeros
        scales = scales[:1] if scales.size > 1 and (scales == scales[0]).all() and zeros.size == 1 else scales
        usable = bool(np.isfinite(scales).all() and (scales >= 0).all())
        bounds = np.iinfo(dtype)
        if not usable or zeros.min() < bounds.min or zeros.max() > bounds.max:
            raise invalid(
                self._name,
                sentence(
                    "the tensor '{name}' has scales or zero points that are none", name=self._text(tensor, 3)
                ),
            )
        return TensorScales(scales, zeros, int(given.QuantizedDimension()))

    # -- operators -------------------------------------------------------------------------------------------

    def _numbers(self, array: Any, graph: Any, most: int) -> tuple[int, ...]:
        numbers = _array(array)
        self._bounded(numbers.size, most, "inputs or outputs")
        found = tuple(int(n) for n in numbers)
        if any(not -1 <= n < graph.TensorsLength() for n in found):
            raise invalid(self._name, sentence("an operator names a tensor that is not there"))
        return found

    def _operator(self, graph: Any, index: int) -> OperatorOf:
        operator = graph.Operators(index)
        which = operator.OpcodeIndex()
        if not 0 <= which < self._model.OperatorCodesLength():
            raise invalid(self._name, sentence("an operator is of a kind that is not there"))
        kind = self._model.OperatorCodes(which)
        code = max(int(kind.BuiltinCode()), int(kind.DeprecatedBuiltinCode()))
        name = _OPERATORS.get(code, f"operator {code}")
        options = self._options(operator)
        if code == _CUSTOM:
            name = f"CUSTOM {self._text(kind, 1)[:80]}"
            given = _array(operator.CustomOptionsAsNumpy()).view(np.uint8)
            self._spend(given.size)
            options = {"custom": given.tobytes()}
        inputs = self._numbers(operator.InputsAsNumpy(), graph, _MOST_NAMES)
        outputs = self._numbers(operator.OutputsAsNumpy(), graph, _MOST_NAMES)
        return OperatorOf(name, inputs, outputs, options)

    def _options(self, operator: Any) -> dict[str, Any]:
        """Return the fields of an operator's options, by the schema's names; lists as arrays."""
        kind = getattr(tflite, _OPTIONS.get(operator.BuiltinOptionsType(), ""), None)
        table = operator.BuiltinOptions()
        if table is None or kind is None or not operator.BuiltinOptionsType():
            return {}
        options = kind()
        options.Init(table.Bytes, table.Pos)
        found: dict[str, Any] = {}
        for each, method in vars(kind).items():
            if each.startswith(("Init", "GetRoot")) or not hasattr(method, "__code__"):
                continue
            if method.__code__.co_argcount == 1 and not each.endswith(("Length", "IsNone")):
                value = getattr(options, each)()
                found[each.removesuffix("AsNumpy")] = _array(value) if each.endswith("AsNumpy") else value
        return found

    # -- beside the network ----------------------------------------------------------------------------------

    def _metadata(self) -> dict[str, bytes]:
        """Return the buffers that the file names, if they are small enough to be descriptions."""
        self._bounded(self._model.MetadataLength(), 1024, "pieces of metadata")
        found = {}
        for at in range(self._model.MetadataLength()):
            entry = self._model.Metadata(at)
            data = self._bytes(entry.Buffer(), "metadata") if entry.Buffer() > 0 else memoryview(b"")
            if len(data) <= 1 << 20:
                self._spend(len(data))
                found[self._text(entry, 0)] = bytes(data)
        return found

    def _signature(self, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> dict[str, str]:
        """Return the first signature's names of inputs and outputs, by tensor index as text; '' if none."""
        found: dict[str, str] = {}
        self._bounded(self._model.SignatureDefsLength(), 64, "signatures")
        if not self._model.SignatureDefsLength():
            return found
        signature = self._model.SignatureDefs(0)
        for count, get in (
            (signature.InputsLength(), signature.Inputs),
            (signature.OutputsLength(), signature.Outputs),
        ):
            self._bounded(count, _MOST_NAMES * 4, "names")
            for at in range(count):
                entry = get(at)
                found[str(entry.TensorIndex())] = self._text(entry, 0)
        return found


def _array(value: Any) -> np.ndarray:
    """Return a vector of the file; the accessors give 0 if there is none."""
    return value if isinstance(value, np.ndarray) else np.zeros(0, np.uint8)
