"""Import an ONNX file, untrusted and so checked, as a `Graph` (https://onnx.ai/onnx/repo-docs/IR.html)."""

from __future__ import annotations

import math
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper

from desktop.base.errors import (
    ModelError,
    ModelInvalidError,
    ModelUnsupportedError,
    Refusal,
    SizesNeededError,
)
from desktop.base.files import resolved
from desktop.base.wording import counted, sentence
from desktop.compute.nn.frontends.external_data import check_external
from desktop.compute.nn.frontends.inlining import calls, inlined
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.frontends.structure import check_structure
from desktop.compute.nn.frontends.weights import Weights
from desktop.compute.nn.ir.graph import Body, Graph, Node, Value
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import CONVERTED, HELD
from desktop.compute.nn.refusals import cannot_run, of_node, sizes_needed

OPSETS: Final = range(7, 29)
_PACKED: Final = {
    getattr(onnx.TensorProto, name): bits
    for name, bits in {"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2}.items()
    if hasattr(onnx.TensorProto, name)  # onnx 1.19 has no integers of 2 bits
}
"""Bits of the elements of which a file has several in a byte."""
_MOST_ENDS: Final = 4096
"""Inputs or outputs of a node: each is a shader of its own where they are joined or cut, and a millisecond.
"""
_LARGEST_RANK: Final = 64  # NumPy's own limit
LARGEST_TENSOR: Final = 2**30
"""Largest bytes of one tensor, and of all that constant folding makes; more is refused as absurd."""


class _Any(Container[str]):
    def __contains__(self, name: object) -> bool:
        return True


ANY_OPERATOR: Final = _Any()
"""Has every operator's name: for readers of graphs with nodes that the engine lacks."""


def _is_unchanged(kind: str, opset: int) -> bool:
    """True for an operator that means in an older opset what it means in the first that is read."""
    try:
        versions = {onnx.defs.get_schema(kind, each, "").since_version for each in (opset, OPSETS[0])}
    except onnx.defs.SchemaError:
        return False
    return len(versions) == 1


@cache
def _arity(op: str, domain: str) -> tuple[range, range]:
    """Return an operator's numbers of inputs and outputs in any opset; any number if ONNX lacks it."""
    if not onnx.defs.has(op, domain):
        return range(sys.maxsize), range(sys.maxsize)
    versions = [onnx.defs.get_schema(op, domain)]
    while versions[-1].since_version > 1:
        try:
            versions.append(onnx.defs.get_schema(op, versions[-1].since_version - 1, domain))
        except onnx.defs.SchemaError:
            break
    return (
        range(min(s.min_input for s in versions), max(s.max_input for s in versions) + 1),
        range(max(s.max_output for s in versions) + 1),
    )


def _miscounted(node: Node) -> str:
    """Return the fault in the number of a node's inputs or outputs, '' for none."""
    inputs, outputs = _arity(node.op, node.domain)
    if not _fits(node.inputs, inputs):
        return sentence(
            "it has {inputs}, not {bounds}", inputs=counted(len(node.inputs), "input"), bounds=_bounds(inputs)
        )
    if not _fits(node.outputs, outputs):
        return sentence(
            "it has {outputs}, not {bounds}",
            outputs=counted(len(node.outputs), "output"),
            bounds=_bounds(outputs),
        )
    return ""


def _fits(names: Sequence[str], takes: range) -> bool:
    """Whether there are as many as `takes` has; what is left out at the end is not there."""
    last = max((at for at, name in enumerate(names, 1) if name), default=0)
    return len(names) >= takes.start and last < min(takes.stop, _MOST_ENDS + 1)


def _bounds(takes: range) -> str:
    last = min(takes.stop - 1, _MOST_ENDS)
    return str(last) if takes.start == last else f"{takes.start} to {last}"


@dataclass(frozen=True)
class _Either:
    """The names of two scopes, neither of which is copied: a graph may have a subgraph a node."""

    inner: Container[str]
    outer: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.inner or name in self.outer


@dataclass(frozen=True)
class _Without:
    """The names of a scope without those that a subgraph makes itself, which do not exist before."""

    scope: Container[str]
    made: Set[str]

    def __contains__(self, name: object) -> bool:
        return name not in self.made and name in self.scope


class _GraphReader:
    def __init__(self, path: Path, operators: Container[str], weights: Weights | None = None) -> None:
        self.path = path
        self.weights = weights or Weights()
        self.folder = resolved(path).parent
        self.operators = operators

    def invalid(self, what: str) -> ModelInvalidError:
        return ModelInvalidError(
            sentence(
                "{name} is not a valid ONNX model: {what}; download or export it again.",
                name=self.path.name,
                what=what,
            )
        )

    def unsupported(self, *refusals: Refusal | str) -> ModelUnsupportedError:
        """The error for what the engine does not take: nodes, or a reason about the whole."""
        return cannot_run(self.path.name, [Refusal(r) if isinstance(r, str) else r for r in refusals])

    # -- tensors ---------------------------------------------------------------------------------------------

    def array(self, tensor: Any) -> np.ndarray:
        """A constant of the file, its size checked against its bytes before anything is allocated."""
        dims = [int(n) for n in tensor.dims]
        dtype = dtype_name(tensor.data_type)
        if not dtype or dtype == "object":
            raise self.unsupported(
                sentence(
                    "the constant '{tensor_name}' has element type {data_type}",
                    tensor_name=tensor.name,
                    data_type=tensor.data_type,
                )
            )
        kind = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type))
        count = math.prod(dims)
        shown = sentence(
            "the constant '{tensor_name}' has the shape {dims}", tensor_name=tensor.name, dims=dims
        )
        if any(n < 0 for n in dims):
            raise self.invalid(shown)
        if count * kind.itemsize > LARGEST_TENSOR:
            raise self.unsupported(shown)
        if len(dims) > _LARGEST_RANK:
            raise self.unsupported(
                sentence(
                    "the constant '{tensor_name}' has {count} dimensions",
                    tensor_name=tensor.name,
                    count=len(dims),
                )
            )
        bits = _PACKED.get(tensor.data_type, kind.itemsize * 8)
        size = -(-count * bits // 8)
        is_plain = kind.isbuiltin == 1 and sys.byteorder == "little"
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            here = self.weights.of(tensor)
            data = self._external(tensor, size) if here is None else self._sized(tensor, here, size)
            if is_plain:
                return np.frombuffer(data, kind).reshape(dims)
            tensor = onnx.TensorProto(
                dims=dims, data_type=tensor.data_type, name=tensor.name, raw_data=bytes(data)
            )
        elif tensor.HasField("raw_data"):
            data = self._sized(tensor, tensor.raw_data, size)  # once: each access copies
            if is_plain:
                return np.frombuffer(data, kind).reshape(dims)
        try:
            return np.asarray(numpy_helper.to_array(tensor))
        except (ValueError, TypeError, OverflowError, KeyError) as error:
            raise self.invalid(
                sentence(
                    "the constant '{tensor_name}' cannot be read ({error})",
                    tensor_name=tensor.name,
                    error=error,
                )
            ) from error

    def _sized(self, tensor: Any, data: bytes | memoryview, size: int) -> bytes | memoryview:
        if len(data) != size:
            raise self.invalid(
                sentence(
                    "the constant '{tensor_name}' has {count} bytes for the shape {dims}",
                    tensor_name=tensor.name,
                    count=len(data),
                    dims=[int(n) for n in tensor.dims],
                )
            )
        return data

    def _external(self, tensor: Any, size: int) -> bytes:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        location = entries.get("location", "")
        try:
            file = resolved(self.folder / location)
            offset, length = int(entries.get("offset", 0)), int(entries.get("length", size))
            is_there = file.is_file()
        except (ValueError, OSError) as error:
            raise self.invalid(
                sentence(
                    "the external data of '{tensor_name}' has a damaged address", tensor_name=tensor.name
                )
            ) from error
        if not location or Path(location).is_absolute() or not file.is_relative_to(self.folder):
            raise self.invalid(
                sentence(
                    "the external data of '{tensor_name}' lies outside the model's folder ('{location}')",
                    tensor_name=tensor.name,
                    location=location,
                )
            )
        if not is_there:
            raise ModelInvalidError(
                sentence(
                    "{name} keeps its weights in '{location}', which is missing; put that file beside the "
                    "model.",
                    name=self.path.name,
                    location=location,
                )
            )
        if length != size or offset < 0 or offset + length > file.stat().st_size:
            raise self.invalid(
                sentence(
                    "the external data of '{tensor_name}' does not fit the file '{location}'",
                    tensor_name=tensor.name,
                    location=location,
                )
            )
        with file.open("rb") as stream:
            stream.seek(offset)
            return stream.read(length)

    # -- nodes -----------------------------------------------------------------------------------------------

    def attribute(self, attribute: Any, opsets: Mapping[str, int]) -> Any:
        if attribute.type == onnx.AttributeProto.TENSOR:
            return self.array(attribute.t)
        if attribute.type == onnx.AttributeProto.GRAPH:
            return self.body(attribute.g, opsets)
        try:
            value = onnx.helper.get_attribute_value(attribute)
        except ValueError as error:
            raise self.invalid(
                sentence("the attribute '{attribute_name}' has no type", attribute_name=attribute.name)
            ) from error
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return value

    def body(self, graph: Any, opsets: Mapping[str, int]) -> Body:
        """A subgraph; `inlined` has bounded the depth, and `ordered` checks the names."""
        if graph.sparse_initializer:
            raise self.unsupported(sentence("it has sparse constants"))
        return Body(
            self.nodes(graph, opsets),
            tuple(info.name for info in graph.input),
            tuple(info.name for info in graph.output),
            {tensor.name: self.array(tensor) for tensor in graph.initializer},
        )

    def nodes(self, graph: Any, opsets: Mapping[str, int]) -> tuple[Node, ...]:
        made: list[Node] = []
        missing: dict[str, list[Refusal]] = {}
        crowded: list[Refusal] = []
        for index, proto in enumerate(graph.node):
            domain = "" if proto.domain == "ai.onnx" else proto.domain
            name = proto.name or next((output for output in proto.output if output), f"#{index}")
            version = opsets.get(domain, 0)
            node = Node(proto.op_type, name, tuple(proto.input), tuple(proto.output), {}, domain, version)
            known = f"{domain}.{proto.op_type}" if domain else proto.op_type
            if known not in self.operators:
                missing.setdefault(known, []).append(of_node(node))
                continue
            what = _miscounted(node)
            if what:
                crowded.append(of_node(node, what))
                continue
            attributes = {a.name: self.attribute(a, opsets) for a in proto.attribute}
            # An operator of another domain is one of ours by its whole name, and has no domain any more.
            made.append(
                Node(known, name, node.inputs, node.outputs, attributes, "", version, origin=str(node))
            )
        if missing:
            raise self.unsupported(*(node for kind in missing.values() for node in kind), *crowded)
        if crowded:
            raise self.unsupported(*crowded)
        return tuple(made)

    def ordered(
        self, nodes: Sequence[Node], known: Iterable[str], outside: Container[str] = ()
    ) -> tuple[Node, ...]:
        """Check that each value is computed once, before it is read (ONNX requires it; it excludes cycles).

        `outside`: names that a subgraph may read, and make anew.
        """
        seen = set(known)
        for node in nodes:
            for name in node.reads:
                if name not in seen and name not in outside:
                    raise self._not_yet(node, name, nodes)
            for body in node.attributes.values():
                if isinstance(body, Body):
                    self.check_body(node, body, _Either(seen, outside))
            for name in filter(None, node.outputs):
                if name in seen:
                    raise self.invalid(sentence("'{name}' is computed twice", name=name))
                seen.add(name)
        return tuple(nodes)

    def _not_yet(self, node: Node, name: str, nodes: Sequence[Node]) -> ModelError:
        """The error for a node that reads what was not computed before it."""
        if any(name in each.outputs for each in nodes):  # ONNX Runtime sorts them
            return self.unsupported(
                sentence("{node} reads '{name}', which a node after it computes", node=node, name=name)
            )
        return self.invalid(sentence("{node} reads '{name}', which nothing computes", node=node, name=name))

    def check_body(self, node: Node, body: Body, outside: Container[str]) -> None:
        """Check a subgraph's names; it may read what was computed before its node."""
        own = {*body.inputs, *body.constants}
        made = {name for inner in body.nodes for name in inner.outputs}
        self.ordered(body.nodes, own - made, _Without(outside, made))
        for name in body.outputs:
            if name not in own and name not in made and name not in outside:
                raise self.invalid(
                    sentence(
                        "nothing computes the result '{name}' of a subgraph of {node}", name=name, node=node
                    )
                )

    def input(self, info: Any, given: Mapping[str, Sequence[int]]) -> Value:
        optional = info.type.HasField("optional_type")  # a tensor that may be left out: here it never is
        tensor = (info.type.optional_type.elem_type if optional else info.type).tensor_type
        dtype = dtype_name(tensor.elem_type)
        if dtype not in HELD and dtype not in CONVERTED:
            raise self.unsupported(
                sentence(
                    "its input '{input}' has the element type {dtype}",
                    input=info.name,
                    dtype=dtype or "unknown",
                )
            )
        declared = list(tensor.shape.dim)
        if info.name in given:
            shape = self._given_shape(info.name, declared, given[info.name])
        else:
            shape = self._own_shape(info.name, declared)
        if math.prod(shape) * 4 > LARGEST_TENSOR:
            raise self.unsupported(
                sentence("its input '{input}' has the shape {shape}", input=info.name, shape=shape)
            )
        if len(shape) > _LARGEST_RANK:
            raise self.unsupported(
                sentence("its input '{input}' has {count} dimensions", input=info.name, count=len(shape))
            )
        return Value(info.name, shape, dtype)

    def _given_shape(self, name: str, declared: Sequence[Any], given: Sequence[int]) -> tuple[int, ...]:
        shape = tuple(int(n) for n in given)
        fits = len(shape) == len(declared) and all(
            not d.HasField("dim_value") or d.dim_value in (n, 0, -1)
            for d, n in zip(declared, shape, strict=True)
        )
        if not fits:
            raise ModelInvalidError(
                sentence(
                    "The input '{input}' of {name} does not take the shape {shape}; give one that fits.",
                    input=name,
                    name=self.path.name,
                    shape=shape,
                )
            )
        return shape

    def _own_shape(self, name: str, declared: Sequence[Any]) -> tuple[int, ...]:
        # A free first dimension is the batch, and this is an app for one frame at a time.
        sizes = [d.dim_value if d.HasField("dim_value") else 0 for d in declared]
        shape = tuple(1 if i == 0 and n <= 0 else int(n) for i, n in enumerate(sizes))
        if any(n <= 0 for n in shape):
            raise sizes_needed(self.path.name, {name: declared_sizes(declared)})
        return shape

    def opsets(self, model: Any) -> dict[str, int]:
        """Return the version of each domain; '' is ONNX's own."""
        opsets = {("" if o.domain == "ai.onnx" else o.domain): int(o.version) for o in model.opset_import}
        kinds = {node.op_type for node in calls(model.graph.node) if node.domain in ("", "ai.onnx")}
        if not kinds:
            opsets.setdefault("", OPSETS[-1])  # operators of other domains alone
        own = opsets.get("", 0)
        if 0 < own < OPSETS[0] and all(_is_unchanged(kind, own) for kind in kinds):
            opsets[""] = OPSETS[0]
        if not own and kinds:
            raise self.unsupported(sentence("it does not say which opset of ONNX its operators are of"))
        if opsets.get("") not in OPSETS:
            raise self.unsupported(
                sentence(
                    "it uses opset {opset}, and opsets {first} to {last} are supported",
                    opset=own,
                    first=OPSETS[0],
                    last=OPSETS[-1],
                )
            )
        return opsets

    def check_requested(self, outputs: Sequence[str], keep: Sequence[str], computed: Container[str]) -> None:
        if not outputs:
            raise self.invalid(sentence("it has no output"))
        for name in outputs:
            if name not in computed:
                raise self.invalid(sentence("nothing computes its output '{name}'", name=name))
        for name in keep:
            if name not in computed:
                raise ModelInvalidError(
                    sentence(
                        "{name} has no tensor called '{name2}'; look the name up in the model.",
                        name=self.path.name,
                        name2=name,
                    )
                )

    def fixed(self, info: Any, array: np.ndarray) -> np.ndarray:
        """The value that the caller gives an input, checked against its declaration."""
        declared = self.input(info, {info.name: array.shape})
        if array.dtype.name != declared.dtype:
            raise ModelInvalidError(
                sentence(
                    "The input '{input}' of {name} takes {expected}, not {dtype}.",
                    input=info.name,
                    name=self.path.name,
                    expected=declared.dtype,
                    dtype=array.dtype,
                )
            )
        return array


def import_onnx(
    model: Model,
    operators: Container[str],
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
) -> Graph:
    """Make a graph of an ONNX file; an open one gives its parsed model away, to be freed early.

    Args:
        operators: names of the operators that the engine has.
        input_shapes: sizes for inputs with free dimensions; a free batch is 1 by default.
        input_values: arrays for inputs that become constants.
        keep: inner values that must stay readable.

    Raises:
        ModelInvalidError: no such file, not ONNX, or a file that contradicts itself.
        SizesNeededError: free dimensions beside the batch have no size.
        ModelUnsupportedError: an opset, operators or element types are not supported; all are listed.
    """
    with NetworkFile.opened(model) as file:
        read_model(file)
        parsed, weights = file.take_bare()
        return import_model(
            parsed,
            file.path,
            operators,
            weights=weights,
            input_shapes=input_shapes,
            input_values=input_values,
            keep=keep,
        )


def import_model(
    parsed: Any,
    path: Path,
    operators: Container[str],
    *,
    weights: Weights | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
) -> Graph:
    """Make a graph of what `read_model` returned, unchanged; arguments and errors as in `import_onnx`.

    `path` is the file's, for external data; `weights` are those left out of the parsed model.
    """
    reader = _GraphReader(path, operators, weights)
    try:
        check_structure(parsed, path.name, reader.weights)
        check_external(parsed, path)
        model = inlined(parsed, operators)
    except ValueError as error:
        raise reader.unsupported(str(error)) from error
    opsets = reader.opsets(model)
    graph = model.graph
    if graph.sparse_initializer:
        raise reader.unsupported(sentence("it has sparse constants"))
    nodes = reader.nodes(graph, opsets)
    constants = {tensor.name: reader.array(tensor) for tensor in graph.initializer}
    values = {name: Value(name, array.shape, array.dtype.name) for name, array in constants.items()}
    inputs = []
    open_sizes: dict[str, tuple[int | str, ...]] = {}
    for info in graph.input:
        if info.name in (input_values or {}):
            constants[info.name] = reader.fixed(info, (input_values or {})[info.name])
            values[info.name] = Value(info.name, constants[info.name].shape, constants[info.name].dtype.name)
        elif info.name not in constants:
            try:
                values[info.name] = reader.input(info, input_shapes or {})
            except SizesNeededError as error:
                open_sizes |= error.inputs
            inputs.append(info.name)
    if open_sizes:
        raise sizes_needed(path.name, open_sizes)
    outputs = tuple(output.name for output in graph.output)
    nodes = reader.ordered(nodes, values)
    reader.check_requested(outputs, keep, {name for node in nodes for name in node.outputs} | set(values))
    return Graph(nodes, tuple(inputs), outputs, values, constants, tuple(keep))


def declared_sizes(dimensions: Iterable[Any]) -> tuple[int | str, ...]:
    """Return a tensor's dimensions: sizes, and the names of free ones, '?' without a name."""
    return tuple(
        d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else str(d.dim_param) or "?"
        for d in dimensions
    )


def read_model(model: Model) -> Any:
    """Return a file's `onnx.ModelProto` (`NetworkFile.bare`); raise ModelInvalidError if it is not ONNX."""
    with NetworkFile.opened(model) as file:
        reader, parsed = _GraphReader(file.path, ()), file.bare
    if not parsed.graph.node:
        raise reader.invalid(sentence("it holds no network"))
    if not all(isinstance(name, str) for name in _names(parsed.graph)):
        raise reader.invalid(sentence("a name in it is not UTF-8"))
    return parsed


def _names(graph: Any) -> Iterator[Any]:
    """Every name in a graph and what its nodes hold; protobuf hands out those that are not UTF-8 as bytes."""
    for node in graph.node:
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
        for attribute in node.attribute:
            yield attribute.name
            for inner in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                yield from _names(inner)
    for info in (*graph.input, *graph.output):
        yield info.name
        yield from (d.dim_param for d in info.type.tensor_type.shape.dim)
    for tensor in graph.initializer:
        yield tensor.name
        yield from (text for entry in tensor.external_data for text in (entry.key, entry.value))
