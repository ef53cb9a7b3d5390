"""Shared fixtures: one GPU for the session, the folder of shared test material."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.compute.gpu import Gpu

_DEFAULT_SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def gpu() -> Iterator[Gpu]:
    """The best adapter. There is no skip: without an adapter the suite fails."""
    device = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    yield device
    device.close()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests leave the user's prepared networks alone, in this process and in those that it starts."""
    os.environ["LIGHTLOOM_CACHE"] = str(tmp_path_factory.mktemp("cache"))


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


# `tasks.py short` runs these on every Python, with the newest and the lowest packages: about a minute that meets each package that
# Lightloom calls, from a clip, a still, a network on both backends, to a window. A list and not a marker, so that the whole is in sight.
SHORT = (
    "cpu/test_chain_and_presets.py",
    "cpu/test_export.py",
    "cpu/test_native_types.py",
    "cpu/test_nn_import.py",
    "cpu/test_sources_image.py",
    "cpu/test_sources_stream.py::test_frames_arrive_in_order_and_whole",
    "cpu/test_tasks_onnxruntime.py",
    "cpu/test_video.py::test_flips_of_the_display_matrix",
    "cpu/test_video.py::test_frames_in_order",
    "cpu/test_video.py::test_info",
    "cpu/test_video.py::test_metadata_that_is_not_text",
    "cpu/test_video.py::test_seek_shows_the_frame_whose_interval_holds_the_time",
    "cpu/test_video_frames.py",
    "e2e/test_cli.py::test_a_preset_and_a_filter_act_on_a_picture",
    "e2e/test_cli.py::test_classify",
    "e2e/test_cli.py::test_lists",
    "e2e/test_cli.py::test_process_the_sample",
    "e2e/test_install.py",
    "gpu/test_pipeline.py::test_a_picture_passes_unchanged",
    "gpu/test_pipeline.py::test_stages_run_in_order",
    "gpu/test_recorder.py",
    "ui/test_chain.py::test_a_number_beyond_its_bounds_becomes_the_bound",
    "ui/test_chain.py::test_preset_round_trip",
    "ui/test_drop.py::test_image_is_shown_in_its_colour",
    "ui/test_drop.py::test_network_names_the_picture",
    "ui/test_drop.py::test_video",
    "ui/test_window.py::test_empty_state_and_the_sample",
    "ui/test_window.py::test_recording_can_be_played",
    "ui/test_window.py::test_statistics_dock",
    "ui/test_window.py::test_themes",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the short suite; where it is asked for, every entry of the list has to be a test that is still there."""
    unused = set(SHORT)
    for item in items:
        name = item.nodeid.removeprefix("tests/").split("[")[0]
        if found := {name, name.split("::")[0]} & set(SHORT):
            item.add_marker("short")
            unused -= found
    if unused and config.getoption("markexpr") == "short":
        raise pytest.UsageError(
            f"The short suite (tests/conftest.py) names what is not there: {', '.join(sorted(unused))}."
        )
