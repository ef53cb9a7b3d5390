"""Trials of untrusted filters (trial.py), with results cached per text, adapter, driver and version."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.child import own_program
from desktop.base.errors import FilterError, LightloomError
from desktop.base.files import replace_file
from desktop.base.wording import packed, sentence, unpacked
from desktop.compute.gpu.device import AdapterInfo
from desktop.compute.gpu.shader import read_common
from desktop.compute.gpu.wgsl import ShaderText
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.limits import check_limits

log = logging.getLogger(__name__)

SIZE: Final = (1920, 1080)
_TOTAL_SECONDS: Final = 240.0
_LONG_SECONDS: Final = 2.0
_MAX_STORED: Final = 512
# Part of every key: changing it invalidates all trial results.
_FORMAT: Final = 2
_TRUST: Final = "LIGHTLOOM_TRUST_SHADERS"


@dataclass(frozen=True)
class Limits:
    """Limits of a trial, see `Request`.

    Windows resets a driver after 2 s, and the worst values may take twice `gpu_seconds`.
    """

    compile_seconds: float = 15.0
    software_seconds: float = 5.0
    gpu_seconds: float = 1.0
    memory: int = 2 << 30


@dataclass(frozen=True)
class Request:
    """Filter to try, and limits: processor time to compile it and run 8 x 8 pixels, resident memory in bytes.

    `picture_seconds` is for a frame of `SIZE` with defaults, twice that at the worst values; on a software
    adapter it is processor time over the number of cores, to exclude other programs.
    """

    text: str
    path: str
    adapter: str
    compile_seconds: float
    picture_seconds: float
    memory: int

    def json(self) -> str:
        """Return the content of its file."""
        return json.dumps(asdict(self))


class TrialStopped(FilterError):
    """A trial was ended because its result is no longer needed."""


def trusts_shaders() -> bool:
    """Return True if the user disabled trials of filters."""
    return os.environ.get(_TRUST, "") not in ("", "0")


@dataclass(frozen=True)
class TrialResult:
    """Result of a trial: `refusal` is '' if the filter may be used, `seconds` is for 1920 x 1080 pixels.

    `is_certain` is False if another try may end differently (busy processor, trial not started).
    """

    refusal: str = ""
    seconds: float = 0.0
    is_certain: bool = True


class TrialResultCache:
    """Trial results in a folder, a small file each; damaged ones are ignored, old ones removed."""

    def __init__(self, folder: Path, most: int = _MAX_STORED) -> None:
        self._folder, self._most = folder, most

    def get(self, key: str) -> TrialResult | None:
        """Return a trial result, None if there is no readable one."""
        path = self._folder / f"{key}.json"
        try:
            with path.open("rb") as stream:
                data = json.loads(stream.read(1 << 14))
            refusal, seconds = unpacked(data["refusal"]), data["seconds"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        if data.get("key") != key or not isinstance(seconds, (int, float)):
            return None
        return TrialResult(refusal, float(seconds))

    def put(self, key: str, trial_result: TrialResult) -> None:
        """Store a trial result; if that fails, the filter is tried again next time."""
        text = json.dumps(
            {"key": key, "refusal": packed(trial_result.refusal), "seconds": trial_result.seconds}
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f"{key}.json", [text.encode()])
            self._remove_oldest()
        except OSError as error:
            log.info("the trial result of a filter cannot be stored: %s", error)

    def _remove_oldest(self) -> None:
        kept = list(self._folder.glob("*.json"))
        if len(kept) > self._most:
            by_age = sorted(kept, key=lambda path: path.stat().st_mtime)
            for path in by_age[: len(kept) - self._most]:
                path.unlink(missing_ok=True)


class FilterVerifier:
    """Tries unknown filters, on any thread; `on_long_trial` is called on the caller's, to inform the user."""

    def __init__(
        self,
        folder: Path,
        *,
        trusts: bool = False,
        limits: Limits | None = None,
        max_stored: int = _MAX_STORED,
        command: Callable[[list[str]], list[str]] | None = None,
    ) -> None:
        """Make a verifier that stores `max_stored` results; `trusts` accepts every filter without a trial."""
        self._limits = limits or Limits()
        self._command = command or child_command
        self._cache = TrialResultCache(folder, max_stored)
        self._trusts = trusts
        self._uncertain: dict[str, TrialResult] = {}
        self.on_long_trial: Callable[[Filter], None] | None = None
        self.trials = 0

    def check(self, adapter: AdapterInfo, spec: Filter, stop: threading.Event) -> None:
        """Check that a filter may be used; raise FilterError with the reason, TrialStopped on `stop`."""
        if spec.builtin or self._trusts:
            return
        _check_text(spec)
        key = key_of(adapter, spec, self._limits)
        trial_result = self._uncertain.get(key) or self._cache.get(key)
        if trial_result is None:
            trial_result = self._try(adapter, spec, stop)
            if trial_result.is_certain:
                self._cache.put(key, trial_result)
            else:
                self._uncertain[key] = trial_result
        if trial_result.refusal:
            raise FilterError(
                sentence(
                    "{path}: {refusal}; shorten it, or start Lightloom with --trust-shaders to run it "
                    "anyway.",
                    path=spec.path,
                    refusal=trial_result.refusal,
                )
            )

    def _try(self, adapter: AdapterInfo, spec: Filter, stop: threading.Event) -> TrialResult:
        import tempfile  # not at the start: most starts try nothing

        self.trials += 1
        limits = self._limits
        request = Request(
            spec.text,
            spec.path,
            f"{adapter.name} {adapter.backend}",
            limits.compile_seconds,
            limits.software_seconds if adapter.is_software else limits.gpu_seconds,
            limits.memory,
        )
        with tempfile.TemporaryDirectory(prefix="lightloom-", ignore_cleanup_errors=True) as folder:
            asked, answer, errors = (
                Path(folder) / name for name in ("request.json", "answer.jsonl", "errors.txt")
            )
            asked.write_text(request.json(), encoding="utf-8")
            begun = time.monotonic()
            command = self._command([str(asked), str(answer)])
            status = _run(command, Path(folder), errors, stop, lambda: self._report_long_trial(spec))
            trial_result = _trial_result(_entries(answer), status, request, adapter)
            log.info(
                "%s tried in %.1f s: %s",
                spec.path,
                time.monotonic() - begun,
                trial_result.refusal or "usable",
            )
            if not trial_result.is_certain and errors.exists():
                log.info("the trial said: %s", errors.read_text("utf-8", "replace")[-2000:])
        return trial_result

    def _report_long_trial(self, spec: Filter) -> None:
        if self.on_long_trial is not None:
            self.on_long_trial(spec)


