"""The thread of the window while networks come and go: its longest calls of wgpu-native, and its longest
gaps.

    python benchmarks/gui_thread.py [--seconds 6] [--runs 1] [--most-ms 4] [--json]

Needs a display (`python3 tasks.py bench gui_thread` starts Xvfb where there is none). The window plays the
sample, and in turn a network is loaded, compared on two backends and removed, a stage gets a network, and
filters are switched. A call's time has three parts, on a core, ready to run, and waiting; `own` is without
the second, which is other processes' doing.
"""

from __future__ import annotations

import argparse
import builtins
import gc
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from gui_calls import LOOP, Call, GuiCalls  # noqa: E402

MODELS = ROOT / "assets" / "models"


class Scenes:
    """The window in this process, and what a user does in it."""

    def __init__(self, size: str, adapter: str | None) -> None:
        import PySide6.QtWidgets  # noqa: F401  (before any thread; see desktop/app.py)

        # Without PySide's hook, as the program imports.
        builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
        from desktop.app import make_application, make_window, start_engine
        from desktop.base.paths import user_config_folder
        from desktop.ui.forms.settings import Settings

        engine = start_engine(adapter, user_config_folder() / "settings.ini")
        self._engine = engine
        self._app = make_application()
        self._window = make_window(self._app, Settings.load(), engine)
        self._window.resize(1280, 800)
        self._window.show()
        self._window.start([f"sample:{size}"], preset=None, empty=False, sample=None)
        gc.freeze()
        self.calls = GuiCalls(self._window)

    @property
    def adapter(self) -> str:
        """The adapter in use."""
        return str(self._engine.gpu.adapter)

    def run(self, seconds: float) -> None:
        """Let the window run."""
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(int(seconds * 1e3), loop.quit)
        loop.exec()

    def wait(self, is_so: Callable[[], object], seconds: float = 120.0) -> None:
        """Let the window run until a condition is met."""
        end = time.perf_counter() + seconds
        while not is_so():
            if time.perf_counter() > end:
                raise SystemExit("The window does not do what was asked of it.")
            self.run(0.05)

    def play(self) -> None:
        """Play the sample."""
        self.wait(lambda: self._engine.pipeline.stats.frames > 3)

    def load(self) -> None:
        """Load the bundled detector, and wait for its first result."""
        from desktop.ui.features.networks.networks import Networks

        self._window.workspace.get(Networks).use(MODELS / "detector.onnx")
        self._await_result()

    def change_backend(self, backend: str) -> None:
        """Compute the network on another backend, and wait for its first result."""
        from desktop.pipeline.running.network_spec import NetworkSpec
        from desktop.ui.features.networks.networks import Networks

        self._window.workspace.get(Networks).choose(NetworkSpec(str(MODELS / "detector.onnx"), backend))
        self._await_result()

    def _await_result(self) -> None:
        self.wait(lambda: self._engine.current.network_status.state in ("running", "failed"))
        self.wait(lambda: self._engine.current.result is not None)

    def remove(self) -> None:
        """Remove the network."""
        from desktop.ui.features.networks.networks import Networks

        self._window.workspace.get(Networks).choose(None)

    def compare(self) -> None:
        """Compare two backends until both have computed two frames."""
        from desktop.ui.features.comparison.comparison_panel import ComparisonPanel

        self._window.dock_area.docks["comparison"].show()
        panel = self._window.dock_area.panel("comparison", ComparisonPanel)
        panel.begin.click()
        self.wait(lambda: panel.running is not None and panel.running.state.totals is not None)

    def end_comparison(self) -> None:
        """Close the panel, which ends the comparison."""
        self._window.dock_area.docks["comparison"].hide()

    def chain(self, *filters: str) -> None:
        """Use other filters, and wait until all run."""
        from dataclasses import replace

        from desktop.pipeline.chain.spec import chain_of

        edits = self._window.workspace.edits
        edits.edit(replace(edits.setup, chain=chain_of(self._engine.library, [(f, {}) for f in filters])), "")
        self.wait(lambda: all(s.state == "running" for s in self._engine.pipeline.chain.statuses))

    def close(self) -> None:
        """Close the window."""
        self.calls.close()
        self._window.shutdown()


def phases(scenes: Scenes) -> list[tuple[str, Callable[[], None]]]:
    """Return what is done, in order, by name."""
    return [
        ("play", scenes.play),
        ("load", scenes.load),
        ("load (wgpu)", lambda: scenes.change_backend("wgpu")),
        ("compare", scenes.compare),
        ("end of comparison", scenes.end_comparison),
        ("remove", scenes.remove),
        ("load again", scenes.load),
        ("remove again", scenes.remove),
        ("style", lambda: scenes.chain("style")),
        ("filters", lambda: scenes.chain("vignette", "median", "sepia")),
        ("other filters", lambda: scenes.chain("pixelate", "chroma_key")),
        ("no filters", lambda: scenes.chain()),
    ]


def summary(calls: list[Call]) -> dict[str, dict[str, float]]:
    """Return by name: the number of calls, and the longest in milliseconds."""
    by_name: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_name[call.name].append(call)
    found = {}
    for name, some in by_name.items():
        longest = max(some, key=lambda call: call.spent.own)
        found[name] = {
            "calls": len(some),
            "own_ms": round(longest.spent.own, 2),
            "waited_ms": round(max(call.spent.waited for call in some), 2),
            "wall_ms": round(max(call.spent.wall for call in some), 2),
        }
    return found


def main() -> int:
    """Run; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="640x360@30")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--adapter")
    parser.add_argument("--most-ms", type=float, default=4.0, help="calls that take longer are shown")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report: dict[str, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LIGHTLOOM_CONFIG"] = folder
        scenes = Scenes(options.size, options.adapter)
        for name, act in phases(scenes):
            act()
            scenes.run(options.seconds)
            report[name] = summary(scenes.calls.take())
            if not options.json:
                _print(name, report[name], options.most_ms)
        adapter = scenes.adapter
        scenes.close()
    if options.json:
        print(json.dumps({"adapter": adapter, "phases": report}, indent=1))
    return 0


def _print(phase: str, found: dict[str, dict[str, float]], most_ms: float) -> None:
    shown = {name: row for name, row in found.items() if name == LOOP or row["own_ms"] > most_ms}
    for name, row in sorted(shown.items(), key=lambda item: -item[1]["own_ms"]):
        print(
            f"{phase:<20}{name:<36}{row['calls']:>6}  own {row['own_ms']:>9.2f}  waited {row['waited_ms']:>9.2f}  "
            f"wall {row['wall_ms']:>9.2f} ms",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
