"""Four sources in a grid, each through three filters, against one source alone: pictures a second and latency
of each tile.

    python benchmarks/grid.py [CLIP ...] [--tiles 4] [--size 1920x1080] [--rate 60] [--canvas 1920x1080] [--seconds 8]
        [--turns 2] [--slow N] [--json]

Without a display and without Qt: the engine's lanes draw into a mosaic's textures, at the tiles' sizes on the
canvas, and the mosaic is put together at most every 7 ms, as the window does. Sources play in their own time;
without clips each tile has the sample. The latency is from when a picture is due to when the GPU has finished
it in its tile. The turns alternate: alone, grid, alone, grid. `--slow` gives the first tile N blurs more, to
see what that costs the others.

Ends with 1 where a tile of the grid had less than 98 % of the rate of its source (`--check`).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from typing import Final

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media.sources.base import Source
from desktop.media.sources.opening import open_source
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.mosaic import MOST_TILES, Mosaic, areas
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.source_pipeline import SourcePipeline

_FORMAT: Final = "bgra8unorm"
_PACE_S: Final = 0.007
_CHAIN: Final = (("gaussian_blur", {}), ("saturation", {}), ("sharpen", {}))
_WARM_UP_S: Final = 2.0


@dataclass(frozen=True)
class TileFigures:
    """Figures of one tile: frames a second, latency in ms, pictures that the GPU had no time for, and those
    that the source dropped.
    """

    fps: float
    wanted: float
    p50_ms: float | None
    p95_ms: float | None
    skipped: int
    dropped: int


class Playing:
    """A source that plays into a lane."""

    def __init__(self, spec: str, source_pipeline: SourcePipeline, chain: ChainSpec) -> None:
        self.source_pipeline = source_pipeline
        source_pipeline.set_setup(Setup(chain))
        self.source: Source = open_source(spec)
        self.source.start()
        self._frames = self._dropped = 0

    def wait(self) -> None:
        """Wait until it is open, and let it play for ever."""
        end = time.monotonic() + 60
        while self.source.state in ("idle", "opening") and time.monotonic() < end:
            time.sleep(0.01)
        if self.source.error is not None:
            raise SystemExit(str(self.source.error))
        if self.source.info.seekable:
            self.source.set_loop(None, None, whole=True)

    def begin(self) -> None:
        """Measure from here."""
        self.source_pipeline.pipeline.statistics.reset()
        self._dropped = self.source.stats.dropped

    def figures(self, seconds: float) -> TileFigures:
        """Return what was done in these seconds."""
        stats = self.source_pipeline.pipeline.stats
        latency = self.source_pipeline.pipeline.statistics.latency.percentiles.to_dict()
        return TileFigures(
            round(stats.frames / seconds, 1),
            self.source.info.rate,
            latency["p50"],
            latency["p95"],
            stats.skipped,
            self.source.stats.dropped - self._dropped,
        )


def measure(
    engine: Engine, specs: list[str], seconds: float, chains: list[ChainSpec], size: tuple[int, int]
) -> tuple[TileFigures, ...]:
    """Play sources beside each other on a canvas of a size, and return what each tile did."""
    source_pipelines = [engine.add_source_pipeline() for _ in specs]
    playing = [Playing(*each) for each in zip(specs, source_pipelines, chains, strict=True)]
    mosaic = Mosaic(engine.gpu, _FORMAT, (0.3, 0.7, 0.6))
    mosaic.lay_out(areas(len(specs), size, 4))
    canvas = engine.gpu.device.create_texture(
        size=(*size, 1), format=_FORMAT, usage=wgpu.TextureUsage.RENDER_ATTACHMENT
    )
    try:
        for each in playing:
            each.wait()
        play(engine, playing, mosaic, canvas, _WARM_UP_S)
        end = time.monotonic() + 60
        while (
            any(source_pipeline.wants_frames for source_pipeline in source_pipelines)
            and time.monotonic() < end
        ):
            play(engine, playing, mosaic, canvas, 0.5)
        for each in playing:
            each.begin()
        begun = time.perf_counter()
        play(engine, playing, mosaic, canvas, seconds)
        for source_pipeline in source_pipelines:
            source_pipeline.pipeline.drain()
        took = time.perf_counter() - begun
        return tuple(each.figures(took) for each in playing)
    finally:
        for each in playing:
            each.source.close()
        for source_pipeline in source_pipelines:
            engine.remove_source_pipeline(source_pipeline)
        mosaic.close()
        canvas.destroy()


def play(
    engine: Engine, playing: list[Playing], mosaic: Mosaic, canvas: wgpu.GPUTexture, seconds: float
) -> None:
    """Draw what falls due for some time, on this thread, as the window's does."""
    end, composed, fresh = time.perf_counter() + seconds, 0.0, False
    while (now := time.perf_counter()) < end:
        drawn = False
        for number, each in enumerate(playing):
            if each.source_pipeline.is_busy():
                continue
            frame = each.source.take(now)
            if frame is not None or each.source_pipeline.wants_frames:
                drawn = engine.render(frame, mosaic.texture(number), each.source_pipeline) or drawn
        fresh = fresh or drawn
        if fresh and now - composed >= _PACE_S:
            mosaic.compose(canvas, 0, 2)
            composed, fresh = now, False
        if not drawn:
            time.sleep(0.0003)


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="*", help="files, in turn for the tiles; the sample without any")
    parser.add_argument("--tiles", type=int, default=MOST_TILES, choices=range(1, MOST_TILES + 1))
    parser.add_argument("--size", default="1920x1080", help="of the sample")
    parser.add_argument("--rate", type=int, default=60, help="of the sample")
    parser.add_argument(
        "--canvas", default="1920x1080", help="a small one, and a small sample, show what Python takes"
    )
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--slow", type=int, default=0, metavar="N")
    parser.add_argument("--adapter")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # As the window's process does (`__main__`).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.setswitchinterval(2e-4)
    library = FilterLibrary(None)
    clips = options.clips or [f"sample:{options.size}@{options.rate}"]
    specs = [clips[number % len(clips)] for number in range(options.tiles)]
    chain = chain_of(library, _CHAIN)
    first = chain_of(library, (*_CHAIN, *((("gaussian_blur", {}),) * options.slow)))
    chains = [first, *([chain] * (options.tiles - 1))]
    engine = Engine(lambda: Gpu.open(options.adapter), library, load_network=None)
    width, _, height = options.canvas.partition("x")
    canvas = (int(width), int(height))
    gc.freeze()
    turns = []
    try:
        for _ in range(options.turns):
            alone = measure(engine, specs[:1], options.seconds, [chain], canvas)
            grid = measure(engine, specs, options.seconds, chains, canvas)
            turns.append({"alone": alone, "grid": grid})
        adapter = str(engine.gpu.adapter)
    finally:
        engine.close()
    if options.json:
        as_dicts = [{k: [asdict(tile) for tile in tiles] for k, tiles in turn.items()} for turn in turns]
        print(json.dumps({"adapter": adapter, "sources": specs, "turns": as_dicts}, indent=1))
    else:
        show(adapter, specs, turns)
    kept = all(tile.fps >= 0.98 * tile.wanted for turn in turns for tile in turn["grid"])
    return 1 if options.check and not kept else 0


def show(adapter: str, specs: list[str], turns: list[dict[str, tuple[TileFigures, ...]]]) -> None:
    """Print the figures as a table."""
    print(f"{adapter}; three filters each: {', '.join(name for name, _ in _CHAIN)}")
    print(f"{'':14}{'FPS':>8}{'of':>7}{'p50 ms':>9}{'p95 ms':>9}{'skipped':>9}{'dropped':>9}  source")
    for turn in turns:
        for what, tiles in turn.items():
            for number, tile in enumerate(tiles):
                name = what if len(tiles) == 1 else f"{what} tile {number + 1}"
                times = "".join(
                    f"{'-' if t is None else format(t, '.2f'):>9}" for t in (tile.p50_ms, tile.p95_ms)
                )
                print(
                    f"{name:14}{tile.fps:8.1f}{tile.wanted:7.1f}{times}{tile.skipped:9}{tile.dropped:9}  {specs[number]}"
                )


if __name__ == "__main__":
    sys.exit(main())
