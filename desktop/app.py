"""Composition root of the window: makes and holds the application, the `Gpu`, the `Engine` and the window."""

from __future__ import annotations

import builtins
import configparser
import contextlib
import gc
import linecache
import logging
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base import console
from desktop.base.errors import GpuError, LightloomError, UsageError
from desktop.base.memory import limit_heaps
from desktop.base.wording import sentence
from desktop.ui.features.metrics.metrics import Metrics
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.remote_control.remote_control import RemoteControl
from desktop.ui.shell.session import (
    Crash,
    LastSource,
    WindowSession,
    find_crash,
    last_folder,
    logged_errors,
    read_source,
)

if TYPE_CHECKING:
    import numpy as np
    import wgpu
    from PySide6.QtWidgets import QApplication

    from desktop.compute.gpu.device import Gpu
    from desktop.media.sources.base import Source
    from desktop.pipeline.engine import Engine
    from desktop.pipeline.layers.texts import PaintedText
    from desktop.ui.forms.settings import Settings
    from desktop.ui.shell.window import Window

log = logging.getLogger(__name__)

_TRACE: Final = "LIGHTLOOM_STARTUP_TRACE"
# How long a thread that computes in Python keeps the interpreter's lock; the window's thread waits for it many
# times while it builds a card, each time that long by default (5 ms).
_SWITCH_S: Final = 0.001


def run_app(
    paths: Sequence[str] = (),
    *,
    adapter: str | None = None,
    preset: str | None = None,
    empty: bool = False,
    safe: bool = False,
    grid: bool = False,
    metrics: str | None = None,
    control: int | None = None,
) -> int:
    """Open the window, run it until it is closed, and return the process's exit status.

    Args:
        paths: sources, models, filters and presets to open; by default the sample.
        adapter: part of an adapter's name, as for `Gpu.open`; by default the one in the settings, or the
            best.
        safe: start without the user's shaders, without a network and on the CPU; offered after a crash.
        metrics: address to serve metrics at, 'HOST:PORT'; by default that of the settings.
        control: port of remote control for this computer; by default what the settings say.

    Raises:
        LightloomError: no display can be opened.
    """
    check_display()
    gc.disable()
    # Before the thread: PySide's first import iterates sys.modules and aborts if another thread imports.
    import PySide6.QtWidgets  # noqa: F401

    _import_without_pyside()
    crash = find_crash()
    if crash is not None and not safe:
        safe = _offer_recovery(crash)
    session = WindowSession()
    try:
        with logged_errors():
            status = _run(
                session,
                paths,
                crashed=crash is not None,
                adapter=adapter,
                preset=preset,
                empty=empty,
                safe=safe,
                grid=grid,
                metrics=metrics,
                control=control,
            )
    except LightloomError:
        session.close()
        raise
    except Exception as error:
        session.crashed(error)
        raise
    session.close()
    return status


def _offer_recovery(crash: Crash) -> bool:
    from desktop.ui.forms.settings import Settings
    from desktop.ui.kit import theme as themes
    from desktop.ui.kit.language import install
    from desktop.ui.shell.safety import offer_recovery

    app, settings = make_application(), Settings.load()
    install(app, settings.language)
    themes.apply(app, themes.resolve(settings.theme))
    return offer_recovery(crash)


