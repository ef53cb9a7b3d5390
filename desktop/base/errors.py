"""Every exception that Lightloom raises on purpose; anything else is a bug.

The text is one sentence for a user: what happened, to what, what to do. The command line exits with status 1,
or 2 for `UsageError`.

    LightloomError
      UsageError                 a command or a value typed wrongly
        AmbiguousNetworkError    a network that fits several tasks: see its `choices`
      GpuError
        NoAdapterError           no Vulkan, Metal, DirectX 12 or OpenGL adapter
        DeviceLostError          the driver reset or the GPU was unplugged
      ShaderError                WGSL that does not compile: file, line, column
      FilterError                a filter file's declaration, or a value for one of its parameters
      PresetError                a preset that cannot be read at all
      SourceError
        SourceNotFoundError      no such file or address
        SourceUnsupportedError   no frame in it, or a format without a decoder
        SourceDamagedError       broken data
        CameraError              denied, busy, lost: see its `state`
        StreamError              a network stream that cannot be reached
      ModelError
        ModelInvalidError        not a readable ONNX file, or an inconsistent one
        ModelUnsupportedError    operators or shapes that the chosen backend does not support, all listed
          SizesNeededError       inputs with free sizes that the user must choose
          ModelMemoryError       it takes more memory than is free
        ModelAwayError           its server does not respond correctly, for now
        HostNotAllowedError      it is on a host that frames may not be sent to: see its `host`
      LibraryError               the catalogue of networks, its folder, or a name that is in neither
        DownloadError            a network that could not be downloaded
      StoppedError               stopped by the user while the GPU was at work
      UpdateError                the check for a newer version failed
      ExportError                a snapshot, recording or video that cannot be written
      OutputError                standard output that cannot be written
      ServingError               a request to the server that fails: see its `kind`
      SpreadError                workers of a run on several processes or machines
      MetricsError               metrics cannot be served
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from desktop.base.printable import printable
from desktop.base.wording import Text, sentence

_NO_SPACE: Final = frozenset(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT))


class LightloomError(Exception):
    """Base of all errors that a user can cause or encounter; the text is always one printable line."""

    def __str__(self) -> str:
        said = super().__str__()
        # A `Text` stays one, which the window can translate.
        return said.mapped(printable) if isinstance(said, Text) else printable(said)


class UsageError(LightloomError):
    """A command line, an option or a value that is not understood."""


@dataclass(frozen=True)
class Choice:
    """One of a network's possible tasks: task id, decoder id ('' without decoders), and a title."""

    task: str
    decoder: str
    title: str

    def __str__(self) -> str:
        return f"{self.title} ({self.decoder or self.task})"


class AmbiguousNetworkError(UsageError):
    """A network with several equally likely tasks; `choices` lists them for the user to choose from."""

    def __init__(self, name: str, choices: tuple[Choice, ...]) -> None:
        self.choices = choices
        names = ", ".join(str(choice) for choice in choices)
        by_decoder = len({choice.task for choice in choices}) == 1
        template = (
            sentence(
                '{name} can be read as {names}; choose one (--decoder NAME), or write decoder = "NAME" into {sidecar}.',
                name=name,
                names=names,
                sidecar=f"{name}.lightloom.toml",
            )
            if by_decoder
            else sentence(
                '{name} can be for {names}; choose one (--task NAME), or write task = "NAME" into {sidecar}.',
                name=name,
                names=names,
                sidecar=f"{name}.lightloom.toml",
            )
        )
        super().__init__(template)


class GpuError(LightloomError):
    """The GPU or its driver refused something."""


class NoAdapterError(GpuError):
    """No usable wgpu adapter, or none of the requested name."""


class DeviceLostError(GpuError):
    """The device stopped responding; everything on it is lost."""


@dataclass(frozen=True)
class ShaderMessage:
    """Error in a shader; `line` and `column` count from 1 in the user's own file; 0 where unknown."""

    line: int
    column: int
    message: str


class ShaderError(LightloomError):
    """WGSL that does not compile; `messages` hold positions in the file `path`, not in generated source."""

    def __init__(self, path: str, messages: tuple[ShaderMessage, ...]) -> None:
        self.path = path
        self.messages = messages
        first = messages[0]
        where = f"{path}:{first.line}:{first.column}" if first.line else path
        super().__init__(f"{where}: {first.message}")


