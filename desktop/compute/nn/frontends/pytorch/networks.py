"""Networks of PyTorch's files as callables. Imports PyTorch when one is loaded.

TorchScript runs in PyTorch's interpreter, but a method `__setstate__` runs at loading, and two operators open
files (`torch.save`, `torch.from_file`). So files with such a method, with objects of C++ classes or with
tensors longer than their data are refused before loading. Of the loaded network, each operator that `forward`
calls, with functions inlined, must only compute. Hooks of the outermost module would also run, so they are
refused. It may run for ever: `trial.py` runs it first in another process.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.pytorch.archive import EXPORTED, Archive
from desktop.compute.nn.frontends.pytorch.element_types import element_types
from desktop.compute.nn.frontends.pytorch.exported import (
    DTYPES,
    Call,
    ExportedGraph,
    Stored,
    is_harmless,
    read_exported,
)
from desktop.compute.nn.frontends.pytorch.pickled import check_lengths

_HARMLESS: Final = frozenset(
    f"prim::{name}"
    for name in (
        "Constant", "GetAttr", "If", "Loop", "ListConstruct", "TupleConstruct", "DictConstruct", "ListUnpack", "TupleUnpack",
        "TupleIndex", "TupleSlice", "ListIndex", "RaiseException", "NumToTensor", "Uninitialized", "unchecked_cast", "isinstance",
        "unchecked_unwrap_optional", "device", "dtype", "layout", "is_cuda", "is_cpu", "is_mps", "is_sparse", "is_quantized", "is_nested",
        "max", "min", "abs", "rangelist", "tolist", "data", "requires_grad", "type", "index", "itemsize", "EnumValue", "ConstantChunk",
    )
)  # fmt: skip
"""Permitted built-in TorchScript operators: none that set attributes, print, call Python or use a network."""


@dataclass(frozen=True)
class TorchNetwork:
    """A loaded network.

    Attributes:
        dtype: PyTorch's name of the type of its floats; `dtypes` are those of the inputs.
        call: takes tensors on the device in the order of `inputs`; returns tensors by output name.
        graph: the shapes of an exported program; None for TorchScript, which states none.
    """

    inputs: tuple[str, ...]
    dtype: str
    dtypes: tuple[str, ...]
    call: Callable[..., dict[str, Any]]
    graph: ExportedGraph | None = None


def load_network(data: bytes, kind: str, name: str, device: str) -> TorchNetwork:
    """Load an archive onto a device; raise ModelInvalidError if damaged, RuntimeError if PyTorch fails.

    Raises ModelUnsupportedError for contents that are not accepted from untrusted files.
    """
    archive = Archive.open(data, name)
    if kind == EXPORTED:
        return _exported(archive, device)
    return _script(archive, device)


def _refused(name: str, what: str) -> ModelUnsupportedError:
    return ModelUnsupportedError(
        sentence(
            "{name} can't be run: {what}; export the network with torch.export.save, or as ONNX.",
            name=name,
            what=what,
        ),
        (what,),
    )


# -- TorchScript ---------------------------------------------------------------------------------------------


def _script(archive: Archive, device: str) -> TorchNetwork:
    import torch

    _check_records(archive)
    check_lengths(archive)
    module = torch.jit.load(io.BytesIO(archive.rewritten()), map_location=device).eval()
    if not hasattr(module, "forward"):
        raise _refused(archive.name, sentence("it has no 'forward'"))
    if module._c._get_forward_hooks() or module._c._get_forward_pre_hooks():
        raise _refused(archive.name, sentence("it runs programs before or after it (hooks)"))
    _check_graph(archive.name, module.inlined_graph)
    inputs = []
    for argument in module.forward.schema.arguments[1:]:
        if str(argument.type) == "Tensor" and not argument.has_default_value():
            inputs.append(str(argument.name))
        elif not argument.has_default_value():
            raise _refused(archive.name, sentence("it takes something that is no tensor"))
    if not inputs:
        raise _refused(archive.name, sentence("it has no input or no output"))
    floats = (p.dtype for p in (*module.parameters(), *module.buffers()) if p.dtype.is_floating_point)
    dtype = str(next(floats, torch.float32)).removeprefix("torch.")

    def call(*tensors: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, tensor in _flat(module.forward(*tensors), "output"):
            while name in found:  # two dictionaries may have the same keys
                name += "_"
            found[name] = tensor
        return found

    dtypes = element_types(module.inlined_graph, dtype)[: len(inputs)]
    return TorchNetwork(tuple(inputs), dtype, dtypes, call)


def _check_records(archive: Archive) -> None:
    """Refuse what would run while the file is loaded."""
    if "model.json" in archive.names:
        # PyTorch would read that and not the records that are examined here.
        raise _refused(archive.name, sentence("it is of a PyTorch before 1.6"))
    for name in archive.names:
        if name.startswith("code/") and name.endswith(".py") and b"__setstate__" in archive.read(name):
            raise _refused(archive.name, sentence("it runs a program while it is loaded (__setstate__)"))
        # A pickle names a class in two lines, or in one.
        if name.endswith(".pkl") and b"torch.classes" in archive.read(name).replace(b"\n", b"."):
            raise _refused(archive.name, sentence("it holds objects of C++ classes, as quantized ones do"))


def _check_graph(name: str, graph: Any) -> None:
    for node in _nodes(graph):
        kind = str(node.kind())
        space, _, operator = kind.partition("::")
        if kind not in _HARMLESS and not (space == "aten" and is_harmless(operator)):
            raise _refused(name, sentence("it calls '{target}'", target=kind[:80]))


def _nodes(block: Any) -> Iterator[Any]:
    waiting = [block]
    while waiting:
        for node in waiting.pop().nodes():
            yield node
            waiting.extend(node.blocks())


def _flat(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The tensors of what a network gives, with a name for each: those of dictionaries are their keys."""
    import torch

    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flat(each, str(key))
    elif isinstance(value, (tuple, list)):
        for at, each in enumerate(value):
            yield from _flat(each, f"{name}{at}" if len(value) > 1 else name)


