"""Composition root of the window: makes the application, the `Gpu`, the `Engine` and the window, and holds them together."""

from __future__ import annotations

import configparser
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop import console
from desktop.errors import LightloomError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop.compute.engine import Engine
    from desktop.compute.gpu import Gpu
    from desktop.compute.sources.base import Source
    from desktop.ui.settings import Settings
    from desktop.ui.window import Window

_TRACE: Final = "LIGHTLOOM_STARTUP_TRACE"


def run_app(
    paths: Sequence[str] = (), *, adapter: str | None = None, preset: str | None = None, empty: bool = False
) -> int:
    """Open the window and run it until it is closed.

    Args:
        paths: what to open: videos, images, folders, addresses, models, filters, presets; none opens the sample.
        adapter: part of an adapter's name, as for `Gpu.open`; by default the one chosen in the window before, or the best.
        preset: a preset file to begin with.
        empty: begin with nothing open.

    Returns:
        the process's exit status.

    Raises:
        GpuError: no device can be made.
        LightloomError: no display can be opened.
    """
    check_display()
    # Before the thread: PySide's first import walks through sys.modules and aborts the process if another thread imports meanwhile.
    import PySide6.QtWidgets  # noqa: F401
    import rendercanvas.core.loop
    from PySide6.QtCore import QTimer

    # The device takes about as long as Qt and the window: each is made on a thread of its own.
    with ThreadPoolExecutor(1, thread_name_prefix="startup") as pool:
        from desktop.paths import user_config_folder

        starting = pool.submit(
            start_engine, adapter, user_config_folder() / "settings.ini", sample=not paths and not empty
        )
        from desktop.ui.settings import Settings, start_logging

        start_logging()
        app = make_application()
        settings = Settings.load()
        import desktop.ui.window  # noqa: F401  (while the device is being made)

        engine, sample = starting.result()
    window = make_window(app, settings, engine)
    if os.environ.get(_TRACE):
        window.first_picture.connect(_print_startup_time)
    # A kill or Ctrl+C ends as the window's own button does: settings are kept, a recording is finished. rendercanvas would put a handler
    # of its own over these as soon as its loop runs, which stops the drawing and leaves the window.
    rendercanvas.core.loop.HANDLED_SIGNALS = ()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not in the handler: it may have interrupted a wgpu call of this very thread that holds a lock which closing needs.
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))
    if sys.platform == "darwin":
        from desktop.ui.file_open import FileOpener

        app.installEventFilter(FileOpener(window.controller.drop, app))
    window.show()
    window.start(list(paths), preset=Path(preset) if preset else None, empty=empty, sample=sample)
    status = app.exec()
    window.shutdown()
    return status


def check_display() -> None:
    """Raise on Linux where no display can be opened: Qt would abort the process, with a text about its plugins.

    Other platforms than Wayland and X (QT_QPA_PLATFORM=offscreen, vnc, ...) are Qt's affair.
    """
    platforms = (os.environ.get("QT_QPA_PLATFORM") or "wayland;xcb").split(";")
    if sys.platform.startswith("linux") and not any(
        _has_display(name.partition(":")[0]) for name in platforms
    ):
        raise LightloomError(
            "No display can be opened; start Lightloom from a desktop session, or use 'lightloom process', which needs none."
        )


def _has_display(platform: str) -> bool:
    if platform == "xcb":
        return _has_x_display()
    if not platform.startswith("wayland"):
        return True
    if "WAYLAND_SOCKET" in os.environ:
        return True
    name = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
    return _answers(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name)))


def _has_x_display() -> bool:
    # [protocol/][host]:number[.screen]. Only what is on this machine is asked: another may take seconds to answer, or not let us know.
    display = re.fullmatch(r"(.*):(\d+)(?:\.\d+)?", os.environ.get("DISPLAY", ""))
    if display is None or display[1] not in ("", "unix"):
        return display is not None
    path = f"/tmp/.X11-unix/X{display[2]}"
    # As libxcb tries them: in the abstract name space (a container may see no other), a file, TCP.
    return _answers(f"\0{path}") or _answers(path) or _answers(("127.0.0.1", 6000 + int(display[2])))