class FilterError(LightloomError):
    """A filter's declaration is wrong, or a parameter was given a value that it does not take.

    Attributes:
        line, column: where in the filter's file, from 1; 0 where unknown.
    """

    def __init__(self, text: str, line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.line, self.column = line, column


def shader_messages(error: LightloomError) -> tuple[ShaderMessage, ...]:
    """Return what is wrong with a filter's file, with positions where they are known."""
    if isinstance(error, ShaderError):
        return error.messages
    line, column = (error.line, error.column) if isinstance(error, FilterError) else (0, 0)
    return (ShaderMessage(line, column, str(error)),)


class PresetError(LightloomError):
    """A preset that cannot be read."""


class SourceError(LightloomError):
    """A source of frames failed."""


class SourceNotFoundError(SourceError):
    """No such file, folder or address."""


class SourceUnsupportedError(SourceError):
    """The file holds no frame, or one that no decoder here takes."""


class SourceDamagedError(SourceError):
    """The file is broken."""


class CameraError(SourceError):
    """A camera cannot be used; `state` is 'denied', 'busy' or 'lost'."""

    def __init__(self, state: str, message: str) -> None:
        self.state = state
        super().__init__(message)


class ScreenError(SourceError):
    """A screen or window cannot be captured; `state` is 'denied', 'hidden', 'missing' or 'closed'."""

    def __init__(self, state: str, message: str) -> None:
        self.state = state
        super().__init__(message)


class StreamError(SourceError):
    """A network stream cannot be reached or read."""


class SoundDeviceError(LightloomError):
    """A device that plays or records audio is missing, or cannot be opened."""


class SoundError(SourceError):
    """The audio of a source cannot be played; its frames can."""


class ControllerError(LightloomError):
    """MIDI devices or OSC messages cannot be received."""


class HotkeyError(LightloomError):
    """A global shortcut cannot be reserved."""


class ModelError(LightloomError):
    """A network cannot be used."""


class ModelInvalidError(ModelError):
    """Not a readable ONNX model, or one that contradicts itself."""


class ModelAwayError(ModelError):
    """A network's server is unreachable or sends invalid responses. The network stays: calls are retried."""


class HostNotAllowedError(ModelError):
    """A network is on a host that the user has not allowed; `host` is its name."""

    def __init__(self, host: str, message: str) -> None:
        self.host = host
        super().__init__(message)


@dataclass(frozen=True)
class Refusal:
    """A reason why a model is not supported: a clause without advice, '' for an unknown operator.

    `node` is a display name, '' if not about a node; `operator` has its domain unless that is ONNX's own.
    """

    reason: str
    node: str = ""
    operator: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.node, self.reason) if part)


class ModelUnsupportedError(ModelError):
    """The backend does not support the model; `refusals` lists all reasons (a plain text has no node)."""

    def __init__(self, message: str, refusals: Iterable[Refusal | str] = ()) -> None:
        self.refusals = tuple(Refusal(r) if isinstance(r, str) else r for r in refusals)
        super().__init__(message)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The refusals in words."""
        return tuple(str(refusal) for refusal in self.refusals)


class SizesNeededError(ModelUnsupportedError):
    """Inputs have dynamic dimensions without given sizes; `inputs` has each dimension in the file by input
    name: a size, or the name of a dynamic one ('?' without).
    """

    def __init__(
        self, message: str, refusals: Iterable[Refusal | str], inputs: Mapping[str, tuple[int | str, ...]]
    ) -> None:
        self.inputs = dict(inputs)
        super().__init__(message, refusals)


class ModelMemoryError(ModelUnsupportedError):
    """The model takes more main memory than is free, for now."""


class LibraryError(LightloomError):
    """The model library cannot perform an operation."""


class DownloadError(LibraryError):
    """A network could not be downloaded."""


class StoppedError(LightloomError):
    """Ctrl+C while waiting for the GPU; if it `is_busy`, end the process without releasing objects."""

    is_busy = False


class UpdateError(LightloomError):
    """Whether there is a newer version could not be found out."""


class ExportError(LightloomError):
    """A frame, recording or video cannot be written."""


def writing_advice(why: str) -> Text:
    """Return what to do about a file that cannot be written, as a clause; `why` as from `reason`."""
    if why in _NO_SPACE:
        return sentence("make room, or choose another folder")
    return sentence("check that its folder can be written to")


def not_written(path: Path, why: str) -> ExportError:
    """Return the error for a file that cannot be written, for a reason in a clause."""
    return ExportError(
        sentence(
            "{path} cannot be written: {reason}; {advice}.",
            path=path,
            reason=why,
            advice=writing_advice(why),
        )
    )


class OutputError(LightloomError):
    """Standard output cannot be written."""


class SpreadError(LightloomError):
    """Workers on other processes or machines are not available, or misbehave."""


RefusalKind = Literal[
    "invalid", "missing", "conflict", "full", "large", "unavailable", "late", "denied", "forbidden", "failed"
]


class ServingError(LightloomError):
    """A request to the inference server that is refused, or that failed; `kind` is 'invalid', 'missing' (no
    such model or address), 'conflict' (a model whose file was changed since it was loaded), 'full' (too much is waiting), 'large'
    (over a size limit), 'unavailable' (unloaded, or the server is ending), 'late' (timeout), 'denied' (token),
    'forbidden' (switched off) or 'failed'. After `retry_s` seconds a request that was 'full' or 'unavailable'
    may be sent again.
    """

    def __init__(self, kind: RefusalKind, message: str, *, retry_s: int = 1) -> None:
        self.kind, self.retry_s = kind, retry_s
        super().__init__(message)


class ControlError(LightloomError):
    """The window cannot be controlled remotely: the port, or a package that is not there."""


class MetricsError(LightloomError):
    """Metrics cannot be served: the address, the port, or a package that is not there."""
