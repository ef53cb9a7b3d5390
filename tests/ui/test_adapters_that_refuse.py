"""The window opens whatever the adapters do: without a surface, without the best one, without any."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from PySide6.QtGui import QGuiApplication
from window_program import Program

from desktop.app import start_engine
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu, list_adapters
from desktop.media.sources.opening import open_source
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.shell.no_adapter import NoAdapterWindow
from desktop.ui.workspace.viewport import Viewport

_NO_VULKAN = {
    "VK_DRIVER_FILES": "/nonexistent",
    "VK_ICD_FILENAMES": "/nonexistent",
    "LIBGL_ALWAYS_SOFTWARE": "1",
}
_NOTHING = {**_NO_VULKAN, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"}
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the environment takes drivers away on Linux alone"
)


@pytest.fixture
def program(tmp_path):
    made = []

    def start(environment, *arguments):
        made.append(Program(tmp_path, environment, *arguments))
        return made[-1]

    yield start
    for each in made:
        each.close()


def adapters_with(environment):
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "devices"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    return done.stdout


@linux
@pytest.mark.parametrize("mode", [(), ("--safe-mode",)])
def test_with_opengl_alone_there_is_a_picture(program, mode):
    if "OpenGL" not in adapters_with(_NO_VULKAN):
        pytest.skip("without Vulkan this machine has no adapter")
    window = program(_NO_VULKAN, *mode)
    window.wait_for("first frame")
    assert window.end() == 0


@linux
def test_with_no_adapter_the_window_says_why(program):
    window = program(_NOTHING)
    window.wait_for("No GPU adapter was found")
    assert window.end() == 1
    assert "Traceback" not in window.said.read_text()


def test_another_try_finds_one_or_says_that_there_is_none(qtbot):
    why = sentence("No GPU adapter was found.")
    window = NoAdapterWindow(why, lambda: "FAIL  GPU adapters: none", arguments=("--version",))
    qtbot.addWidget(window)
    window.show()
    assert window.why.text() == why
    with qtbot.waitSignal(window.found):
        window.again.click()
    failing = NoAdapterWindow(why, lambda: "", arguments=("no-such-command",))
    qtbot.addWidget(failing)
    failing.show()
    failing.found.connect(lambda: pytest.fail("there is none"))
    failing.again.click()
    qtbot.waitUntil(lambda: failing.again.isEnabled())
    assert "No graphics adapter can be opened" in failing.note.text()
    for each in (window, failing):
        each.shutdown()


def test_the_diagnostics_can_be_copied(qtbot):
    window = NoAdapterWindow("why", lambda: "FAIL  GPU adapters: none", system="win32")
    qtbot.addWidget(window)
    window.show()
    window.copy.click()
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "FAIL  GPU adapters: none")
    assert "driver" in window.installs.text() and "apt" not in window.installs.text()
    window.shutdown()


def test_an_adapter_without_a_surface_is_presented_as_a_bitmap(qtbot, tmp_path):
    """Chosen while the window is open, or after a loss: its surface would abort the process."""
    listed = list_adapters()
    other = next((info for info in listed if info.backend == "OpenGL"), None)
    if other is None or sys.platform != "linux" or listed[0].backend == "OpenGL":
        pytest.skip("there is no second adapter here that draws to no window")
    engine = start_engine(None, tmp_path / "settings.ini")
    source = open_source("sample:128x72@30")
    viewport = Viewport(engine, lambda: source.take(time.perf_counter()))
    qtbot.addWidget(viewport)
    source.on_change = ThreadSignal(viewport.wake).send
    drawn = []
    viewport.drawn.connect(lambda: drawn.append(engine.gpu.adapter))
    viewport.resize(320, 180)
    viewport.show()
    source.start()
    try:
        qtbot.waitUntil(lambda: drawn.count(listed[0]) > 2)
        engine.rebuild(lambda: Gpu.open(other.choice))
        viewport.reconfigure()
        assert viewport.present_method == "bitmap"
        qtbot.waitUntil(lambda: drawn.count(other) > 2)
    finally:
        source.on_change = None
        source.close()
        viewport.shutdown()
        engine.close()
