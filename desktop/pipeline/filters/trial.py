"""Process in which an untrusted filter is first tried: `python -m desktop try-filter REQUEST ANSWER`.

REQUEST is a `Request` as JSON. Each step appends JSON to ANSWER: {"step": what begins}, at the end
{"refusal": reason or '', "seconds": a frame's}; a process that dies leaves its last step. Files, because a
bundled program on Windows may have no standard streams. Limits are enforced by a thread here (time, memory),
the kernel (processor time, address space) and `FilterVerifier`, which kills the process.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import LightloomError
from desktop.base.trials import TrialLog, Watchdog
from desktop.base.wording import packed, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import LossWatch, gpu_reason
from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.inputs import FULL
from desktop.pipeline.filters.param import ParamValue, Values
from desktop.pipeline.filters.program import FilterProgram
from desktop.pipeline.filters.stage import FilterStage, StageIO
from desktop.pipeline.filters.verifier import SIZE, Request

# Small first: what would take minutes on a whole image shows on a part of it.
_FIRST: Final = (8, 8)
_SIZES: Final = (_FIRST, (240, 135), (960, 540), SIZE)
_MAX_VARIANTS: Final = 24
# Half of the smallest thread stack on each system: naga's recursion then also survives in other threads.
_STACK: Final = (512 if sys.platform == "win32" else 4096) << 10


class _Refused(Exception):
    """The filter must not be used; the text continues a sentence that begins with its name."""


def _limit_processor(seconds: float | None) -> None:
    """Have the kernel end this process after more seconds of processor time; None removes the limit."""
    if sys.platform == "win32":
        return
    import resource

    used = time.process_time()
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = hard if seconds is None else int(used + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_addresses(more: int) -> None:
    """Limit the address space to the present one and `more` bytes; on Linux only, where it is enforced."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = mapped + more
    resource.setrlimit(
        resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
    )


# -- which values --------------------------------------------------------------------------------------------


def variants(spec: Filter) -> list[dict[str, ParamValue]]:
    """Return values to try: defaults, then range ends with each choice; the loop budget holds in between."""
    found = [spec.defaults]
    for end in (1, 0):
        base = {p.name: p.ends[end] for p in spec.params}
        found.append(base)
        found += [base | {p.name: case} for p in spec.params for case in p.cases]
    different = {json.dumps(values, sort_keys=True): values for values in found}
    return list(itertools.islice(different.values(), _MAX_VARIANTS))


# -- measuring -----------------------------------------------------------------------------------------------


class _Trial:
    """A program on its adapter."""

    def __init__(
        self, request: Request, gpu: Gpu, program: FilterProgram, log: TrialLog, watchdog: Watchdog
    ) -> None:
        self._request = request
        self._gpu = gpu
        self._program = program
        self._log = log
        self._watchdog = watchdog

    def _clock(self) -> float:
        if self._gpu.adapter.is_software:
            return time.process_time() / cores()
        return time.perf_counter()

    def measure(self) -> float:
        """Return seconds for a frame of `SIZE` with the defaults; raise `_Refused` if too slow."""
        first, *others = variants(self._program.spec)
        allowed = self._request.picture_seconds
        seconds = self._check(first, allowed, sentence("it"))
        if others:
            self._check(
                self._slowest(others, 2 * allowed),
                2 * allowed,
                sentence("with parameters at the ends of their ranges it"),
            )
        return seconds

    def _slowest(self, found: Sequence[Values], allowed: float) -> Values:
        """Return the slowest values for a small image, or the first with a quarter of a whole one's limit."""
        longest, slowest = -1.0, found[0]
        for values in found:
            seconds = self._run(_SIZES[1], values, allowed)
            if seconds > longest:
                longest, slowest = seconds, values
            if seconds > allowed / 4:
                break
        return slowest

    def _check(self, values: Values, allowed: float, what: str) -> float:
        seconds = self._full_frame_seconds(values, allowed)
        if seconds > allowed:
            raise _Refused(
                sentence(
                    "{what} takes {seconds:.1f} s for a frame of {width} x {height} pixels{work} on "
                    "{adapter}, and {allowed:g} s are allowed",
                    what=what,
                    seconds=seconds,
                    width=SIZE[0],
                    height=SIZE[1],
                    work=_work(self._program.spec),
                    adapter=self._gpu.adapter.name,
                    allowed=allowed,
                )
            )
        return seconds

    def _full_frame_seconds(self, values: Values, allowed: float) -> float:
        """Seconds for a whole image, guessed from smaller ones if they already show that it is too slow."""
        before: tuple[int, float] | None = None
        seconds = 0.0
        for size in _SIZES:
            area = size[0] * size[1]
            seconds = self._run(size, values, allowed)
            if _is_too_slow(seconds, _guess(before, (area, seconds)), allowed):
                # A size's first run also prepares its memory; other load distorts a small one's estimate.
                seconds = min(seconds, self._run(size, values, allowed))
            guess = _guess(before, (area, seconds))
            if _is_too_slow(seconds, guess, allowed):
                return max(seconds, guess)
            before = (area, seconds)
        return seconds

    def _run(self, size: tuple[int, int], values: Values, allowed: float) -> float:
        """Seconds of one frame."""
        self._log.write(
            step=packed(
                sentence(
                    "a frame of {width} x {height} pixels{work}",
                    width=size[0],
                    height=size[1],
                    work=_work(self._program.spec),
                )
            ),
            allowed=allowed,
        )
        # Processor time is what counts on a software adapter, and other programs may have most of it.
        self._watchdog.allow(10.0 + 8.0 * allowed)
        return self.run(size, values)

    def run(self, size: tuple[int, int], values: Values) -> float:
        """Seconds of one frame, whatever it takes."""
        stage = FilterStage(self._program, values)
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        usage |= wgpu.TextureUsage.COPY_DST
        a, b = (
            self._gpu.device.create_texture(size=(*size, 1), format=WORKING_FORMAT, usage=usage)
            for _ in range(2)
        )
        _fill(self._gpu, a, size)
        # As if it had run for an hour: what grows with the frame's number or time has grown.
        info = FrameInfo(size, 3600.0, 1 / 30, 108_000)
        try:
            stage.prepare(StageIO(a, a, b), size, reset=True)
            stage.update(info)
            stage.set_inputs(FULL)
            encoder = self._gpu.device.create_command_encoder()
            stage.clear(encoder)
            compute_pass = encoder.begin_compute_pass()
            stage.encode(compute_pass)
            compute_pass.end()
            begun = self._clock()
            self._gpu.queue.submit([encoder.finish()])
            self._gpu.wait()
            return self._clock() - begun
        finally:
            stage.close()
            a.destroy()
            b.destroy()


