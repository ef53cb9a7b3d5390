"""Read a program of `torch.export.save` as data, without PyTorch: ATen operators in JSON, and raw tensors.

Format: torch._export.serde.schema, version 8, in the archive of PyTorch 2.9 and later (archive_format 'pt2';
2.8 pickles the weights). Not `torch.export.load`, which is unsafe for untrusted files: it unpickles what a
record declares as pickled, evaluates symbolic sizes (`sympy.sympify` is `eval`) and compiles guards (`exec`).
None of these are read here, and nodes may only call operators of ATen by name.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.pytorch.archive import OLD_PROGRAM, Archive, damaged
from desktop.compute.nn.session import TensorInfo

DTYPES: Final[Mapping[int, str]] = {
    1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32", 8: "float64",
    12: "bool", 13: "bfloat16", 28: "uint16", 34: "uint32", 35: "uint64",
}  # fmt: skip
"""`ScalarType` of the schema -> PyTorch's name."""
_WIDTHS: Final[Mapping[str, int]] = {
    "uint8": 1, "int8": 1, "bool": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2,
    "int32": 4, "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8,
}  # fmt: skip
_MAJOR: Final = 8
_MOST_JSON: Final = 64 << 20
_MOST_NODES: Final = 100_000
_MOST_DIMENSIONS: Final = 16
_MOST_REPEATED: Final = 64 << 20
_ATEN: Final = re.compile(r"torch\.ops\.aten\.([A-Za-z0-9_]{1,80})\.([A-Za-z0-9_]{1,80})")
_PYTHON: Final = frozenset(
    f"_operator.{name}"
    for name in ("getitem", "add", "sub", "mul", "floordiv", "mod", "neg", "eq", "ne", "lt", "le", "gt", "ge")
)
_NEVER: Final = frozenset({"from_file", "save", "set_", "set", "resize_", "record_stream"})
"""Operators of ATen that open files by a name in the graph, or give a tensor another storage."""
_INTERNAL: Final = re.compile(
    r"__\w+__|_(log_)?softmax|_to_copy|_unsafe_(view|index|index_put)|_native_batch_norm_legit(_no_training|_functional)?|_assert_\w+"
    r"|__range_length|__derive_index|_adaptive_avg_pool[23]d|_upsample_\w+|_weight_norm|_scaled_dot_product_\w+|_prelu_kernel|_convolution"
    r"|_shape_as_tensor|_native_multi_head_attention|_transformer_encoder_layer_fwd"
)
"""Operators private to ATen ('_...') that exported networks have; others trust their arguments."""
_SPECS: Final[Mapping[str, str]] = {
    "parameter": "parameter_name",
    "buffer": "buffer_name",
    "tensor_constant": "tensor_constant_name",
}
_FOLDERS: Final = ("data/weights/", "data/constants/")
_CONFIGS: Final = ("data/weights/model_weights_config.json", "data/constants/model_constants_config.json")
_PICKLES: Final = ("data/weights/model.pt", "data/constants/model.pt")
_MISSHAPEN: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)


@dataclass(frozen=True)
class Stored:
    """A tensor in the archive: the place of its bytes, and sizes, strides and offset in elements."""

    record: str
    dtype: str
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int


@dataclass(frozen=True)
class Call:
    """A node: what is called, its arguments as (name, kind, value) of the schema's `Argument`, and outputs.

    An output that is a list of tensors is one tuple of names.
    """

    target: str
    arguments: tuple[tuple[str, str, Any], ...]
    outputs: tuple[str | tuple[str, ...], ...]


@dataclass(frozen=True)
class ExportedGraph:
    """A whole program. In shapes 0 stands for a free size."""

    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    constants: Mapping[str, Stored]
    calls: tuple[Call, ...]
    version: str


def read_exported(archive: Archive) -> ExportedGraph:
    """Read a program; raise ModelInvalidError if it is not as PyTorch writes it.

    Raises ModelUnsupportedError: pickled objects, or calls of other functions than ATen's operators.
    """
    try:
        return _Reader(archive).read()
    except _MISSHAPEN as error:
        raise damaged(archive.name, sentence("its description of the network is not as expected")) from error


