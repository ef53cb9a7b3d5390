"""Load and run a PyTorch file in a process of its own first, which a crash, memory use or hang ends alone.

    python -m desktop try-torch REQUEST ANSWER        (bundled: lightloom try-torch REQUEST ANSWER)

Each step appends a line of JSON to ANSWER, the last with inputs and outputs or the refusal. Results are
cached by the file's hash, the versions of PyTorch and this program, and the requested sizes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop.base.child import start_own
from desktop.base.errors import LightloomError, ModelUnsupportedError
from desktop.base.files import replace_file
from desktop.base.paths import user_cache_folder
from desktop.base.trials import TrialLog, Watchdog, free_memory
from desktop.base.version import extra_command, version
from desktop.base.wording import packed, sentence, unpacked
from desktop.compute.nn.frontends.pytorch.words import first_line
from desktop.compute.nn.session import TensorInfo

if TYPE_CHECKING:
    import subprocess

Start = Callable[[list[str], Path, int], "subprocess.Popen[bytes]"]
_FORMAT: Final = 3
_SHARE: Final = 0.8
_IMPORT_SECONDS: Final = 120.0
_RUN_SECONDS: Final = 120.0
_TOTAL_SECONDS: Final = 300.0
_MAX_RESULT_BYTES: Final = 1 << 20
_SIDES: Final = (224, 640, 512, 256, 320, 384, 416, 448, 299, 300, 192, 128, 96, 64, 32, 28, 1024)
"""Image sizes to try on a TorchScript network, whose file does not state one; usual ones first."""
_CHANNELS: Final = (3, 1)
_LENGTHS: Final = (77, 128, 512, 256, 64, 32, 16, 8)
"""Lengths of sequences that one of integers is tried with."""


@dataclass(frozen=True)
class Tried:
    """Result of a trial: inputs and outputs (0 is a free size), or why not; `ran` are the sizes that ran."""

    inputs: tuple[TensorInfo, ...] = ()
    outputs: tuple[TensorInfo, ...] = ()
    refusal: str = ""
    ran: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class _Request:
    path: str
    kind: str
    name: str
    shapes: tuple[tuple[int, ...], ...]
    memory: int


def has_torch() -> bool:
    """True where PyTorch is installed; does not import it."""
    return find_spec("torch") is not None


def torch_missing(name: str) -> ModelUnsupportedError:
    """Return the error for a machine without PyTorch."""
    return ModelUnsupportedError(
        sentence(
            "{name} is a PyTorch file, and PyTorch is not installed; install it ({command}; without a GPU "
            "PyTorch's CPU build "
            "first, docs/backends.md), or export the network with torch.onnx.export.",
            name=name,
            command=extra_command("torch"),
        ),
        (sentence("PyTorch is not installed"),),
    )


def tried(
    data: bytes,
    kind: str,
    name: str,
    shapes: Sequence[Sequence[int]] = (),
    *,
    start: Start = start_own,
    program: str = "",
) -> Tried:
    """Return a file's inputs and outputs after a trial with `shapes`, or without them what it takes.

    `start` starts the process, `program` is the version in the cache's key. Raises ModelUnsupportedError.
    """
    if not has_torch():
        raise torch_missing(name)
    asked = tuple(tuple(shape) for shape in shapes)
    # With this program's version: a newer one takes what an older one refused.
    known = (str(_FORMAT), program or version(), kind, _torch_version(), hashlib.sha256(data).hexdigest())
    found = _read(_cache_file(known, asked))
    if found is None:
        found, is_certain = _try(data, kind, name, asked, start)
        if is_certain:
            _store_result(_cache_file(known, asked), found)
            if found.ran not in ((), asked):
                _store_result(_cache_file(known, found.ran), found)
    if found.refusal:
        raise ModelUnsupportedError(found.refusal, (found.refusal,))
    return found


def _cache_file(known: tuple[str, ...], shapes: tuple[tuple[int, ...], ...]) -> Path:
    key = hashlib.sha256("|".join((*known, str(shapes))).encode()).hexdigest()
    return user_cache_folder() / "pytorch" / f"{key}.json"


def _store_result(path: Path, found: Tried) -> None:
    # Where that is not possible it is tried again next time.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, [json.dumps(_plain(found)).encode()])


def _torch_version() -> str:
    from importlib import metadata

    try:
        return metadata.version("torch")
    except metadata.PackageNotFoundError:
        return ""


def _try(
    data: bytes, kind: str, name: str, shapes: tuple[tuple[int, ...], ...], start: Start
) -> tuple[Tried, bool]:
    """Return the result of a trial in a separate process, and whether it can be reused."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="lightloom-", ignore_cleanup_errors=True) as folder:
        file, asked, answer = (Path(folder) / part for part in ("network", "request.json", "answer.jsonl"))
        file.write_bytes(data)
        request = _Request(str(file), kind, name, shapes, int(_SHARE * free_memory()))
        asked.write_text(json.dumps(asdict(request)), encoding="utf-8")
        status = _wait(start(["try-torch", str(asked), str(answer)], Path(folder), subprocess.DEVNULL))
        return _trial_result(answer, name, status)


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """Return the exit status; None of a process that had to be ended."""
    import subprocess

    try:
        return process.wait(_TOTAL_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stdin is not None:
            process.stdin.close()


def _trial_result(answer: Path, name: str, status: int | None) -> tuple[Tried, bool]:
    entries = _entries(answer)
    last = entries[-1] if entries else {}
    if "inputs" in last or "refusal" in last:
        return _tried(last), True
    step = next((entry["step"] for entry in reversed(entries) if "step" in entry), "")
    if step in ("", "opening"):
        what = sentence("it could not be tried, because PyTorch does not start here")
    elif last.get("limit") == "memory":
        what = sentence("it needs more memory than is free")
    elif last.get("limit") == "time" or status is None:
        what = sentence("it takes more than {seconds:g} s for one image", seconds=_RUN_SECONDS)
    else:
        what = sentence("PyTorch crashes on it")
    return Tried(
        refusal=sentence("{name} can't be run: {what}; choose another network.", name=name, what=what)
    ), False


def _entries(answer: Path) -> list[dict[str, Any]]:
    try:
        if answer.stat().st_size > _MAX_RESULT_BYTES:
            return []
        entries = [json.loads(line) for line in answer.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, RecursionError):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]