def _guess(smaller: tuple[int, float] | None, run: tuple[int, float]) -> float:
    """Guess a whole image's seconds from two runs, each (area in pixels, seconds), or take `run`'s own."""
    if smaller is None:
        return run[1]
    slope = max(0.0, run[1] - smaller[1]) / (run[0] - smaller[0])
    return run[1] + slope * (SIZE[0] * SIZE[1] - run[0])


def _is_too_slow(seconds: float, guess: float, allowed: float) -> bool:
    """True if a run takes longer than allowed, or by the guess a whole image certainly would."""
    return seconds > allowed or guess > 1.5 * allowed


def _fill(gpu: Gpu, texture: wgpu.GPUTexture, size: tuple[int, int]) -> None:
    """Write noise: a loop that depends on the frame may do nothing at all on a black one."""
    width, height = size
    noise = np.random.default_rng(0).random((height, width, 4), np.float32).astype(np.float16)
    layout = {"bytes_per_row": 8 * width, "rows_per_image": height}
    gpu.queue.write_texture({"texture": texture}, noise, layout, (width, height, 1))


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(spec: Filter) -> str:
    """Return a filter's work, ' (63 passes, textures up to 4096 x 4096)'; '' for a single pass."""
    sizes = [texture.resolve(*SIZE) for texture in spec.textures]
    largest = max(sizes, key=lambda size: size[0] * size[1], default=SIZE)
    if len(spec.passes) < 2:
        return ""
    return sentence(
        " ({count} passes, textures up to {width} x {height})",
        count=len(spec.passes),
        width=largest[0],
        height=largest[1],
    )


# -- the process ---------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _losses(gpu: Gpu) -> Iterator[None]:
    adapter = gpu.adapter.name
    watch = LossWatch(gpu.device)
    try:
        yield
    except (wgpu.GPUError, RuntimeError) as error:
        if watch.is_loss(error):
            raise _Refused(
                sentence("it stops {adapter}: its driver gave up on it", adapter=adapter)
            ) from error
        raise _Refused(sentence("the GPU refuses to run it: {reason}", reason=gpu_reason(error))) from error
    finally:
        watch.close()
    if watch.is_lost:
        raise _Refused(sentence("it stops {adapter}: its driver gave up on it", adapter=adapter))


def _try(request: Request, log: TrialLog) -> tuple[str, float]:
    """Return why the filter must not be used ('' for none), and seconds a frame."""
    watchdog = Watchdog(log, request.memory)
    log.write(step="opening")
    gpu = Gpu.open(request.adapter)
    log.write(step="compile")
    if gpu.adapter.is_software:
        _limit_addresses(request.memory)
    _limit_processor(request.compile_seconds)
    watchdog.allow(10.0 + 4.0 * request.compile_seconds)
    try:
        spec = parse_filter(request.text, request.path, builtin=False)
        with _losses(gpu):
            log.write(step="compile", work=packed(_work(spec)))
            trial = _Trial(request, gpu, FilterProgram(gpu, spec), log, watchdog)
            trial.run(_FIRST, spec.defaults)
            _limit_processor(None)
            return "", trial.measure()
    except _Refused as refused:
        return str(refused), 0.0
    except LightloomError:
        return "", 0.0  # the code that compiles it next gets the same error, with line and column


def _with_stack(work: Callable[[], None], size: int) -> None:
    before = threading.stack_size(size)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()


def main(arguments: list[str]) -> int:
    """Try the filter of a request; return the exit status."""
    request = Request(**json.loads(Path(arguments[0]).read_text(encoding="utf-8")))
    log = TrialLog(Path(arguments[1]))
    # Ctrl+C goes to all processes of a terminal; the one that asked ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def work() -> None:
        refusal, seconds = _try(request, log)
        log.write(refusal=packed(refusal), seconds=round(seconds, 4))
        # Nothing is to be tidied up, and a driver may take its time over it.
        os._exit(0)

    _with_stack(work, _STACK)
    return 1