def _run(
    session: WindowSession,
    paths: Sequence[str],
    *,
    crashed: bool,
    adapter: str | None,
    preset: str | None,
    empty: bool,
    safe: bool,
    grid: bool,
    metrics: str | None,
    control: int | None,
) -> int:
    # Opening device and sample takes about as long as Qt and the window, so each pair has its own thread.
    with ThreadPoolExecutor(1, thread_name_prefix="startup") as pool:
        from desktop.base.paths import user_config_folder
        from desktop.pipeline.setup.known import known_preset

        kept = user_config_folder() / "settings.ini"
        starting = pool.submit(start_engine, adapter, kept, safe=safe)
        asks = crashed or safe
        goes_on = not (paths or empty or grid or preset or asks) and _goes_on(kept)
        is_sample = not (paths or empty) and not (goes_on and _last_source(kept).has_own)
        beginning = pool.submit(lambda: begin_sample(starting.result())) if is_sample else None
        import rendercanvas.core.loop
        from PySide6.QtCore import QTimer

        from desktop.ui.forms.settings import Settings, start_logging
        from desktop.ui.kit.language import install as install_language

        start_logging()
        app = make_application(session.close)
        settings = Settings.load()
        install_language(app, settings.language)
        import desktop.ui.shell.window  # noqa: F401  (while the device is being made)

        try:
            engine = starting.result()
        except UsageError:
            raise
        except LightloomError as error:  # no adapter, or one that lacks a feature that the pipeline requires
            return _run_without_adapter(app, settings, error)
        window = make_window(app, settings, engine)
        _watch(app, window, session)
        sample = beginning.result() if beginning is not None else None
    if os.environ.get(_TRACE):
        window.first_picture.connect(_print_startup_time)
    # SIGTERM and Ctrl+C act like the close button; rendercanvas's handlers would leave the window open.
    rendercanvas.core.loop.HANDLED_SIGNALS = ()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not in the handler, which may have interrupted a wgpu call with a lock that closing needs.
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.end))
    if sys.platform == "darwin":
        from desktop.ui.shell.file_open import FileOpener

        app.installEventFilter(FileOpener(window.workspace.get(Opening).drop, app))
    window.show()
    if safe:
        window.enter_safe_mode()
    window.start(
        list(paths),
        preset=(known_preset(preset) or Path(preset)) if preset else None,
        empty=empty,
        sample=sample,
        grid=grid,
        goes_on=goes_on,
        crashed=crashed,
    )
    window.workspace.get(Metrics).begin(metrics)
    window.workspace.get(RemoteControl).begin(control)
    # PySide has read the sources of all modules: 12 MB.
    linecache.clearcache()
    # Long-lived objects are frozen: the cycle collector would otherwise walk through them again and again.
    gc.freeze()
    gc.enable()
    status = app.exec()
    window.shutdown()
    return status


def _run_without_adapter(app: QApplication, settings: Settings, error: LightloomError) -> int:
    """Show in a window, and print for a terminal, why no adapter can be used; return when it is closed."""
    from PySide6.QtCore import QTimer

    from desktop.ui.kit import theme as themes
    from desktop.ui.shell.no_adapter import show_no_adapter
    from desktop.ui.shell.safety import start_again

    themes.apply(app, themes.resolve(settings.theme))
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not at once: before its loop runs, Qt knows nothing that it could end.
        signal.signal(number, lambda *_: QTimer.singleShot(0, app.quit))
    gc.enable()
    console.fail(error)
    show_no_adapter(str(error), diagnose, lambda: start_again(sys.argv[1:]))
    return 1


def _watch(app: QApplication, window: Window, session: WindowSession) -> None:
    from desktop.ui.shell.safety import SetupAutosave, Watchdog, limit_closing

    SetupAutosave(window.workspace, session)
    watchdog = Watchdog(window, session)
    window.closing.connect(watchdog.stop)
    window.closing.connect(session.close)
    window.closing.connect(limit_closing)
    # Not left to Qt, which posts an event when the last window closes and removes it if another is shown.
    window.closing.connect(lambda: app.exit(0))


def _import_without_pyside() -> None:
    """Remove PySide's hook from imports, which stores all sources: a tenth of the time to the first frame."""
    original = getattr(builtins, "__orig_import__", None)
    if original is not None:
        builtins.__import__ = original


def check_display() -> None:
    """Raise on Linux if no display can be opened: Qt would abort. Platforms such as offscreen are exempt."""
    platforms = (os.environ.get("QT_QPA_PLATFORM") or "wayland;xcb").split(";")
    if sys.platform.startswith("linux") and not any(
        _has_display(name.partition(":")[0]) for name in platforms
    ):
        raise LightloomError(
            sentence(
                "No display can be opened; start Lightloom from a desktop session, or use 'lightloom "
                "process', "
                "which needs none."
            )
        )