def _answers(address: str | tuple[str, int]) -> bool:
    """Tell whether a server listens at the path of a Unix socket, or at a host and port."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(1.0)
            connection.connect(address)
    except (OSError, ValueError, OverflowError):  # refused, no such file, no such port
        return False
    return True


def start_engine(
    adapter: str | None, settings: Path, *, sample: bool = False
) -> tuple[Engine, Source | None]:
    """Make the engine, on any thread; with `sample`, the sample too, with its first picture already rendered.

    That compiles the shaders for it, most of a second on a software adapter, while Qt is being loaded.

    Args:
        adapter: part of an adapter's name; None for the one in the settings, or the best.
        settings: the window's settings file.
        sample: whether the window will begin with the sample.

    Raises:
        GpuError: no device can be made.
    """
    from desktop.compute.engine import Engine
    from desktop.compute.filters import FilterLibrary
    from desktop.compute.gpu import Gpu
    from desktop.errors import NoAdapterError
    from desktop.paths import user_filter_folder
    from desktop.ui.network import load_network

    chosen = adapter or _chosen_adapter(settings)

    def open_gpu() -> Gpu:
        try:
            return Gpu.open(chosen)
        except NoAdapterError:
            if adapter is not None or chosen is None:
                raise
            # The adapter of the settings is gone (an external GPU, another machine): the best one will do, and is shown.
            return Gpu.open()

    engine = Engine(open_gpu, FilterLibrary(user_filter_folder()), load_network)
    return engine, _begin_sample(engine) if sample else None


def _chosen_adapter(settings: Path) -> str | None:
    # Read without Qt, which is being loaded at this moment; a broken file gives the default.
    try:
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(settings, encoding="utf-8")
        return parser.get("General", "adapter", fallback="").strip('"') or None
    except (configparser.Error, UnicodeDecodeError):
        return None


def _begin_sample(engine: Engine) -> Source:
    from desktop.compute.sources.opening import open_source
    from desktop.ui.network import sample_name

    source = open_source(sample_name(engine.gpu.adapter))
    source.start()
    deadline = time.monotonic() + 5.0
    while (frame := source.take(time.perf_counter())) is None and time.monotonic() < deadline:
        time.sleep(0.005)
    if frame is not None:
        engine.render(frame, _small_target(engine.gpu))
        engine.pipeline.drain()
        engine.pipeline.reset_stats()
    return source


def _small_target(gpu: Gpu) -> Any:
    import wgpu

    usage = wgpu.TextureUsage.RENDER_ATTACHMENT
    return gpu.device.create_texture(size=(16, 16, 1), format="bgra8unorm", usage=usage)


def make_application() -> QApplication:
    """Return the process's QApplication, made if there is none."""
    from PySide6.QtCore import QCoreApplication, Qt
    from PySide6.QtWidgets import QApplication

    # The canvas is a native window; without this all its siblings would become native too, and flicker.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("lightloom")
    app.setApplicationDisplayName("Lightloom")
    app.setDesktopFileName("lightloom")
    return app


def make_window(app: QApplication, settings: Settings, engine: Engine) -> Window:
    """Return the window around an engine, which it closes in the end; not shown yet."""
    from desktop.ui.controller import Controller
    from desktop.ui.window import Window

    return Window(app, Controller(engine, settings), diagnose)


def diagnose() -> str:
    """Return what `lightloom doctor` finds, as text."""
    from desktop.doctor import examine

    return "\n".join(f"{'ok' if f.ok else 'problem'}  {f.what}: {f.detail}" for f in examine())


def _print_startup_time() -> None:
    """Print how long ago the process began."""
    console.out(f"first picture after {_process_age() * 1e3:.0f} ms")
    console.flush()


def _process_age() -> float:
    # Since the kernel started the process: the interpreter's own start counts for the user too.
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        uptime = float(Path("/proc/uptime").read_text().split()[0])
        return uptime - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return time.process_time()
