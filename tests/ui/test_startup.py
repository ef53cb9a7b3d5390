"""The modules imported and objects made before the first frame: counted, because tests do not measure time."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from waiting import LIMIT_S

_PROGRAM = """
import json, os, sys, threading
from PySide6.QtCore import QTimer
from desktop import app, __main__

found = {}

def at_first_picture():
    found["modules"] = sorted(sys.modules)
    [window] = [w for w in app.QApplication.topLevelWidgets() if hasattr(w, "dock_area")]
    found["made"] = window.dock_area.is_made("zones")
    watch = QTimer(window)
    watch.timeout.connect(lambda: window.dock_area.is_made("zones") and end())
    watch.start(20)

def end():
    print(json.dumps(found), flush=True)
    os._exit(0)

from PySide6.QtWidgets import QApplication
app.QApplication = QApplication
app._print_startup_time = at_first_picture
__main__.main([])
"""

# What the first frame of the sample needs nothing of, and what it would take to import; with all that is
# below.
_NOT_YET = {
    "av": "video files",
    "onnx": "networks",
    "onnxruntime": "networks",
    "google.protobuf": "networks",
    "ml_dtypes": "networks",
    "desktop.compute.nn.lowering.lowering": "networks",
    "desktop.compute.nn.ops": "networks: 40 modules",
    "desktop.pipeline.chain.network_feed": "stages with a network",
    "desktop.pipeline.setup.bundle": "presets",
    "desktop.vision.tasks.common.dense": "stages with a network",
    "desktop.vision.tasks.detection": "networks",
    "desktop.vision.models.preprocess": "networks",
    "desktop.vision.models.library.download": "downloads",
    "desktop.ui.features.networks.items": "the page of networks",
    "desktop.ui.features.networks.network_card": "networks",
    "desktop.ui.forms.stage_card": "stages",
    "desktop.ui.forms.editors": "stages",
    "desktop.ui.shell.dialogs": "dialogs",
    "desktop.plugins.labeling.window.window": "labels",
    "desktop.plugins.labeling.data": "labels",
    "desktop.ui.features.networks.model_dialogs": "dialogs",
    "desktop.cli": "the command line",
    "desktop.ui.shell.report": "reports",
    "desktop.pipeline.filters.trial": "strangers' filters",
    "desktop.diagnostics": "diagnostics",
    "numpy.ma": "nothing",
    "numpy.random": "the sample's layers, which are kept",
    "numpy.testing": "nothing",
    "pycparser": "wgpu's types, which are kept",
    "asyncio": "nothing",
    "email": "nothing",
    "http": "downloads",
    "ssl": "downloads",
    "xml": "nothing",
    "importlib.metadata": "versions",
    "unittest": "nothing",
    "multiprocessing": "nothing",
}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What was there at the first frame of the second start: the first fills the cache folder."""
    folder = tmp_path_factory.mktemp("start")
    names = ("CONFIG", "CACHE", "LOGS", "FILTERS", "PRESETS", "MODELS")
    own = {f"LIGHTLOOM_{name}": str(folder / name.lower()) for name in names}
    environment = {**os.environ, **own, "LIGHTLOOM_STARTUP_TRACE": "1"}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            capture_output=True,
            text=True,
            env=environment,
            timeout=LIMIT_S,
        )
        assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", _NOT_YET)
def test_the_first_picture_waits_for_no_import_that_it_does_not_need(start, name):
    imported = [module for module in start["modules"] if module == name or module.startswith(f"{name}.")]
    assert imported == [], f"for {_NOT_YET[name]}"


def test_late_parts_are_made_behind_the_first_picture_by_themselves(start):
    # That the program came to its end says that they were made.
    assert start["made"] is False