def _plain(found: Tried) -> dict[str, Any]:
    if found.refusal:
        return {"refusal": packed(found.refusal)}
    return {
        "inputs": [asdict(info) for info in found.inputs],
        "outputs": [asdict(info) for info in found.outputs],
        "ran": found.ran,
    }


def _tried(entry: Any) -> Tried:
    # Whatever was written: the process ran code that is not trusted.
    try:
        if "refusal" in entry:
            return Tried(refusal=unpacked(entry["refusal"]))
        inputs, outputs = (tuple(map(_info, entry[key][:64])) for key in ("inputs", "outputs"))
        ran = tuple(tuple(int(n) for n in shape[:16]) for shape in entry["ran"][:64])
        return Tried(inputs, outputs, ran=ran)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Tried(refusal=sentence("The trial of a PyTorch file gave no answer; load it again."))


def _info(entry: Any) -> TensorInfo:
    shape = tuple(int(n) for n in entry["shape"][:16])
    return TensorInfo(str(entry["name"])[:200], shape, str(entry["dtype"])[:20])


def _read(path: Path) -> Tried | None:
    try:
        with path.open("rb") as stream:
            return _tried(json.loads(stream.read(_MAX_RESULT_BYTES)))
    except (OSError, ValueError, RecursionError):
        return None


# -- the process ---------------------------------------------------------------------------------------------


def main(arguments: list[str]) -> int:
    """Try the file of a request; return the exit status."""
    asked = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    request = _Request(**{**asked, "shapes": tuple(map(tuple, asked["shapes"]))})
    log = TrialLog(Path(arguments[1]))
    # Ctrl+C goes to all processes of a terminal; the one that asked ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    watchdog = Watchdog(log, request.memory)
    watchdog.allow(_IMPORT_SECONDS)
    log.write(step="opening")
    found = _examine(request, log, watchdog)
    log.write(**_plain(found))
    # Nothing is to be tidied up.
    os._exit(0)


