"""ONNX Runtime backend. The first session imports onnxruntime, as 0.1 s would delay the first frame."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base.errors import ModelError, ModelInvalidError, ModelMemoryError, ModelUnsupportedError
from desktop.base.files import resolved
from desktop.base.wording import joined, sentence
from desktop.compute.nn.frontends.formats import ONNX, not_onnx
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.session import (
    Precision,
    RunTimes,
    Session,
    SessionCapabilities,
    TensorInfo,
    usual_sizes,
)
from desktop.vision.backends._feeds import check_feeds
from desktop.vision.backends._onnxruntime_devices import CPU, Target, find_devices, find_targets
from desktop.vision.backends._onnxruntime_runs import assigned, run_bound
from desktop.vision.backends._onnxruntime_words import FailureKind, failure_of
from desktop.vision.backends.backend import Backend, Capabilities, LoadRequest
from desktop.vision.models.model_file import ModelFile

_CPU: Final = "CPUExecutionProvider"
_DTYPES: Final = {
    "tensor(float)": "float32",
    "tensor(float16)": "float16",
    "tensor(double)": "float64",
    "tensor(uint8)": "uint8",
    "tensor(int8)": "int8",
    "tensor(uint16)": "uint16",
    "tensor(int16)": "int16",
    "tensor(uint32)": "uint32",
    "tensor(int32)": "int32",
    "tensor(uint64)": "uint64",
    "tensor(int64)": "int64",
    "tensor(bool)": "bool",
}
# NodeProto.op_type is string field 4: tag 0x22, length, text. Searching for it avoids parsing the file twice.
_QUANTIZED: Final = tuple(
    b"\x22" + bytes([len(name)]) + name
    for name in (b"QuantizeLinear", b"QLinearConv", b"ConvInteger", b"QLinearMatMul", b"MatMulInteger")
)


def default_threads() -> int:
    """Return the number of inference threads: half of the cores; decoding and drawing use the rest."""
    return max(1, (os.cpu_count() or 2) // 2)


def _target(asked: str, path: Path) -> Target:
    """Return the requested device; the CPU for 'auto', as other hardware has not been measured."""
    cpu = Target(CPU, _CPU)
    if asked in ("auto", "cpu"):
        return cpu
    targets, remarks = find_targets()
    found = next((each for each in targets if each.device.name == asked), None)
    if found is None:
        have = ", ".join(each.device.name for each in targets)
        raise ModelUnsupportedError(
            sentence(
                "{name} cannot run on '{device}': onnxruntime has {have} here; choose one of these.{remarks}",
                name=path.name,
                device=asked,
                have=have,
                remarks=joined("", (sentence(" {remark}", remark=each) for each in remarks)),
            ),
            (sentence("onnxruntime has no device '{device}' here", device=asked),),
        )
    return found


def _options(threads: int, reference: bool) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    if reference:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # Without VNNI faster 8-bit kernels saturate (it changed every eighth photo's top class); these are exact.
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    # Spinning workers occupy a core between two inferences, which the image needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    options.log_severity_level = 4  # errors are raised, with our own sentences
    return options


def _shape(node: Any, path: Path, given: Sequence[int] | None) -> tuple[int, ...]:
    fixed = [size if isinstance(size, int) and size > 0 else 0 for size in node.shape or ()]
    if given is None:
        return usual_sizes(fixed)
    if len(given) != len(fixed) or any(
        size not in (0, want) for size, want in zip(fixed, given, strict=True)
    ):
        raise ModelUnsupportedError(
            sentence(
                "Input '{node_name}' of {name} has the shape {shape}, not {given}; give it a shape that "
                "fits.",
                node_name=node.name,
                name=path.name,
                shape=[s or "any" for s in fixed],
                given=list(given),
            ),
        )
    return tuple(given)


class OnnxRuntimeSession:
    """A network on ONNX Runtime, see `Session`. Its `device` also counts the operators left to the CPU."""

    backend = "onnxruntime"

    def __init__(
        self,
        session: Any,
        path: Path,
        precision: str,
        shapes: Mapping[str, Sequence[int]],
        values: Mapping[str, np.ndarray],
        target: Target,
    ) -> None:
        self._session: Any = session
        self._target = target
        self._times: RunTimes | None = None
        self._path = path
        self.precision = precision
        self._fixed = dict(values)
        self.device = _where(session, target)
        free_inputs = [node for node in session.get_inputs() if node.name not in self._fixed]
        self.inputs = tuple(self._info(node, path, shapes.get(node.name)) for node in free_inputs)
        self.outputs = tuple(self._info(node, path, None) for node in session.get_outputs())
        free = any(not isinstance(d, int) for node in session.get_outputs() for d in node.shape)
        if free or any(node.shape is None for node in session.get_outputs()):
            chosen = any(not isinstance(size, int) for node in free_inputs for size in (node.shape or ())[1:])
            self.outputs = self._measured_outputs(chosen)

    @classmethod
    def load(
        cls,
        model: Model,
        *,
        precision: Precision = "auto",
        device: str = "auto",
        threads: int | None = None,
        input_shapes: Mapping[str, Sequence[int]] | None = None,
        input_values: Mapping[str, np.ndarray] | None = None,
        reference: bool = False,
    ) -> OnnxRuntimeSession:
        """Load a model, with free dimensions by default a batch of 1 and sides of 224.

        Args:
            model: a path, or an open file, whose bytes are released.
            precision: 'auto' as written; others are refused unless the device's provider can compute in them.
            device: 'auto', 'cpu', or another device's name from `find_devices`.
            threads: threads of one operator; `default_threads()` by default.
            input_values: arrays for inputs that become constants.
            reference: compute by the ONNX standard, node by node, quantized networks in floats; slow.

        Raises:
            ModelInvalidError: not a readable ONNX model.
            ModelUnsupportedError: onnxruntime lacks the device, operator or precision.
        """
        with NetworkFile.opened(model) as file:
            path = file.path
            _check(file, input_shapes)
            target = _target(device, path)
            options = _options(threads or default_threads(), reference)
            converts = target.options("fp16" if precision == "fp16" else "fp32")
            session = _session(file, options, target, converts or {})
            holds_integers = any(mark in file.data for mark in _QUANTIZED)
            file.release()
        _check_used(session, target, path)
        own = precision if precision == "fp16" and converts is not None else None
        found = own or _precision(path, holds_integers, session, precision)
        return cls(session, path, found, input_shapes or {}, input_values or {}, target)

    @staticmethod
    def _info(node: Any, path: Path, shape: Sequence[int] | None) -> TensorInfo:
        return TensorInfo(node.name, _shape(node, path, shape), _DTYPES.get(node.type, node.type))

    def _measured_outputs(self, chosen: bool) -> tuple[TensorInfo, ...]:
        """Return the outputs of a run on zeros."""
        # The graph lacks these shapes; the run fails for networks that fail on empty results.
        zeros = {info.name: np.zeros(info.shape, np.dtype(info.dtype)) for info in self.inputs}
        try:
            arrays = self.run(zeros)
        except ModelError as error:
            if not chosen:
                return self.outputs
            sizes = ", ".join(f"'{info.name}' {list(info.shape)}" for info in self.inputs)
            cause = failure_of(error.__cause__ if isinstance(error.__cause__, Exception) else error)
            raise ModelUnsupportedError(
                sentence(
                    "{name} fails in onnxruntime with inputs of the sizes {sizes} ({reason}); choose other "
                    "sizes or another backend.",
                    name=self._path.name,
                    sizes=sizes,
                    reason=cause.reason,
                ),
                (sentence("it fails with inputs of the sizes {sizes}", sizes=sizes),),
            ) from error
        return tuple(TensorInfo(name, tuple(a.shape), str(a.dtype)) for name, a in arrays.items())

    @property
    def capabilities(self) -> SessionCapabilities:
        """Times of its runs, if inputs and outputs can be bound to the device's memory."""
        return SessionCapabilities(run_times=lambda: self._times)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session.run`; raise ModelError for an invalid input or if onnxruntime fails."""
        if self._session is None:
            raise ModelError(sentence("{name} is closed; load it again.", name=self._path.name))
        names = [node.name for node in self._session.get_outputs()]
        check_feeds(feeds, self.inputs, self._path.name)
        try:
            if memory := self._target.host_copies:
                outputs, self._times = run_bound(self._session, feeds | self._fixed, names, memory)
                return outputs
            return dict(zip(names, self._session.run(names, feeds | self._fixed), strict=True))
        except Exception as error:
            raise ModelError(
                sentence(
                    "{name} failed in onnxruntime: {reason}; choose another backend or network.",
                    name=self._path.name,
                    reason=failure_of(error).reason,
                )
            ) from error

    def close(self) -> None:
        """Release the session."""
        self._session = None


def _check(file: NetworkFile, input_shapes: Mapping[str, Sequence[int]] | None) -> None:
    """Check what onnxruntime does not: divisors, and the memory needed."""
    # here, because they import onnx
    from desktop.compute.nn.compile.memory_estimate import check_weight
    from desktop.compute.nn.frontends.structure import check_structure

    if file.format != ONNX:
        raise not_onnx(file.path, file.data)
    check_structure(file.bare, file.name, file.weights)
    check_weight(file, input_shapes)


def _check_used(session: Any, target: Target, path: Path) -> None:
    """Refuse a session whose device computes nothing: onnxruntime falls back silently."""
    if target.provider == _CPU:
        return
    running = session.get_providers()
    taken, count = assigned(session, target.provider)
    if target.provider not in running or (count and not taken):
        raise ModelUnsupportedError(
            sentence(
                "{name} cannot run on {wanted}: onnxruntime started it on {running} instead; check that "
                "provider's driver, or choose the CPU.",
                name=path.name,
                wanted=target.device.title,
                running=next((each for each in running if each != target.provider), _CPU),
            ),
            (sentence("{wanted} takes none of its operators", wanted=target.device.title),),
        )


def _where(session: Any, target: Target) -> str:
    taken, count = assigned(session, target.provider)
    if target.provider == _CPU or taken == count:
        return target.device.title
    return sentence(
        "{title}, {rest} of {count} operators on the CPU",
        title=target.device.title,
        rest=count - taken,
        count=count,
    )


def _session(file: NetworkFile, options: Any, target: Target, provider_options: Mapping[str, str]) -> Any:
    """Make an `onnxruntime.InferenceSession` of the checked bytes; the file may have changed since."""
    import onnxruntime

    # Otherwise a file in onnxruntime's own format, detected by its first bytes, would bypass our checks.
    options.add_session_config_entry("session.load_model_format", "ONNX")
    # The bytes only name external data; `check_external` has verified that they are in this folder.
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(resolved(file.path).parent)
    )
    chosen: dict[str, Any] = {}
    if target.plugged is not None:
        options.add_provider_for_devices([target.plugged], dict(provider_options))
    elif target.provider == _CPU:
        chosen = {"providers": [_CPU]}
    else:
        chosen = {"providers": [(target.provider, dict(provider_options)), _CPU]}
    try:
        session = onnxruntime.InferenceSession(file.runnable, options, **chosen)
    except Exception as error:  # onnxruntime's exceptions have no common base but Exception
        raise _load_error(file, error) from error
    session.disable_fallback()
    # Only the fallback disabled above needs these bytes, which double the weights' memory.
    session._model_bytes = None
    return session


def _load_error(file: NetworkFile, error: Exception) -> ModelError:
    failure = failure_of(error)
    if failure.kind is FailureKind.NOT_ONNX:
        return not_onnx(file.path, file.data)
    if failure.kind is FailureKind.NO_MEMORY:
        return ModelMemoryError(
            sentence(
                "There is not enough memory to load {name}; end other programs, or use a smaller network.",
                name=file.name,
            ),
            (sentence("not enough memory"),),
        )
    if failure.kind is FailureKind.UNSUPPORTED:
        return ModelUnsupportedError(
            sentence(
                "onnxruntime lacks something that {name} is made of; choose another network ({text}).",
                name=file.name,
                text=failure.reason,
            ),
            (failure.reason,),
        )
    return ModelInvalidError(
        sentence(
            "{name} is not a readable ONNX model; download or export it again ({text}).",
            name=file.name,
            text=failure.reason,
        )
    )


def _precision(path: Path, holds_integers: bool, session: Any, asked: Precision) -> str:
    own = "int8" if holds_integers else _float_precision(session)
    if asked == "auto" or asked == own or (asked == "fp32" and own == "int8"):
        return own
    raise ModelUnsupportedError(
        sentence(
            "{name} is computed in {own} and onnxruntime does not convert it to {asked}; choose 'auto', or "
            "the wgpu backend.",
            name=path.name,
            own=own,
            asked=asked,
        ),
        (f"precision {asked} is not the model's own ({own})",),
    )


def _float_precision(session: Any) -> str:
    halves = any(node.type == "tensor(float16)" for node in (*session.get_inputs(), *session.get_outputs()))
    # onnxruntime's CPU kernels compute most float16 operators in float32 between casts.
    return "fp16" if halves else "fp32"


def _load_requested(model: ModelFile, request: LoadRequest) -> Session:
    return OnnxRuntimeSession.load(
        model,
        precision=request.precision,
        device=request.device,
        threads=request.threads,
        input_shapes=request.input_shapes,
        input_values=request.input_values,
    )


BACKEND: Final = Backend(
    name="onnxruntime",
    title="ONNX Runtime",
    capabilities=Capabilities(encodes=False, devices=("cpu",)),
    priority=100,
    load=_load_requested,
    find_devices=find_devices,
)