def _has_display(platform: str) -> bool:
    if platform == "xcb":
        return _has_x_display()
    if not platform.startswith("wayland"):
        return True
    if "WAYLAND_SOCKET" in os.environ:
        return True
    name = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
    return _is_listening(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name)))


def _has_x_display() -> bool:
    # [protocol/][host]:number[.screen]. Only local displays are checked: others may respond slowly or refuse.
    display = re.fullmatch(r"(.*):(\d+)(?:\.\d+)?", os.environ.get("DISPLAY", ""))
    if display is None or display[1] not in ("", "unix"):
        return display is not None
    path = f"/tmp/.X11-unix/X{display[2]}"
    # In libxcb's order: the abstract socket (a container may see no other), a file, TCP.
    return (
        _is_listening(f"\0{path}")
        or _is_listening(path)
        or _is_listening(("127.0.0.1", 6000 + int(display[2])))
    )


def _is_listening(address: str | tuple[str, int]) -> bool:
    """Return whether a server listens at the path of a Unix socket, or at a host and port."""
    if sys.platform == "win32":
        return False
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(1.0)
            connection.connect(address)
    except (OSError, ValueError, OverflowError):  # refused, no such file, no such port
        return False
    return True


def start_engine(adapter: str | None, settings: Path, *, safe: bool = False) -> Engine:
    """Make the engine, on any thread; `adapter` of None is the one in the settings, or the best.

    `safe`: without the user's filters, and on a software adapter where there is one. Raises GpuError if no
    device can be made.
    """
    from desktop.compute.gpu.device import Gpu
    from desktop.pipeline.picture.present import check_drawing

    chosen = adapter or (_software_adapter() if safe else _chosen_adapter(settings))

    def open_gpu() -> Gpu:
        # The chosen adapter may be gone (an external GPU) or fail: the best other one is used and reported.
        return Gpu.open_or_another(chosen, check=check_drawing)

    # Before the other imports, which another thread can go on with while this one waits for the driver.
    opened = [open_gpu()]
    from desktop.base.paths import user_cache_folder, user_filter_folder
    from desktop.pipeline.engine import Engine
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.filters.verifier import FilterVerifier, trusts_shaders
    from desktop.ui.workspace.by_adapter import load_network
    from desktop.vision.models.open_models import OpenModels

    cache = user_cache_folder()
    library = FilterLibrary(None if safe else user_filter_folder(), cache / "descriptions")
    verifier = FilterVerifier(cache / "filters", trusts=trusts_shaders())
    models = OpenModels()
    return Engine(
        lambda: opened.pop() if opened else open_gpu(),
        library,
        partial(load_network, models),
        verifier=verifier,
        models=models,
        paint_text=_paint_text,
    )


def _paint_text(wanted: PaintedText) -> np.ndarray:
    # Imported with the first text.
    from desktop.overlay.texts import paint_text

    return paint_text(wanted)


def _chosen_adapter(settings: Path) -> str | None:
    return _stored_setting(settings, "General", "adapter") or None


def _stored_setting(settings: Path, section: str, key: str) -> str:
    # Read without Qt, which is still loading; a broken file gives the default.
    try:
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(settings, encoding="utf-8")
        return parser.get(section, key, fallback="").strip('"')
    except (configparser.Error, UnicodeDecodeError):
        return ""


def _goes_on(settings: Path) -> bool:
    """Return whether a start without arguments restores the last session."""
    wanted = _stored_setting(settings, "session", "restore") != "false"
    return wanted and read_source(last_folder(settings)) is not None


def _last_source(settings: Path) -> LastSource:
    return read_source(last_folder(settings)) or LastSource()


def _software_adapter() -> str | None:
    from desktop.compute.gpu.device import list_adapters

    return next((info.choice for info in list_adapters() if info.is_software), None)