# -- exported programs ---------------------------------------------------------------------------------------


def _exported(archive: Archive, device: str) -> TorchNetwork:
    graph = read_exported(archive)
    program = _Program(archive, graph, device)
    names, dtypes = (info.name for info in graph.inputs), tuple(info.dtype for info in graph.inputs)
    return TorchNetwork(tuple(names), dtypes[0], dtypes, program, graph)


class _Program:
    """Calls an exported graph's operators in order, as `ExportedProgram.module()`; frees values after use."""

    def __init__(self, archive: Archive, graph: ExportedGraph, device: str) -> None:
        import torch

        self._torch, self._device, self._graph = torch, torch.device(device), graph
        records: dict[tuple[str, str], Any] = {}
        self._constants = {
            name: self._tensor(archive, stored, records) for name, stored in graph.constants.items()
        }
        self._steps = [(self._operator(call, archive.name), call) for call in graph.calls]
        last = {name: at for at, call in enumerate(graph.calls) for name in _read_by(call)}
        kept = {info.name for info in graph.outputs}
        self._ends: list[list[str]] = [[] for _ in graph.calls]
        for name, at in last.items():
            if name not in kept:
                self._ends[at].append(name)

    def _tensor(self, archive: Archive, stored: Stored, records: dict[tuple[str, str], Any]) -> Any:
        key = (stored.record, stored.dtype)
        dtype = getattr(self._torch, stored.dtype)
        if key not in records:
            data = bytearray(archive.read(stored.record))  # PyTorch's tensors are writable
            whole = self._torch.frombuffer(data, dtype=dtype) if data else self._torch.empty(0, dtype=dtype)
            records[key] = whole.to(self._device)
        return self._torch.as_strided(records[key], stored.sizes, stored.strides, stored.offset)

    def _operator(self, call: Call, name: str) -> Any:
        import operator

        space, _, rest = call.target.rpartition("torch.ops.aten.")
        if not space and not rest.startswith("_operator."):
            packet, _, overload = rest.partition(".")
            found = getattr(getattr(self._torch.ops.aten, packet, None), overload, None)
            # Packets have more attributes than operators, and any of Python's objects can be called.
            if not isinstance(found, self._torch._ops.OpOverload):
                raise _refused(
                    name, sentence("this PyTorch has no operator '{target}'", target=call.target[:80])
                )
            return found
        return getattr(operator, rest.removeprefix("_operator."))

    def __call__(self, *tensors: Any) -> dict[str, Any]:
        values: dict[str, Any] = dict(self._constants)
        values.update((info.name, tensor) for info, tensor in zip(self._graph.inputs, tensors, strict=True))
        for (function, call), ends in zip(self._steps, self._ends, strict=True):
            given = {name: self._value(kind, value, values) for name, kind, value in call.arguments}
            if call.target.startswith("_operator."):
                found = function(*given.values())
            else:
                found = function(**given)
            if len(call.outputs) < 2:
                found = (found,)  # of one that only checks something None, which has no name
            for name, each in zip(call.outputs, found, strict=False):
                pairs = ((name, each),) if isinstance(name, str) else zip(name, each, strict=True)
                values.update(pairs)
            for name in ends:
                values.pop(name, None)
        return {info.name: values[info.name] for info in self._graph.outputs}

    def _value(self, kind: str, value: Any, values: Mapping[str, Any]) -> Any:
        if kind in ("as_int", "as_ints", "as_bool", "as_bools", "as_string"):
            return value
        if kind == "as_none":
            return None
        if kind in ("as_float", "as_floats"):
            # JSON has no infinities: they are texts.
            return float(value) if kind == "as_float" else [float(each) for each in value]
        if kind == "as_tensor":
            return values[value["name"]]
        if kind == "as_tensors":
            return [values[each["name"]] for each in value]
        if kind == "as_optional_tensors":
            return [values[e["as_tensor"]["name"]] if "as_tensor" in e else None for e in value]
        if kind in ("as_sym_int", "as_sym_bool", "as_sym_float"):
            return _symbol(value, values)
        if kind in ("as_sym_ints", "as_sym_bools", "as_sym_floats"):
            return [_symbol(each, values) for each in value]
        if kind == "as_scalar_type":
            return getattr(self._torch, DTYPES[value])
        if kind == "as_device":
            return self._device
        if kind == "as_memory_format":
            formats = (None, "contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
            return getattr(self._torch, str(formats[value]))
        if kind == "as_layout":
            return self._torch.strided
        raise RuntimeError(f"an argument of the kind {kind[:40]}")


def _symbol(value: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    ((kind, body),) = value.items()
    if kind == "as_name":
        return values[body]
    return float(body) if kind == "as_float" else body


def _read_by(call: Call) -> Iterator[str]:
    """Names of the values that a call reads."""
    waiting = [value for _, _, value in call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if isinstance(name := value.get("name", value.get("as_name")), str):
                yield name
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
