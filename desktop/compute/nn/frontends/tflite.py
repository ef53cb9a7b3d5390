"""Convert a TensorFlow Lite file to a `Graph` of its operators, which ops/tflite expands at shape inference.

Quantized activations (8 or 16 bits, one scale) are float32 integers, q - zero point; only inputs and outputs
have the file's type. Not QuantizeLinear around float operators, which rounds otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from desktop.base.errors import ModelInvalidError, Refusal
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.frontends.tflite_reader import (
    LARGEST_TENSOR,
    Network,
    TfliteTensor,
    invalid,
)
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.ops.tflite import DOMAIN, NAMES
from desktop.compute.nn.ops.tflite.spelling import OPSET, Quantization, Scales
from desktop.compute.nn.refusals import cannot_run, sizes_needed


def import_tflite(
    model: Model,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    keep: Sequence[str] = (),
    real_outputs: bool = False,
) -> Graph:
    """Make a graph of a TensorFlow Lite file; see `import_onnx` for the other arguments and SizesNeededError.

    Args:
        real_outputs: give quantized outputs as the real numbers that they stand for, float32.

    Raises:
        ModelInvalidError: not a TensorFlow Lite file, or one that contradicts itself.
        ModelUnsupportedError: operators or element types are not supported; all are listed.
    """
    with NetworkFile.opened(model) as file:
        importer = _Importer(
            file.tflite, file.name, input_shapes or {}, input_values or {}, keep, real_outputs
        )
        return importer.graph()


class _Importer:
    def __init__(
        self,
        network: Network,
        name: str,
        shapes: Mapping[str, Sequence[int]],
        given: Mapping[str, np.ndarray],
        keep: Sequence[str],
        real_outputs: bool,
    ) -> None:
        self._network = network
        self._name = name
        self._shapes = shapes
        self._given = given
        self._keep = keep
        self._real_outputs = real_outputs
        self._nodes: list[Node] = []
        self._values: dict[str, Value] = {}
        self._constants: dict[str, np.ndarray] = {}
        self._names: dict[int, str] = {}
        """Return the graph's name of a tensor, by number."""
        self._known: set[int] = set()
        self._shown: set[str] = set()

    def graph(self) -> Graph:
        self._check()
        self._check_sizes()
        for at, tensor in enumerate(self._network.tensors):
            if tensor.array is not None:
                self._add_constant(tensor.name, tensor.array)
                self._names[at] = tensor.name
                self._known.add(at)
        inputs = [name for at in self._network.inputs for name in self._input(at)]
        for index, operator in enumerate(self._network.operators):
            self._node(index, operator.name, operator.inputs, operator.outputs, operator.options)
        outputs = tuple(self._output(at) for at in dict.fromkeys(self._network.outputs))
        computed = {name for node in self._nodes for name in node.outputs} | set(self._values)
        for name in self._keep:
            if name not in computed:
                raise ModelInvalidError(
                    sentence(
                        "{name} has no tensor called '{name2}'; look the name up in the model.",
                        name=self._name,
                        name2=name,
                    )
                )
        return Graph(
            tuple(self._nodes), tuple(inputs), outputs, self._values, self._constants, tuple(self._keep)
        )

    def _check(self) -> None:
        """Refuse unknown operators and types, all of them at once."""
        refusals = []
        for index, operator in enumerate(self._network.operators):
            if operator.name not in NAMES:
                shown = operator.name.removeprefix("CUSTOM ")
                refusals.append(Refusal("", node=f"{shown} '#{index}'", operator=f"{DOMAIN}.{shown}"))
            for at in (*operator.inputs, *operator.outputs):
                tensor = self._network.tensors[at]
                if at >= 0 and (tensor.dtype not in HELD or tensor.dtype == "float64"):
                    refusals.append(
                        Refusal(
                            sentence(
                                "the tensor '{tensor}' is of a type that is not computed with",
                                tensor=tensor.name,
                            ),
                            node=f"{operator.name} '#{index}'",
                            operator=f"{DOMAIN}.{operator.name}",
                        )
                    )
                    break
        if refusals:
            raise cannot_run(self._name, refusals)

    def _check_sizes(self) -> None:
        """Refuse an image of one pixel or channel not requested: converters write 1 for a free size."""
        left: dict[str, tuple[int | str, ...]] = {}
        for at in self._network.inputs:
            tensor = self._network.tensors[at] if at >= 0 else None
            if (
                tensor is None
                or tensor.name in self._shapes
                or tensor.name in self._given
                or tensor.array is not None
            ):
                continue
            if len(tensor.shape) == 4 and any(axis and tensor.shape[axis] == 1 for axis in tensor.free):
                left[tensor.name] = tuple(
                    f"d{i}" if i in tensor.free else n for i, n in enumerate(tensor.shape)
                )
        if left:
            raise sizes_needed(self._name, left)

    # -- tensors ---------------------------------------------------------------------------------------------

    def _add_constant(self, name: str, array: np.ndarray) -> None:
        self._constants[name] = array
        self._values[name] = Value(name, array.shape, array.dtype.name)

    def _scales(self, at: int) -> Scales | None:
        """Return a tensor's quantization; of an activation only if it is stored as integers."""
        tensor = self._network.tensors[at] if at >= 0 else None
        if tensor is None or tensor.quantized is None:
            return None
        given = tensor.quantized
        if tensor.array is None and not tensor.is_integer:
            return None
        return Scales(given.scales, given.zeros, given.axis, tensor.dtype)

    def _input(self, at: int) -> list[str]:
        """An input's memory, and integers of it where it is quantized; none for one that is a constant."""
        if at < 0 or at in self._known:
            return []
        tensor = self._network.tensors[at]
        name = tensor.name
        self._known.add(at)
        if name in self._given:
            self._add_constant(name, self._given[name])
        else:
            self._values[name] = Value(name, self._shape(tensor), tensor.dtype)
        self._names[at] = name
        if tensor.is_integer:
            self._names[at] = f"{name}#whole"
            assert tensor.quantized is not None
            zero = f"{name}#zero"
            self._add_constant(zero, tensor.quantized.zeros[0].astype(np.float32).reshape(()))
            self._plain("Cast", (name,), f"{name}#float", to=code_of("float32"))
            self._plain("Sub", (f"{name}#float", zero), self._names[at])
        return [] if name in self._given else [name]

    def _plain(self, op: str, inputs: tuple[str, ...], output: str, **attributes: int) -> None:
        self._nodes.append(Node(op, output, inputs, (output,), attributes, "", OPSET))

    def _shape(self, tensor: TfliteTensor) -> tuple[int, ...]:
        given = self._shapes.get(tensor.name)
        shape = tensor.shape if given is None else tuple(int(n) for n in given)
        fits = len(shape) == len(tensor.shape) and all(
            n == m or at in tensor.free for at, (n, m) in enumerate(zip(shape, tensor.shape, strict=True))
        )
        if not fits:
            raise ModelInvalidError(
                sentence(
                    "The input '{input}' of {name} does not take the shape {shape}; give one that fits.",
                    input=tensor.name,
                    name=self._name,
                    shape=shape,
                )
            )
        if any(n <= 0 for n in shape) or math.prod(shape) * 4 > LARGEST_TENSOR:
            raise invalid(
                self._name,
                sentence("its input '{input}' has the shape {shape}", input=tensor.name, shape=shape),
            )
        return shape

    def _output(self, at: int) -> str:
        """An output in the file's type, or as real numbers."""
        if at < 0 or at not in self._known:
            raise invalid(self._name, sentence("nothing computes an output of it"))
        tensor = self._network.tensors[at]
        if not tensor.is_integer or tensor.array is not None:
            return tensor.name
        if at in self._network.inputs:
            return tensor.name
        assert tensor.quantized is not None
        if self._real_outputs:
            scale = f"{tensor.name}#scale"
            self._add_constant(scale, tensor.quantized.scales[0].astype(np.float32).reshape(()))
            self._plain("Mul", (self._names[at], scale), tensor.name)
            return tensor.name
        zero = f"{tensor.name}#out"
        self._add_constant(zero, tensor.quantized.zeros[0].astype(np.float32).reshape(()))
        self._plain("Add", (self._names[at], zero), f"{tensor.name}#stored")
        self._plain("Cast", (f"{tensor.name}#stored",), tensor.name, to=code_of(tensor.dtype))
        return tensor.name

    # -- nodes -----------------------------------------------------------------------------------------------

    def _node(
        self,
        index: int,
        op: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        options: Mapping[str, object],
    ) -> None:
        for at in inputs:
            if at >= 0 and at not in self._known:
                name = self._network.tensors[at].name
                raise invalid(
                    self._name,
                    sentence("{op} reads '{tensor}', which nothing before it computes", op=op, tensor=name),
                )
        for at in outputs:
            if at in self._known:
                name = self._network.tensors[at].name
                raise invalid(self._name, sentence("'{tensor}' is computed twice", tensor=name))
            if at >= 0:
                tensor = self._network.tensors[at]
                inner = tensor.is_integer or at in self._network.inputs
                self._names[at] = f"{tensor.name}#whole" if inner else tensor.name
                self._known.add(at)
        names = [tuple("" if at < 0 else self._names[at] for at in numbers) for numbers in (inputs, outputs)]
        quantization = Quantization(tuple(map(self._scales, inputs)), tuple(map(self._scales, outputs)))
        dtypes = tuple("" if at < 0 else self._network.tensors[at].dtype for at in outputs)
        # Converters join the names of what they fuse, with semicolons.
        shown = next(filter(None, names[1]), f"#{index}").removesuffix("#whole").partition(";")[0]
        shown = shown if shown not in self._shown else f"{shown} ({index})"
        self._shown.add(shown)
        attributes = {**options, "dtypes": dtypes}
        self._nodes.append(
            Node(
                *(f"{DOMAIN}.{op}", shown, names[0], names[1], attributes, "", OPSET),
                details=(quantization,),
                origin=f"{DOMAIN}.{op} '{shown}'",
            )
        )