def begin_sample(engine: Engine) -> Source:
    """Start the sample and compile its shaders, on any thread, while another builds the window.

    A software adapter compiles a shader when it first runs, most of a second in total. A separate pipeline
    draws a blank frame, since the engine's belongs to the window's thread; they share compiled shaders.
    """
    from desktop.media.sources.opening import open_source
    from desktop.media.sources.sample import SampleSource
    from desktop.pipeline.pipeline import Pipeline
    from desktop.ui.workspace.by_adapter import sample_name

    sample = open_source(sample_name(engine.gpu.adapter))
    assert isinstance(sample, SampleSource)
    sample.start()
    pipeline = Pipeline(engine.gpu, engine.library)
    try:
        pipeline.render(sample.blank(), _small_target(engine.gpu))
        pipeline.drain()
        # A window without its first frame would begin with "opening".
        deadline = time.monotonic() + 5.0
        while sample.state == "opening" and time.monotonic() < deadline:
            time.sleep(0.002)
    except GpuError as error:
        # The window will meet the same error with the first frame, and handle or report it.
        log.info("compiling for the sample: %s", error)
    finally:
        pipeline.close()
    return sample


def _small_target(gpu: Gpu) -> wgpu.GPUTexture:
    import wgpu

    usage = wgpu.TextureUsage.RENDER_ATTACHMENT
    return gpu.device.create_texture(size=(16, 16, 1), format="bgra8unorm", usage=usage)


def make_application(refused: Callable[[], None] = lambda: None) -> QApplication:
    """Return the process's QApplication, created if there is none.

    If Qt cannot open a display, `refused` is called and the process exits with status 1.
    """
    limit_heaps()
    sys.setswitchinterval(_SWITCH_S)
    from PySide6.QtCore import QCoreApplication, Qt
    from PySide6.QtWidgets import QApplication

    from desktop.ui.kit import accessible

    # The canvas is a native window; without this all its siblings would become native too, and flicker.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    with _explain_qt_failure(refused):
        app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    if app.primaryScreen() is None:
        # A server without a monitor, or a session that is disconnected.
        raise LightloomError(
            sentence(
                "There is no screen for the window; connect one or sign in to the desktop, or use 'lightloom "
                "process', which needs none."
            )
        )
    accessible.install()
    app.setApplicationName("lightloom")
    app.setApplicationDisplayName("Lightloom")
    app.setDesktopFileName("lightloom")
    return app


@contextlib.contextmanager
def _explain_qt_failure(refused: Callable[[], None]) -> Iterator[None]:
    """Print why Qt has no platform: a display that refuses this user, or a missing library.

    Qt aborts the process, and its own message goes to the file of other libraries' output.
    """
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    said: list[str] = []

    def take(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"{context.category}: {text}\n".encode("utf-8", "replace"))
        if kind != QtMsgType.QtFatalMsg:
            said.append(text)
            return
        console.fail(
            sentence(
                "Qt cannot open a window here ({reason}); start Lightloom as the user whose desktop "
                "session this is, install what is "
                "missing, or use 'lightloom process', which needs no display.",
                reason=(said or [text])[0].strip().rstrip("."),
            )
        )
        refused()
        # An exception cannot leave this function, and Qt would abort behind it.
        os._exit(1)

    before = qInstallMessageHandler(take)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def make_window(app: QApplication, settings: Settings, engine: Engine) -> Window:
    """Return the window around an engine, which it closes in the end; not shown yet."""
    from desktop.ui.shell.composition import make_workspace
    from desktop.ui.shell.window import Window

    return Window(app, make_workspace(engine, settings), diagnose)


def diagnose() -> str:
    """Return the report of `lightloom doctor` as text."""
    from desktop.diagnostics import examine

    return "\n".join(f"{f.mark:<4}  {f.what}: {f.detail}" for f in examine())


def _print_startup_time() -> None:
    """Print how long ago the process began."""
    console.out(f"first frame after {_process_age() * 1e3:.0f} ms")
    console.flush()


def _process_age() -> float:
    # Since the kernel started the process: the interpreter's own start counts for the user too.
    if sys.platform == "win32":
        return time.process_time()
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        uptime = float(Path("/proc/uptime").read_text().split()[0])
        return uptime - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return time.process_time()
