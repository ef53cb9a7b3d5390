"""Measure the valid kernels (`tiles.py`) of each shape of a network: `lightloom model tune`.

Each candidate computes a dispatch in place of the rule's kernel, and counts only if its result is the same.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ShaderError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph
from desktop.compute.nn.compile.pipelines import pipeline_of
from desktop.compute.nn.compile.target import arithmetic_of, is_half, target_of
from desktop.compute.nn.frontends.network_file import Model
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.launch import Site
from desktop.compute.nn.lowering.plan import NCHW, Dispatch, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.measure.profile import Encode, clock_of, profile_session, time_each
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision, TensorInfo

MARGIN: Final = 0.95
"""Share of the rule's time below which a kernel replaces the rule's; smaller gains are noise."""

TOLERANCE: Final = {"float32": 1e-4, "float16": 1e-2}
"""Largest difference that counts as rounding: its norm over the norm of the rule's result."""

_NETWORK_TOLERANCE: Final = {"float32": 1e-3, "float16": 2e-2}  # the engine's own, against onnxruntime
_NOTE_SLOWER: Final = "slower"
_SLOWER: Final = 1.25  # times the fastest, in a first sample: not measured any further
_FINALISTS: Final = 4
_ROUNDS: Final = (3, 7)  # at least, at most
_SAMPLE_MS: Final = {"GPU timestamps": 2.0, "CPU": 10.0}
"""Length of a sample. With 0.5 ms an H100 was mostly idle and fell to a fifth of its clock."""
_REPEATS: Final = 500
_INFERENCES: Final = (5, 25)  # each, at least and at most
_RESERVE: Final = 2 * _INFERENCES[0] + 2  # the least that `compare` takes


@dataclass(frozen=True)
class Trial:
    """A candidate: ms (None if the driver refuses it), why rejected; `is_slower`: only for its time."""

    choice: str
    ms: float | None
    note: str = ""
    is_slower: bool = False


@dataclass(frozen=True)
class Measured:
    """The measured kernels of a shape; `node` is the first of `count` dispatches.

    `rule` and `winner` are kernels, equal if the rule's stays, with medians in ms; `trials` are the others.
    """

    key: str
    node: str
    count: int
    rule: str
    rule_ms: float
    winner: str
    winner_ms: float
    trials: tuple[Trial, ...]

    @property
    def is_tuned(self) -> bool:
        """Return True if another kernel than the rule's won."""
        return self.winner != self.rule


@dataclass(frozen=True)
class Comparison:
    """Times of an inference in ms by rules and by a tuning; `difference` (at most `limit`) of outputs.

    It is the norm of the difference over the norm of the output, the largest of all outputs.
    """

    before_ms: float
    after_ms: float
    difference: float
    limit: float

    @property
    def is_better(self) -> bool:
        """Return True if the tuning is faster and computes the same."""
        return self.after_ms < self.before_ms and self.difference <= self.limit


@dataclass(frozen=True)
class _Candidate:
    name: str
    dispatch: Dispatch