class _Reader:
    """Reads `models/model.json` and what that names."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        if any(name.startswith("data/aotinductor/") for name in archive.names):
            raise self._refused(sentence("it holds compiled machine code (AOTInductor)"))
        is_new = any(name in archive.names for name in _CONFIGS)
        if OLD_PROGRAM in archive.names or (not is_new and any(name in archive.names for name in _PICKLES)):
            raise self._refused(sentence("PyTorch 2.8 or an older one wrote it, which pickles weights"))
        program = self._json("models/model.json")
        if program["schema_version"]["major"] != _MAJOR:
            found = str(program["schema_version"]["major"])[:20]
            raise self._refused(sentence("its schema has the version {found}, not 8", found=found))
        self._version = _text(program.get("torch_version", ""))[:40]
        self._graph = program["graph_module"]["graph"]
        self._signature = program["graph_module"]["signature"]
        self._configs = [self._json(name)["config"] if name in archive.names else {} for name in _CONFIGS]

    def read(self) -> ExportedGraph:
        if len(self._graph["nodes"]) > _MOST_NODES:
            raise self._refused(sentence("it has more than {most} operators", most=_MOST_NODES))
        constants: dict[str, Stored] = {}
        inputs: list[TensorInfo] = []
        for spec in self._signature["input_specs"]:
            ((kind, body),) = spec.items()
            if kind in _SPECS:
                constants[_text(body["arg"]["name"])] = self._stored(str(body[_SPECS[kind]]))
            elif kind == "user_input" and "as_tensor" in body["arg"]:
                inputs.append(self._info(body["arg"]["as_tensor"]["name"]))
            elif kind != "user_input" or "as_none" not in body["arg"]:
                raise self._refused(sentence("it takes something that is no tensor"))
        calls = tuple(self._call(node) for node in self._graph["nodes"])
        if not inputs or not (outputs := self._outputs()):
            raise self._refused(sentence("it has no input or no output"))
        return ExportedGraph(tuple(inputs), outputs, constants, calls, self._version)

    def _outputs(self) -> tuple[TensorInfo, ...]:
        found = []
        for spec in self._signature["output_specs"]:
            ((kind, body),) = spec.items()
            if kind != "user_output" or "as_tensor" not in body["arg"]:
                raise self._refused(
                    sentence("it gives something that is no tensor, or changes what it remembers")
                )
            found.append(self._info(body["arg"]["as_tensor"]["name"]))
        return tuple({info.name: info for info in found}.values())

    def _json(self, record: str) -> Any:
        if self._archive.size(record) > _MOST_JSON:
            raise self._refused(sentence("its description of the network is too large"))
        return json.loads(self._archive.read(record))

    def _refused(self, what: str) -> ModelUnsupportedError:
        return ModelUnsupportedError(
            sentence(
                "{name} can't be run: {what}; export the network again with torch.export.save, or as ONNX.",
                name=self._archive.name,
                what=what,
            ),
            (what,),
        )

    def _info(self, name: str) -> TensorInfo:
        meta = self._graph["tensor_values"][name]
        dtype = DTYPES[int(meta["dtype"])]
        if dtype == "bfloat16":
            raise self._refused(sentence("its input or output is bfloat16"))
        return TensorInfo(_text(name), tuple(_size(size) for size in _few(meta["sizes"])), dtype)

    def _stored(self, full_name: str) -> Stored:
        found = [(c[full_name], f) for c, f in zip(self._configs, _FOLDERS, strict=True) if full_name in c]
        if not found:
            raise damaged(
                self._archive.name, sentence("the weights '{name}' are missing", name=full_name[:80])
            )
        entry, folder = found[0]
        if entry["use_pickle"] or not re.fullmatch(r"(weight|tensor)_\d{1,9}", entry["path_name"]):
            raise self._refused(sentence("it holds pickled objects, which may be any program"))
        meta = entry["tensor_meta"]
        sizes, strides = (tuple(_integer_of(n) for n in _few(meta[key])) for key in ("sizes", "strides"))
        stored = Stored(
            folder + entry["path_name"],
            DTYPES[int(meta["dtype"])],
            sizes,
            strides,
            _integer_of(meta["storage_offset"]),
        )
        self._check_size(stored)
        return stored

    def _check_size(self, stored: Stored) -> None:
        width = _WIDTHS[stored.dtype]
        steps = sum((n - 1) * step for n, step in zip(stored.sizes, stored.strides, strict=True))
        count = math.prod(stored.sizes)
        end = (stored.offset + steps + 1) * width if count else 0
        size = self._archive.size(stored.record)
        # Strides of 0 (`expand`) let a few bytes hold a tensor of any size; a copy needs all the memory.
        if end > size or count * width > max(size, _MOST_REPEATED):
            raise damaged(
                self._archive.name, sentence("the weights '{name}' are cut off", name=stored.record)
            )

    def _call(self, node: Mapping[str, Any]) -> Call:
        target = _text(node["target"])
        found = _ATEN.fullmatch(target)
        if target not in _PYTHON and (found is None or not is_harmless(found[1])):
            raise self._refused(sentence("it calls '{target}'", target=target[:80]))
        arguments = []
        for argument in node["inputs"]:
            ((kind, value),) = argument["arg"].items()
            if kind == "as_tensor":
                _text(value["name"])
            arguments.append((_text(argument["name"]), _text(kind), value))
        return Call(target, tuple(arguments), tuple(_names(output) for output in node["outputs"]))


def is_harmless(operator: str) -> bool:
    """Whether an operator of ATen computes and does nothing else, by its name."""
    return operator not in _NEVER and (
        not operator.startswith("_") or _INTERNAL.fullmatch(operator) is not None
    )


def _names(output: Mapping[str, Any]) -> str | tuple[str, ...]:
    ((kind, value),) = output.items()
    if kind == "as_tensors":
        return tuple(_text(each["name"]) for each in value)
    return "" if kind == "as_none" else _text(value.get("name") or value["as_name"])


def _text(value: Any) -> str:
    """A name, as others can take it: JSON has halves of letters (surrogates), which no encoding has."""
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode()
    return value


def _few(sizes: list[Any]) -> Iterator[Any]:
    if len(sizes) > _MOST_DIMENSIONS:
        raise ValueError("too many dimensions")
    return iter(sizes)


def _size(size: Mapping[str, Any]) -> int:
    return _integer_of(size) if "as_int" in size else 0


def _integer_of(size: Mapping[str, Any]) -> int:
    value = size["as_int"]
    if type(value) is not int or not 0 <= value < 1 << 40:
        raise ValueError("no size")
    return value
