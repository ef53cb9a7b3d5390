"""Times all candidates of a network in turn, again and again, so that clocks and neighbors hit them alike."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base import console
from desktop.base.errors import ModelError, SizesNeededError, UsageError
from desktop.base.interrupt import Interrupt
from desktop.base.significance import Difference, difference_of
from desktop.bench.inference.candidate import OWN, Candidate
from desktop.bench.inference.devices import device_peers
from desktop.bench.inference.networks import NETWORKS, Network, export, has_torch
from desktop.bench.inference.own import own_candidates
from desktop.bench.inference.peers import PEERS, Peer
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.driver import build_graph
from desktop.net.inference.address import refuse_address
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.folders import refuse_folder

_WARM_SECONDS: Final = 1.0
_ROUNDS: Final = 10


@dataclass(frozen=True)
class Row:
    """Figures of a candidate on a network in ms, s and bytes, or why it `failed`. `difference` compares its
    times with Lightloom's of the same mode and precision, if any.
    """

    network: str
    engine: str
    precision: str
    mode: str
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    samples: int = 0
    load_seconds: float | None = None
    memory_bytes: int | None = None
    difference: Difference | None = None
    failed: str = ""


def bench_inference(options: argparse.Namespace) -> dict[str, Any]:
    """Run the benchmark; return {'adapter', 'rows'}, see `Row`.

    Options are `models` (names of NETWORKS, of bundled networks, or ONNX files; none: all that can be exported),
    `shapes` (of inputs that leave sizes open, by name), `peers` (of PEERS, 'all', 'none', or backends with devices
    as in 'torch:cuda:0'), `seconds` per network and `adapter`. Raise UsageError for an unknown network, peer or
    input, or without torchvision where it is needed.
    """
    peers = _peers(options.peers)
    gpu = Gpu.open(options.adapter)
    for note in gpu.notes:
        console.fail(note)
    try:
        rows: list[Row] = []
        with tempfile.TemporaryDirectory() as folder:
            models = _models(options.models, Path(folder))
            _check_shapes(options.shapes, [path for _, path in models])
            for network, path in models:
                rows += _bench_network(gpu, network, path, peers, options)
        return {"adapter": str(gpu.adapter), "rows": [_document(row) for row in rows]}
    finally:
        gpu.close()


def _document(row: Row) -> dict[str, Any]:
    return {**asdict(row), "difference": None if row.difference is None else row.difference.json()}


def _peers(text: str) -> dict[str, Peer]:
    """Return the chosen peers; devices are listed only if needed, since that imports their engines."""
    names = tuple(each for each in text.split(",") if each not in ("", "none"))
    known = dict(PEERS)
    if text == "all" or any(name not in known for name in names):
        known |= device_peers()
    if text == "all":
        return known
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(
            f"There is no peer called '{unknown[0]}'; choose all, none or some of {', '.join(known)}."
        )
    return {name: known[name] for name in names}


def _models(names: Sequence[str], folder: Path) -> list[tuple[Network | None, Path]]:
    known, bundled = {network.name: network for network in NETWORKS}, builtin_models()
    if not names and not has_torch():
        raise UsageError(
            "The benchmark's networks are exported from torchvision, which is not installed; give ONNX "
            "files with --models."
        )
    found: list[tuple[Network | None, Path]] = []
    for name in names or tuple(known):
        refuse_address(name)
        if name in known:
            found.append((known[name], export(known[name], folder)))
        elif name in bundled:
            found.append((None, bundled[name].path))
        elif Path(name).is_file():
            found.append((None, Path(name)))
        else:
            refuse_folder(name, UsageError)
            raise UsageError(f"'{name}' is neither an ONNX file nor one of {', '.join((*known, *bundled))}.")
    return found


def random_feeds(path: Path, shapes: Mapping[str, Sequence[int]] | None = None) -> dict[str, np.ndarray]:
    """Return normal noise for each input; `shapes` for those with free dimensions."""
    graph = build_graph(path, input_shapes=shapes)
    generator = np.random.default_rng(0)
    values = [graph.values[name] for name in graph.inputs]
    return {value.name: generator.standard_normal(value.shape).astype(value.dtype) for value in values}


def _check_shapes(shapes: Mapping[str, Sequence[int]], paths: Sequence[Path]) -> None:
    """Raise UsageError for a shape of an input that no network has or that leaves no size open."""
    left = dict(shapes)
    for path in paths if shapes else ():
        with contextlib.suppress(ModelError):  # its row says why
            try:
                build_graph(path)
            except SizesNeededError as error:
                left = {name: shape for name, shape in left.items() if name not in error.inputs}
    for name in left:
        raise UsageError(
            f"No network here has an input '{name}' that leaves sizes open, which --shape names."
        )


def _feeds(path: Path, shapes: Mapping[str, Sequence[int]]) -> dict[str, np.ndarray]:
    """Return noise for each input, of the given shapes where it leaves sizes open."""
    try:
        return random_feeds(path)
    except SizesNeededError as error:
        return random_feeds(path, {name: shapes[name] for name in error.inputs if name in shapes})


def _bench_network(
    gpu: Gpu, network: Network | None, path: Path, peers: Mapping[str, Peer], options: argparse.Namespace
) -> list[Row]:
    name = path.stem
    try:
        feeds = _feeds(path, options.shapes)
        candidates = list(own_candidates(gpu, path, feeds))
    except ModelError as error:
        return [Row(name, "lightloom", "", "", failed=str(error))]
    failed: list[Row] = []
    for peer, make in peers.items():
        try:
            candidates += make(network, path, feeds)
        except Exception as error:  # a peer's failure is its own, whatever it raises; the report says it
            failed.append(Row(name, peer, "", "", failed=f"{type(error).__name__}: {error}"[:300]))
    try:
        measured = sampled(candidates, options.seconds, options.interrupt)
        return [*rows_of(name, candidates, measured), *failed]
    finally:
        for each in candidates:
            each.close()


def sampled(candidates: Sequence[Candidate], seconds: float, interrupt: Interrupt) -> list[list[float]]:
    """Return each candidate's times in ms, in turn for equal shares of `seconds`, after a GPU warm-up."""
    for each in candidates:
        interrupt.check()
        _sample_for(each, _WARM_SECONDS)
    samples: list[list[float]] = [[] for _ in candidates]
    share = seconds / (_ROUNDS * len(candidates))
    for _ in range(_ROUNDS):
        for each, found in zip(candidates, samples, strict=True):
            interrupt.check()
            each.sample()  # the first after another candidate finds cold caches
            found += _sample_for(each, share)
    return samples