class Tuner:
    """A network planned by the rules, and the candidates for its shapes. Holds GPU memory until `close`."""

    def __init__(self, gpu: Gpu, graph: Graph, target: Target, precision: str) -> None:
        """Use `load`."""
        self._gpu = gpu
        self._graph = graph
        self._target = target
        lowering = lower_graph(graph, target)
        self._plan = lowering.finish()
        self._sites: dict[str, list[Site]] = {}
        for site in lowering.sites:
            if len(site.decision.candidates) > 1:
                self._sites.setdefault(site.decision.key, []).append(site)
        self._session = WgpuSession(gpu, Prepared(graph, self._plan, precision))
        self._wins: Counter[str] = Counter()

    @classmethod
    def load(
        cls,
        gpu: Gpu,
        model: Model,
        *,
        precision: Precision = "auto",
        input_shapes: Mapping[str, Sequence[int]] | None = None,
    ) -> Tuner:
        """Read a model; arguments and errors are those of `WgpuSession.load`."""
        graph = build_graph(model, input_shapes=input_shapes)
        target, shown = arithmetic_of(target_of(gpu, precision, half=is_half(graph)), graph)
        return cls(gpu, graph, target, shown)

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Return the network's inputs."""
        return self._session.inputs

    @property
    def precision(self) -> str:
        """Return the precision as a session shows it."""
        return self._session.precision

    @property
    def clock(self) -> str:
        """Return 'GPU timestamps' or 'CPU'."""
        return clock_of(self._gpu)

    @property
    def shapes(self) -> int:
        """Return the number of different shapes with more than one kernel."""
        return len(self._sites)

    def close(self) -> None:
        """Release the GPU memory."""
        self._session.close()

    # -- shape by shape --------------------------------------------------------------------------------------

    def measure(
        self, feeds: dict[str, np.ndarray], seconds: float, check: Callable[[], None]
    ) -> Iterator[Measured]:
        """Measure the shapes in execution order, on inputs `feeds`; raise ModelError if they do not fit.

        Args:
            seconds: for all shapes and the least that `compare` takes, shared by time in the network.
            check: called between candidates; an exception of it ends the measurement.
        """
        begun = time.perf_counter()
        self._session.run(feeds)
        times = {node.node: node.ms for node in profile_session(self._session, 1).nodes}
        weights = {
            key: sum(times[self._plan.dispatches[site.index].node] for site in sites)
            for key, sites in self._sites.items()
        }
        candidates = self._candidates()
        until = begun + max(seconds - _RESERVE * sum(times.values()) * 1e-3, seconds / 2)
        done, left = 0, sum(weights.values())
        for place, (key, sites) in enumerate(self._sites.items()):
            check()
            now = time.perf_counter()
            if now >= until:
                return
            share = 0.25 / (len(self._sites) - place) + (0.75 * weights[key] / left if left > 0 else 0.75)
            left -= weights[key]
            self._submit(self._recorded(done, sites[0].index))
            done = sites[0].index
            measured = self._measure(sites, candidates[key], now + (until - now) * share, check)
            if measured.trials:
                yield measured

    def _candidates(self) -> dict[str, list[_Candidate]]:
        """List each shape's candidates by lowering the network once per index into the candidates' lists."""
        names = {
            key: [str(each) for each in sites[0].decision.candidates] for key, sites in self._sites.items()
        }
        found: dict[str, list[_Candidate]] = {key: [] for key in names}
        for place in range(max(map(len, names.values()), default=0)):
            here = {key: each[place] for key, each in names.items() if place < len(each)}
            dispatches = lower_graph(self._graph, self._target, Tuning(here)).dispatches
            for key, name in here.items():
                index = self._sites[key][0].index
                dispatch, rule = dispatches[index], self._plan.dispatches[index]
                assert (dispatch.reads, dispatch.writes) == (rule.reads, rule.writes), "another storage"
                found[key].append(_Candidate(name, dispatch))
        return found

    def _measure(
        self,
        sites: Sequence[Site],
        candidates: Sequence[_Candidate],
        until: float,
        check: Callable[[], None],
    ) -> Measured:
        site, rule = sites[0], candidates[0]
        (written,) = self._plan.dispatches[site.index].writes
        storage = self._plan.storages[written]
        memory, usage = self._session.memory(storage.index), wgpu.BufferUsage
        before = self._gpu.buffer(storage.size, usage.COPY_SRC | usage.COPY_DST, "nn before tuning")
        self._submit(lambda encoder: encoder.copy_buffer_to_buffer(memory, 0, before, 0, storage.size))
        commands, first, trials = self._screen(site, candidates, until, check)
        times = self._final(commands, until, check) if len(commands) > 1 else {rule.name: first}
        # The result may be a part of a Concat's memory, whose other parts belong to others.
        self._submit(lambda encoder: encoder.copy_buffer_to_buffer(before, 0, memory, 0, storage.size))
        best = min(times, key=lambda name: times[name])
        winner = best if times[best] <= MARGIN * times[rule.name] else rule.name
        self._wins[winner] += 1
        finals = [Trial(name, ms) for name, ms in times.items() if name != rule.name]
        node = self._plan.dispatches[site.index].node
        return Measured(
            site.decision.key, node, len(sites), rule.name, times[rule.name], winner, times[winner],
            (*finals, *trials),
        )  # fmt: skip

    def _screen(
        self,
        site: Site,
        candidates: Sequence[_Candidate],
        until: float,
        check: Callable[[], None],
    ) -> tuple[dict[str, Command], float, list[Trial]]:
        """Time each candidate and compare the results of the fastest with the rule's.

        Return the commands that stay, the rule's first; the rule's time; the rejected trials.
        """
        rule = candidates[0].name
        commands = {rule: self._session.command(candidates[0].dispatch)}
        self._submit(lambda encoder: self._record(encoder, commands[rule]))  # the first run may still compile
        first = self._times([commands[rule]])[0]
        fastest = {rule: first}
        given_up: list[Trial] = []
        # Previous winners first, in case time runs out: neighboring shapes mostly prefer the same kernels.
        order = sorted(candidates[1:], key=lambda each: -self._wins[each.name])
        for candidate in self._compiled(order, until):
            check()
            try:
                commands[candidate.name] = self._session.command(candidate.dispatch)
            except ShaderError as error:
                given_up.append(Trial(candidate.name, None, f"the driver refuses it: {error}"))
                continue
            # In multiples of the rule's time at that moment: clocks change while the candidates take turns.
            quickest = min(fastest.values()) / first
            fastest[candidate.name] = first * self._ratio_of(
                commands[candidate.name], commands[rule], quickest
            )
        limit = _SLOWER * min(fastest.values())
        ranked = sorted(set(commands) - {rule}, key=lambda name: fastest[name])
        finalists = [name for name in ranked[:_FINALISTS] if fastest[name] <= limit]
        given_up += [
            Trial(name, fastest[name], _NOTE_SLOWER, is_slower=True)
            for name in ranked
            if name not in finalists
        ]
        wrong = self._wrong(site, commands[rule], {name: commands[name] for name in finalists})
        given_up += [
            Trial(name, fastest[name], f"its result differs by {d:.2g}") for name, d in wrong.items()
        ]
        stay = [rule, *(name for name in finalists if name not in wrong)]
        return {name: commands[name] for name in stay}, first, given_up

    def _wrong(self, site: Site, rule: Command, others: Mapping[str, Command]) -> dict[str, float]:
        """Return those of `others` whose results differ from the rule's kernel, and by how much."""
        if not others:
            return {}
        expected = self._computed(site, rule)
        found = {
            name: difference(expected, self._computed(site, command), exact=site.decision.exact)
            for name, command in others.items()
        }
        return {name: off for name, off in found.items() if off > TOLERANCE[self._target.dtype]}

    def _compiled(self, candidates: Sequence[_Candidate], until: float) -> Iterator[_Candidate]:
        """Yield candidates in order, compiled in batches on threads, until time is up; at least one batch."""
        width = min(8, os.cpu_count() or 1)
        with ThreadPoolExecutor(width) as pool:
            for start in range(0, len(candidates), width):
                if start and time.perf_counter() >= until:
                    return
                some = candidates[start : start + width]
                wait([pool.submit(pipeline_of, self._gpu, each.dispatch) for each in some])
                yield from some

    def _ratio_of(self, command: Command, rule: Command, best: float) -> float:
        """Return a command's time over the rule's: the smaller of two samples, or one if it is slow."""
        self._submit(lambda encoder: self._record(encoder, command))

        def ratio() -> float:
            ours, theirs = self._times([command, rule])
            return ours / max(theirs, 1e-9)

        first = ratio()
        return first if first > 2 * best else min(first, ratio())

    def _final(
        self, commands: Mapping[str, Command], until: float, check: Callable[[], None]
    ) -> dict[str, float]:
        """Return the median times of the candidates, measured in turns."""
        samples: list[list[float]] = []
        least, most = _ROUNDS
        while len(samples) < least or (len(samples) < most and time.perf_counter() < until):
            check()
            samples.append(self._times(list(commands.values())))
        medians = [statistics.median(column) for column in zip(*samples, strict=True)]
        return dict(zip(commands, medians, strict=True))

    # -- the whole network -----------------------------------------------------------------------------------

    def compare(self, tuning: Tuning, seconds: float, check: Callable[[], None]) -> Comparison:
        """Time whole inferences by the rules and by a tuning, in turns, on the inputs of `measure`."""
        tuned = lower_graph(self._graph, self._target, tuning).dispatches
        record = make_recorder([self._session.command(dispatch) for dispatch in tuned])
        expected, found = self._outputs(self._session.encode), self._outputs(record)
        worst = max(
            (difference(a, b, exact=False) for a, b in zip(expected, found, strict=True)), default=0.0
        )

        def encode(compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
            (record if start else self._session.encode)(compute_pass)

        samples: list[list[float]] = []
        until = time.perf_counter() + seconds
        least, most = _INFERENCES
        while len(samples) < least or (len(samples) < most and time.perf_counter() < until):
            check()
            samples.append(self._repeated(2, encode))
        # Minima, not medians: the samples are few and long, and other programs only lengthen them.
        before, after = (min(column) for column in zip(*samples, strict=True))
        return Comparison(before, after, worst, _NETWORK_TOLERANCE[self._target.dtype])

    def _outputs(self, record: Callable[[wgpu.GPUComputePassEncoder], None]) -> list[np.ndarray]:
        operands = [
            self._plan.operands[name] for name in self._graph.outputs if name not in self._graph.constants
        ]

        for operand in operands:
            self._clear(operand)

        def encode(encoder: wgpu.GPUCommandEncoder) -> None:
            compute_pass = encoder.begin_compute_pass()
            record(compute_pass)
            compute_pass.end()

        self._submit(encode)
        return [self._read(operand) for operand in operands]

    # -- on the GPU ------------------------------------------------------------------------------------------

    def _submit(self, encode: Callable[[wgpu.GPUCommandEncoder], None]) -> None:
        encoder = self._gpu.device.create_command_encoder()
        encode(encoder)
        self._gpu.queue.submit([encoder.finish()])

    def _recorded(self, start: int, stop: int) -> Callable[[wgpu.GPUCommandEncoder], None]:
        """Return a function that records the rules' dispatches from `start` to `stop`."""

        def encode(encoder: wgpu.GPUCommandEncoder) -> None:
            compute_pass = encoder.begin_compute_pass()
            self._session.encode(compute_pass, start, stop)
            compute_pass.end()

        return encode

    def _computed(self, site: Site, command: Command) -> np.ndarray:
        """Return a command's result, written into zeros so that nothing of others remains."""
        self._clear(site.result)
        self._submit(lambda encoder: self._record(encoder, command))
        return self._read(site.result)

    def _record(self, encoder: wgpu.GPUCommandEncoder, command: Command) -> None:
        compute_pass = encoder.begin_compute_pass()
        make_recorder([command])(compute_pass)
        compute_pass.end()

    def _clear(self, operand: Operand) -> None:
        """Fill a result with zeros; what lies beside it in a Concat's memory stays, as kernels may read it."""
        memory, size = self._session.memory(operand.storage), self._plan.storages[operand.storage].size
        if operand.layout == NCHW or operand.stride == operand.blocks:
            self._submit(lambda encoder: encoder.clear_buffer(memory, 0, size))
            return
        numbers = self._numbers(operand).copy()
        _part(numbers, operand)[...] = 0
        self._gpu.queue.write_buffer(memory, 0, numbers)

    def _read(self, operand: Operand) -> np.ndarray:
        return _part(self._numbers(operand), operand)

    def _numbers(self, operand: Operand) -> np.ndarray:
        """Return all numbers of an operand's storage."""
        size = self._plan.storages[operand.storage].size
        data = self._gpu.queue.read_buffer(self._session.memory(operand.storage), 0, size)
        return np.frombuffer(data, operand.dtype)

    def _times(self, commands: Sequence[Command]) -> list[float]:
        """Return the milliseconds of one dispatch of each command."""
        return self._repeated(len(commands), make_recorder(commands))

    def _repeated(self, number: int, encode: Encode) -> list[float]:
        """Return the ms of each of `number` items that `encode` records, repeated until a sample is full."""

        def repeated(count: int) -> list[float]:
            def several(compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
                for _ in range(count):
                    encode(compute_pass, start, stop)

            return [ms / count for ms in time_each(self._gpu, number, several)]

        once = repeated(1)
        count = min(math.ceil(_SAMPLE_MS[self.clock] / max(min(once), 1e-4)), _REPEATS)
        return once if count == 1 else repeated(count)


def _part(numbers: np.ndarray, operand: Operand) -> np.ndarray:
    """Return a view of those of a storage's numbers that are the operand's."""
    if operand.layout == NCHW:
        return numbers[: math.prod(operand.shape)]
    rows = numbers[: operand.pixels * operand.stride * 4].reshape(operand.pixels, -1)
    return rows[:, operand.start * 4 : (operand.start + operand.blocks) * 4]


def difference(expected: np.ndarray, found: np.ndarray, *, exact: bool) -> float:
    """Return the relative norm of the difference; infinite if finiteness, or anything if `exact`, differs."""
    if exact:
        return 0.0 if np.array_equal(expected, found, equal_nan=True) else math.inf
    quick = _ratio(expected.astype(np.float32, copy=False), found.astype(np.float32, copy=False))
    if math.isfinite(quick):
        return quick
    # Numbers whose squares are not finite: float64 takes five times as long for a large image.
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(found)):
        return math.inf
    exactly = _ratio(expected[finite].astype(np.float64), found[finite].astype(np.float64))
    return 0.0 if math.isnan(exactly) else exactly


def _ratio(expected: np.ndarray, found: np.ndarray) -> float:
    """Return NaN if both are zero, infinity if only `expected` is."""
    with np.errstate(all="ignore"):
        return float(np.divide(np.linalg.norm(expected - found), np.linalg.norm(expected)))
