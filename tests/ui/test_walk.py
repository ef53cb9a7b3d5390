"""A seeded walk: whatever is done in whatever order, nothing raises, no job is stuck, and the window goes on.

`LIGHTLOOM_WALK=SEED:STEPS` walks another way, or longer.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import cv2
import pytest
from dense_models import enlarging_model
from dialog_rig import answering
from material import cube, image, video
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from sound_rig import write_flashes
from tiny_models import red_or_blue_model, square_detector, squares

from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.kit import messages

SEED, STEPS = map(int, os.environ.get("LIGHTLOOM_WALK", "7:25").split(":"))
# What opens a dialog that waits for an answer, a program beside this one, or the end.
LEFT_OUT = {"quit", "full_screen", "adapter", "shader_folder"}


class Browser(QObject):
    """Takes the addresses and folders that the window would have others open."""

    @Slot(QUrl)
    def open(self, _: QUrl) -> None:
        pass


def cancel(dialog: QFileDialog | QMessageBox) -> None:
    if isinstance(dialog, QFileDialog):
        dialog.reject()


@pytest.fixture
def watched(qapp, caplog, monkeypatch, tmp_path):
    """Errors in the log; exceptions of slots are pytest-qt's to find, those of threads pytest's."""
    caplog.set_level(logging.WARNING)
    monkeypatch.setenv("LIGHTLOOM_PICTURES", str(tmp_path))
    browser = Browser()
    for scheme in ("https", "file"):
        QDesktopServices.setUrlHandler(scheme, browser, "open")
    with answering(cancel):
        # What the window tells the user is no failure of its own: there is no picture to save yet, a file is
        # broken.
        yield lambda: [
            record.getMessage()
            for record in caplog.get_records("call")
            if record.levelno >= logging.ERROR and record.name != messages.__name__
        ]
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


class Walker:
    """Does things to a window as somebody does who does not wait for one before the next."""

    def __init__(self, ui, folder: Path, random: Random) -> None:
        self.ui, self.folder, self.random = ui, folder, random
        self.workspace, self.window = ui.workspace, ui.window
        cv2.imwrite(str(folder / "squares.png"), squares()[..., ::-1])
        write_flashes(folder / "loud.mkv", seconds=3.0)
        self.sources = [
            "sample:64x36@30",
            "sample:66x98@60",
            str(video(folder / "clip.mp4")),
            str(folder / "loud.mkv"),
            str(image(folder / "one.png")),
            str(folder / "squares.png"),
            str(folder / "none.mp4"),
        ]
        (folder / "broken.onnx").write_bytes(b"\x08\x07broken")
        self.files = [
            square_detector(folder / "squares.onnx"),
            red_or_blue_model(folder / "names.onnx"),
            enlarging_model(folder / "larger.onnx"),
            folder / "broken.onnx",
            cube(folder / "look.cube"),
        ]
        self.presets = sorted((Path(__file__).resolve().parents[2] / "assets" / "presets").glob("*.toml"))
        self.count = 0

    def ways(self) -> dict[str, Callable[[], object]]:
        c, r, w = self.workspace, self.random, self.window
        return {
            "open": lambda: c.get(Opening).open(r.choice(self.sources)),
            "drop": lambda: self.ui.drop(r.choice(self.files)),
            "drop several": lambda: self.ui.drop(*r.sample([*self.files, *map(Path, self.sources[2:6])], 2)),
            "preset": lambda: c.get(Opening).load_preset(r.choice(self.presets)),
            "stop": c.playback.stop,
            "toggle": c.playback.toggle,
            "seek": lambda: c.playback.seek(r.uniform(-1.0, 3.0)),
            "seek by": lambda: c.playback.seek_by(r.uniform(-2.0, 2.0)),
            "step": lambda: c.playback.step(r.choice((-2, -1, 1, 3))),
            "speed": lambda: c.playback.set_speed(r.choice((0.25, 1.0, 2.0, 4.0))),
            "mark": c.playback.mark_loop,
            "volume": lambda: c.sound.set_volume(r.random()),
            "mute": c.sound.toggle_mute,
            "record": lambda: c.get(Pictures).toggle_recording(self._new(".mp4")),
            "snapshot": lambda: c.get(Pictures).snapshot(self._new(".png")),
            "hide": c.edits.toggle_anonymize,
            "track": c.edits.toggle_track,
            "filter": lambda: c.edits.add_filter(r.choice(sorted(c.edits.library.filters))),
            "no filter": lambda: c.edits.chain.stages and c.edits.remove_stage(r.choice(c.edits.chain.stages).id),
            "clear": c.edits.clear_chain,
            "undo": c.edits.undo,
            "redo": c.edits.redo,
            "no network": lambda: c.get(Networks).choose(None),
            "panel": lambda: self._toggle(r.choice(sorted(w.docks))),
            "split": lambda: w.viewport.set_split(r.choice((None, 0.0, 0.3, 1.0))),
            "size": lambda: w.resize(r.choice((900, 1320)), r.choice((600, 820))),
            "action": self._act,
        }  # fmt: skip

    def _new(self, suffix: str) -> Path:
        self.count += 1
        return self.folder / f"made {self.count}{suffix}"

    def _toggle(self, name: str) -> None:
        dock = self.window.docks[name]
        dock.setVisible(not dock.isVisible())

    def _act(self) -> None:
        found = {
            name: action
            for name, action in self.window.menus.actions.items()
            if action.isEnabled() and not action.text().endswith(("...", "…")) and name not in LEFT_OUT
            and not name.startswith(("language", "theme", "adapter"))
        }  # fmt: skip
        found[self.random.choice(sorted(found))].trigger()

    def walk(self, steps: int) -> None:
        ways = self.ways()
        for _ in range(steps):
            name = self.random.choice(sorted(ways))
            logging.getLogger("walk").info(name)
            ways[name]()
            QTest.qWait(self.random.choice((0, 0, 5, 40, 150)))


@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_walk_through_the_window_leaves_nothing_stuck(own_ui, tmp_path, watched):
    walker = Walker(own_ui, tmp_path, Random(SEED))
    walker.walk(STEPS)
    workspace = own_ui.workspace
    if workspace.get(Pictures).recording is not None:
        workspace.get(Pictures).toggle_recording()
    # What was dropped is still being looked at, and comes after what is opened now.
    own_ui.wait(lambda: workspace.jobs.running == 0)
    workspace.playback.cancel()
    workspace.playback.stop()
    workspace.edits.edit(Setup(), "")
    own_ui.wait(lambda: workspace.jobs.running == 0)
    own_ui.play(str(tmp_path / "squares.png"))
    own_ui.settle()
    assert own_ui.workspace.engine.pipeline.shown_size == (128, 96)
    assert watched() == []
