"""Choose a network's backend and give the reason. An explicit choice is never replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop.base.errors import (
    ModelError,
    ModelInvalidError,
    ModelMemoryError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.base.notices import report_while_running
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.refusals import reason_of
from desktop.compute.nn.session import Precision, Session
from desktop.vision.backends import AUTO, backend_choices, backends, find_backend
from desktop.vision.backends.backend import Backend, LoadRequest
from desktop.vision.models.model_file import Model, ModelFile
from desktop.vision.models.trimming import opened_real

if TYPE_CHECKING:
    import numpy as np

    from desktop.compute.nn.compile.cache import SessionCache  # imports onnx
    from desktop.compute.nn.lowering.tuning import Tuning


@dataclass(frozen=True)
class LoadedSession:
    """A session and, in one sentence for the user, the reason for its backend."""

    session: Session
    reason: str


def load_session(
    model: Model,
    *,
    gpu: Gpu | None,
    backend: str = AUTO,
    precision: Precision = "auto",
    device: str = AUTO,
    threads: int | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    input_values: Mapping[str, np.ndarray] | None = None,
    cache: SessionCache | Literal["user"] | None = "user",
    tuning: Tuning | Literal["user"] | None = "user",
    real_outputs: bool = False,
    among: Sequence[Backend] | None = None,
) -> LoadedSession:
    """Load a network on the backend that suits this machine, or on a given one.

    Args:
        model: an ONNX or TensorFlow Lite file (path or open; large data are released), or an address.
        gpu: the device of the frames; None allows only backends that need none.
        backend: a name, which is never replaced, or 'auto': tries backends on the GPU first (on a software
            adapter those on the CPU) until one supports the model; the reason names the others.
        device: 'auto', or a device's name of the backend, never replaced. Others: see `LoadRequest`.
        among: the backends that 'auto' tries, in order; by default `automatic_backends` of `gpu`.

    Raises:
        ModelInvalidError: not a readable model.
        ModelUnsupportedError: the chosen backend (with 'auto': every backend) does not support the model.
        UsageError: an unknown backend, one without its GPU, or a device without its backend.
    """
    request = LoadRequest(
        gpu=gpu,
        precision=precision,
        device=device,
        threads=threads,
        input_shapes=input_shapes,
        input_values=input_values,
        cache=cache,
        tuning=tuning,
        real_outputs=real_outputs,
    )
    chosen = find_backend(backend)
    if chosen is None and backend != AUTO:
        *others, last = backend_choices()
        raise UsageError(
            sentence(
                "There is no backend '{backend}'; choose {others} or {last}.",
                backend=backend,
                others=", ".join(others),
                last=last,
            )
        )
    if chosen is None and device != AUTO:
        # 'cuda:0' is a device of PyTorch and of ONNX Runtime: the backend is not guessed.
        raise UsageError(
            sentence("The device '{device}' was chosen without its backend; choose both.", device=device)
        )
    with (
        ModelFile.opened(model) as opened,
        report_while_running(_still_loading(opened)),
        opened_real(opened) if real_outputs else nullcontext(opened) as file,
    ):
        if chosen is None:
            tried = automatic_backends(gpu) if among is None else among
            loaded = _load_automatically(file, request, tried)
        else:
            why = _choice_reason(chosen, device)
            loaded = LoadedSession(_load(chosen, file, request), why)
        opened.release()
        file.release()
        return _with_division(loaded)


def _still_loading(file: ModelFile) -> str:
    return sentence("{name} is still being loaded; a large network may take minutes.", name=file.name)


def automatic_backends(gpu: Gpu | None, among: Sequence[Backend] | None = None) -> tuple[Backend, ...]:
    """Return the backends that 'auto' tries, those that suit the adapter first."""
    suits = "cpu" if gpu is None or gpu.adapter.is_software else "gpu"
    every = backends() if among is None else among
    usable = [b for b in every if b.priority > 0 and (gpu is not None or not b.capabilities.encodes)]
    return tuple(sorted(usable, key=lambda b: suits not in b.capabilities.devices))


def _choice_reason(backend: Backend, device: str) -> str:
    if device == AUTO:
        return sentence("{backend} was chosen by the user.", backend=backend.name)
    return sentence("{backend} and {device} were chosen by the user.", backend=backend.name, device=device)


def _with_division(loaded: LoadedSession) -> LoadedSession:
    division = loaded.session.capabilities.division
    if not division:
        return loaded
    both = sentence("{reason} {division}", reason=loaded.reason, division=division)
    return LoadedSession(loaded.session, both)


def _load(backend: Backend, model: ModelFile, request: LoadRequest) -> Session:
    if model.remote is not None and model.format not in backend.capabilities.formats:
        raise ModelUnsupportedError(
            sentence("{name} is computed by its server; choose the backend 'auto' for it.", name=model.name)
        )
    if model.format not in backend.capabilities.formats:
        readers = [each.name for each in backends() if model.format in each.capabilities.formats]
        raise ModelUnsupportedError(
            sentence(
                "The backend {backend} does not read {format} files; choose {others}.",
                backend=backend.name,
                format=model.format,
                others=", ".join(readers),
            ),
            (sentence("{backend} does not read {format} files", backend=backend.name, format=model.format),),
        )
    if request.precision not in ("auto", *backend.capabilities.precisions):
        raise ModelUnsupportedError(
            sentence(
                "The backend {backend} does not compute in {precision}; choose the precision 'auto' or "
                "another backend.",
                backend=backend.name,
                precision=request.precision,
            )
        )
    return backend.load(model, request)


def _load_automatically(model: ModelFile, request: LoadRequest, tried: Sequence[Backend]) -> LoadedSession:
    asked = tried
    only = [b for b in backends() if not b.capabilities.offered]
    first, *others = [b for b in (*asked, *only) if model.format in b.capabilities.formats] or asked
    try:
        return LoadedSession(
            _load(first, model, request), _backend_reason(first, asked[0], model, request.gpu)
        )
    except (
        ModelInvalidError,
        ModelUnsupportedError,
    ) as error:  # a file that one calls invalid, another may read
        refusals: list[tuple[Backend, ModelError]] = [(first, error)]
        if not others:
            raise
    for backend in others:
        try:
            session = _load(backend, model, request)
        except ModelError as error:
            refusals.append((backend, error))
            continue
        return LoadedSession(session, _fallback_reason(backend, *refusals[0]))
    unsupported = [r for r in refusals if isinstance(r[1], ModelUnsupportedError)]
    if not unsupported:
        raise refusals[0][1]
    # Where one lacks memory alone, it takes the network once there is more.
    lacking = next((each for _, each in unsupported if isinstance(each, ModelMemoryError)), None)
    if lacking is not None:
        raise _none_has_memory(model.path, lacking, [first, *others]) from lacking
    # The reason of a recorded backend: it names the operators.
    _, refused = next((r for r in unsupported if r[0].capabilities.encodes), unsupported[0])
    raise _none_takes(model.path, refused, [first, *others]) from refused


def _backend_reason(backend: Backend, suited: Backend, model: ModelFile, gpu: Gpu | None) -> str:
    """Explain the choice: suited to the adapter, or the only suitable backend that reads the file."""
    if model.remote is not None:
        return sentence("its address names a server.")
    if backend is suited:
        return _default_reason(gpu)
    return sentence(
        "{name} is a {format} file, which {suited} does not read.",
        name=model.name,
        format=model.format,
        suited=suited.name,
    )


def _default_reason(gpu: Gpu | None) -> str:
    if gpu is None:
        return sentence("there is no GPU device.")
    if gpu.adapter.is_software:
        return sentence("{name} is a software adapter.", name=gpu.adapter.name)
    return sentence("{name} is a GPU.", name=gpu.adapter.name)


def _fallback_reason(backend: Backend, other: Backend, refused: ModelError) -> str:
    if backend.capabilities.encodes:
        return sentence(
            "{backend} on a software adapter (slow), because {other} does not take the model: {refused}",
            backend=backend.name,
            other=other.name,
            refused=refused,
        )
    return sentence(
        "{backend} on the CPU, because {other} does not take the model: {refused}",
        backend=backend.name,
        other=other.name,
        refused=refused,
    )


def _none_takes(path: Path, refused: ModelError, asked: Sequence[Backend]) -> ModelUnsupportedError:
    *others, last = _names(asked)
    if not others:
        return ModelUnsupportedError(
            sentence(
                "{name} does not run on {last}; choose another network ({reason}).",
                name=path.name,
                last=last,
                reason=reason_of(refused),
            ),
            refused.refusals if isinstance(refused, ModelUnsupportedError) else (),
        )
    return ModelUnsupportedError(
        sentence(
            "{name} runs neither on {others} nor on {last}; choose another network ({reason}).",
            name=path.name,
            others=", ".join(others),
            last=last,
            reason=reason_of(refused),
        ),
        refused.refusals if isinstance(refused, ModelUnsupportedError) else (),
    )


def _none_has_memory(path: Path, refused: ModelMemoryError, asked: Sequence[Backend]) -> ModelMemoryError:
    *others, last = _names(asked)
    if not others:
        return ModelMemoryError(
            sentence(
                "{name} does not run on {last} for now; end other programs, or choose a smaller network "
                "({reason}).",
                name=path.name,
                last=last,
                reason=reason_of(refused),
            ),
            refused.refusals,
        )
    return ModelMemoryError(
        sentence(
            "{name} runs neither on {others} nor on {last} for now; end other programs, or choose a smaller "
            "network ({reason}).",
            name=path.name,
            others=", ".join(others),
            last=last,
            reason=reason_of(refused),
        ),
        refused.refusals,
    )


def _names(asked: Sequence[Backend]) -> list[str]:
    """Return the names of backends, the most important first."""
    return [each.name for each in sorted(asked, key=lambda each: (-each.priority, each.name))]