def _sample_for(candidate: Candidate, seconds: float) -> list[float]:
    end = time.perf_counter() + seconds
    found = [candidate.sample()]
    while time.perf_counter() < end:
        found.append(candidate.sample())
    return found


def rows_of(network: str, candidates: Sequence[Candidate], measured: Sequence[Sequence[float]]) -> list[Row]:
    """Return all candidates' figures on one network, compared with those of Lightloom."""
    rows: list[Row] = []
    bases: dict[tuple[str, str], Sequence[float]] = {}
    for candidate, samples in zip(candidates, measured, strict=True):
        base = bases.get((candidate.mode, candidate.precision))
        rows.append(
            row_of(network, candidate, samples, None if base is None else difference_of(base, samples))
        )
        if candidate.engine == OWN:
            bases.setdefault((candidate.mode, candidate.precision), samples)
    return rows


def row_of(
    network: str, candidate: Candidate, samples: Sequence[float], difference: Difference | None = None
) -> Row:
    """The figures of one candidate's times."""
    p50, p95, p99 = (round(float(value), 4) for value in np.percentile(samples, (50, 95, 99)))
    loaded = None if candidate.load_seconds is None else round(candidate.load_seconds, 3)
    return Row(
        network,
        candidate.engine,
        candidate.precision,
        candidate.mode,
        p50,
        p95,
        p99,
        len(samples),
        loaded,
        candidate.memory_bytes,
        difference,
    )