def _examine(request: _Request, log: TrialLog, watchdog: Watchdog) -> Tried:
    import torch

    from desktop.compute.nn.frontends.pytorch.networks import load_network

    watchdog.allow(_RUN_SECONDS)
    log.write(step="loading")
    try:
        network = load_network(Path(request.path).read_bytes(), request.kind, request.name, "cpu")
        log.write(step="running")
        # Not optimized: that takes TorchScript longer than all that is run here.
        with torch.inference_mode(), torch.jit.optimized_execution(False):
            if network.graph is None and not request.shapes:
                return _guess(network, watchdog)
            shapes = request.shapes or _usual(network.graph)
            outputs = _run(network, shapes)
    except LightloomError as error:
        return Tried(refusal=str(error) if not isinstance(error.args[0], str) else error.args[0])
    except (
        Exception
    ) as error:  # whatever PyTorch raises for a file: its exceptions are RuntimeErrors of all kinds
        return Tried(refusal=_failed(request.name, error))
    inputs = (TensorInfo(*each) for each in zip(network.inputs, shapes, network.dtypes, strict=False))
    return Tried(tuple(inputs), outputs, ran=tuple(map(tuple, shapes)))


def _usual(graph: Any) -> tuple[tuple[int, ...], ...]:
    """The sizes of an exported program's inputs; free ones as vision/backends/onnxruntime.py takes them."""
    return tuple(usual_shape(info.shape) for info in graph.inputs)


def usual_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape with its free sizes filled in: a batch is 1, a height or width of an image 224."""
    return tuple(n or (_SIDES[0] if len(shape) == 4 and axis else 1) for axis, n in enumerate(shape))


def _run(network: Any, shapes: Sequence[Sequence[int]]) -> tuple[TensorInfo, ...]:
    import torch

    zeros = [
        torch.zeros(tuple(shape), dtype=getattr(torch, dtype))
        for shape, dtype in zip(shapes, network.dtypes, strict=True)
    ]
    found = network.call(*zeros)
    return tuple(
        TensorInfo(name, tuple(each.shape), str(each.dtype).removeprefix("torch."))
        for name, each in found.items()
    )


def _guess(network: Any, watchdog: Watchdog) -> Tried:
    """Find the images or integer sequences that a TorchScript network takes: the first usual size that runs.

    Sizes are free if another one also runs. Raises RuntimeError, PyTorch's first message, if none does.
    """
    if len(network.inputs) != 1:
        raise RuntimeError(f"it takes {len(network.inputs)} inputs, whose sizes its file does not say")
    first: Exception | None = None
    for shape, other in _usual_sizes(network.dtypes[0]):
        watchdog.allow(_RUN_SECONDS)
        try:
            outputs = _run(network, [shape])
        except Exception as error:  # as above: a size that it does not take
            first = first or error
            continue
        found = _other(network, other, watchdog)
        if found is not None:
            outputs = tuple(
                TensorInfo(a.name, _common(a.shape, b.shape), a.dtype)
                for a, b in zip(outputs, found, strict=False)
            )
        taken = shape if found is None else _common(shape, other)
        return Tried((TensorInfo(network.inputs[0], taken, network.dtypes[0]),), outputs, ran=(shape,))
    raise RuntimeError(str(first))


def _usual_sizes(dtype: str) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Sizes to try, each with another one: of images a multiple of 32 more, as most need."""
    if dtype == "int64":
        yield from (((1, length), (1, length - 1)) for length in _LENGTHS)
        return
    for channels in _CHANNELS:
        yield from (((1, channels, n, n), (1, channels, n + 32, n + 64)) for n in _SIDES)


def _other(network: Any, shape: tuple[int, ...], watchdog: Watchdog) -> tuple[TensorInfo, ...] | None:
    """The outputs for another size; None where it does not run."""
    watchdog.allow(_RUN_SECONDS)
    try:
        return _run(network, [shape])
    except Exception:  # as above: a size that it does not take, so the first one is the only one
        return None


def _common(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    if len(first) != len(second):
        return first
    return tuple(a if a == b else 0 for a, b in zip(first, second, strict=True))


def _failed(name: str, error: Exception) -> str:
    return sentence(
        "PyTorch can't run {name}: {reason}; choose another network, or export it as ONNX.",
        name=name,
        reason=first_line(error),
    )
