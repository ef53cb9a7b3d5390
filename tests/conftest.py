"""Shared fixtures: one GPU for the session, the folder of shared test material."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from hypothesis import HealthCheck, settings

from desktop.compute.gpu.device import Gpu

# Hands the tests out to the processes of pytest-xdist.
pytest_plugins = ["scheduling"]

_DEFAULT_SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def take_display() -> IO[str] | None:
    """Use one of the displays that `tasks.py` made, each process of pytest-xdist its own; before Qt is imported.

    Returns:
        The locked file by which other processes know that it is used, until this process ends. The number of a
        process does not tell: one that replaces a crashed process has the next.
    """
    displays = os.environ.get("LIGHTLOOM_DISPLAYS", "").split()
    if sys.platform == "win32" or not displays or "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    import fcntl

    for display in displays:
        lock = (Path(os.environ["XDG_RUNTIME_DIR"]) / f"display{display}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        os.environ["DISPLAY"] = display
        return lock
    return None


_DISPLAY_LOCK = take_display()

# Time is the business of benchmarks: a busy machine fails no test.
settings.register_profile("lightloom", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lightloom")

# As `tasks.py` does, for tests that are run by pytest itself in a checkout.
runpy.run_path(str(Path(__file__).resolve().parent.parent / "packaging" / "catalogues.py"))["compile_stale"]()


@pytest.fixture(scope="session")
def gpu() -> Iterator[Gpu]:
    """The best adapter. There is no skip: without an adapter the suite fails."""
    device = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    yield device
    device.close()


# Every network that a test loads has its graph checked after each pass.
os.environ["LIGHTLOOM_VERIFY"] = "1"


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests leave the user's prepared networks, exports and logs alone, in this process and in those that it
    starts.
    """
    os.environ["LIGHTLOOM_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["LIGHTLOOM_STATE"] = str(tmp_path_factory.mktemp("state"))
    os.environ["LIGHTLOOM_LOGS"] = str(tmp_path_factory.mktemp("logs"))
    os.environ["LIGHTLOOM_REMOTE"] = str(tmp_path_factory.mktemp("remote"))
    # A window that finds no such folder has no exports to load.
    os.environ["LIGHTLOOM_EXPORTS"] = str(tmp_path_factory.mktemp("data") / "exports")


@pytest.fixture(scope="session", autouse=True)
def signals_reach_children() -> None:
    """`nohup` has this process ignore SIGHUP, and a shell's background SIGINT, which a program that it starts
    would inherit; a handler is not inherited.
    """
    for number in (getattr(signal, "SIGHUP", None), signal.SIGINT):
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(autouse=True)
def no_other_application() -> Iterator[None]:
    """Tests leave no application of Qt's core or GUI alone, beside which this process can open no window."""
    yield
    if (core := sys.modules.get("PySide6.QtCore")) and (application := core.QCoreApplication.instance()):
        kind = type(application).__name__
        assert kind not in ("QCoreApplication", "QGuiApplication"), (
            f"the test made a {kind}; run it in a process"
        )


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real models, clips and images; the test is skipped where it is missing."""
    folder = Path(os.environ.get("LIGHTLOOM_SHARED", _DEFAULT_SHARED))
    if not (folder / "manifest.json").exists():
        pytest.skip("no shared material (set LIGHTLOOM_SHARED to a folder with manifest.json)")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take minutes (`long`) begin first: one that begins last keeps one process busy while the
    other has nothing left.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_report_header() -> str:
    """Say in the head of the report which adapter the tests run on."""
    device = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    halves = "with" if device.has("shader-f16") else "without"
    line = f"wgpu adapter: {device.adapter}, {halves} 16-bit floats in shaders"
    device.close()
    return line