def _check_text(spec: Filter) -> None:
    try:
        check_limits(ShaderText.read(spec.text))
    except FilterError as error:
        raise FilterError(sentence("{path}: {error}", path=spec.path, error=error), error.line) from error


def key_of(adapter: AdapterInfo, spec: Filter, limits: Limits) -> str:
    """Return a hash of the text, its includes, the adapter, its driver, the program and the limits."""
    from desktop.base.version import version

    try:
        included = read_common(spec.included)
        program = version()
    except (LightloomError, LookupError):
        included, program = "", ""
    parts = (
        str(_FORMAT),
        program,
        spec.text,
        included,
        adapter.name,
        adapter.backend,
        adapter.vendor,
        adapter.driver,
        adapter.library,
        str(SIZE),
        str(limits),
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def child_command(arguments: list[str]) -> list[str]:
    """Return the command line of a trial. In a bundle the interpreter is the program itself."""
    return [*own_program(), "try-filter", *arguments]


def _run(
    command: list[str], folder: Path, errors: Path, stop: threading.Event, tell: Callable[[], None]
) -> int | None:
    """Run a trial; return its exit status, None if killed. Raise TrialStopped when `stop` is set; `tell` is
    called once if it takes long.
    """
    import subprocess

    root = str(Path(__file__).resolve().parents[3])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    flags: dict[str, Any] = {}
    if sys.platform == "win32":
        flags["creationflags"] = subprocess.CREATE_NO_WINDOW
    with errors.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,  # closed when this process ends, however it does: the trial ends then
            stdout=output,
            stderr=output,
            cwd=folder,
            env=environment,
            **flags,
        )
        try:
            begun = time.monotonic()
            told = False
            while process.poll() is None and not stop.is_set() and time.monotonic() - begun < _TOTAL_SECONDS:
                if not told and time.monotonic() - begun > _LONG_SECONDS:
                    told = True
                    tell()
                # Not a plain wait, which could not be stopped when the result is no longer needed.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.02)
            if process.poll() is None and stop.is_set():
                raise TrialStopped("The trial of a filter was stopped.")
            return process.poll()
        finally:
            if process.poll() is None:
                process.kill()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(2.0)
            assert process.stdin is not None
            process.stdin.close()


def _entries(answer: Path) -> list[dict[str, Any]]:
    try:
        lines = answer.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines]
    except (OSError, ValueError):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]


def _reported_text(value: object) -> str:
    # Whatever the trial wrote: it ran code that is not trusted.
    try:
        return unpacked(value)
    except ValueError:
        return str(value)


def _trial_result(
    entries: list[dict[str, Any]], status: int | None, request: Request, adapter: AdapterInfo
) -> TrialResult:
    last = entries[-1] if entries else {}
    if "refusal" in last:
        return TrialResult(_reported_text(last["refusal"]), float(last["seconds"]))
    step = next((_reported_text(entry["step"]) for entry in reversed(entries) if "step" in entry), "")
    if step in ("", "opening"):
        # It failed before reading the filter (adapter gone, no start): not the filter's fault, nor trusted.
        return TrialResult(
            sentence("it could not be tried, because the process for it did not start"), is_certain=False
        )
    if last.get("limit") == "memory":
        return TrialResult(
            sentence(
                "it needs more than {limit} GiB of memory on {adapter}",
                limit=request.memory >> 30,
                adapter=adapter.name,
            )
        )
    if step == "compile":
        if last.get("limit") == "time" or status is None or _is_processor_limit(status):
            work = next((_reported_text(entry["work"]) for entry in reversed(entries) if "work" in entry), "")
            what = sentence(
                "it takes more than {seconds:g} s to be compiled and run once for 8 x 8 pixels{work} on "
                "{adapter}",
                seconds=request.compile_seconds,
                work=work,
                adapter=adapter.name,
            )
            return TrialResult(what, is_certain=_is_processor_limit(status))
        return TrialResult(
            sentence(
                "compiling it for {adapter} crashes the driver ({end})",
                adapter=adapter.name,
                end=_end(status),
            )
        )
    if last.get("limit") == "time" or status is None:
        return TrialResult(
            sentence(
                "it hangs: {step} takes more than {seconds:g} s on {adapter}",
                step=step,
                seconds=last.get("allowed", request.picture_seconds),
                adapter=adapter.name,
            ),
            is_certain=not adapter.is_software,
        )
    return TrialResult(
        sentence("running it crashes the driver of {adapter} ({end})", adapter=adapter.name, end=_end(status))
    )


def _is_processor_limit(status: int | None) -> bool:
    if sys.platform == "win32" or status is None:
        return False
    import signal

    return status in (-signal.SIGXCPU, -signal.SIGKILL)


def _end(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status:#x}"
