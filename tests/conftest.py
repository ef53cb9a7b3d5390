"""Shared fixtures: one GPU for the session, the folder of shared test material."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.compute.gpu.device import Gpu

_DEFAULT_SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


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
    """Tests leave the user's prepared networks and logs alone, in this process and in those that it starts."""
    os.environ["LIGHTLOOM_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["LIGHTLOOM_LOGS"] = str(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="session", autouse=True)
def hangup_reaches_children() -> None:
    """`nohup` has this process ignore SIGHUP, which a program that it starts would inherit; a handler is not inherited."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real models, clips and images; the test is skipped where it is missing."""
    folder = Path(os.environ.get("LIGHTLOOM_SHARED", _DEFAULT_SHARED))
    if not (folder / "manifest.json").exists():
        pytest.skip("no shared material (set LIGHTLOOM_SHARED to a folder with manifest.json)")
    return folder


def pytest_report_header() -> str:
    """Say in the head of the report which adapter the tests run on."""
    device = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    line = f"wgpu adapter: {device.adapter}"
    device.close()
    return line
