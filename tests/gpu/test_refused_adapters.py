"""Drivers that refuse a device: the next adapter is opened, and it is said."""

from __future__ import annotations

import pytest
import wgpu

from desktop.base.errors import GpuError
from desktop.base.webgpu import chosen
from desktop.compute.gpu.device import Gpu, list_adapters
from desktop.pipeline.picture.present import check_drawing

pytestmark = pytest.mark.skipif(
    chosen().name == "dawn", reason="refusals are put into wgpu-py's own adapters"
)

REASON = "not enough memory left"


@pytest.fixture
def refuse(monkeypatch):
    """Have the drivers of some backends refuse every device, as a driver without memory does."""
    original = wgpu.GPUAdapter.request_device_sync

    def install(*backends: str) -> None:
        def request(adapter, **options):
            if adapter.info["backend_type"] in backends:
                raise RuntimeError(f"Request device failed (2): {REASON}")
            return original(adapter, **options)

        for kind in (wgpu.GPUAdapter, *wgpu.GPUAdapter.__subclasses__()):
            if "request_device_sync" in vars(kind):
                monkeypatch.setattr(kind, "request_device_sync", request)

    return install


@pytest.fixture
def refuse_pipelines(monkeypatch):
    """Have the drivers of some backends give a device, and refuse it every render pipeline."""

    def install(*backends: str) -> None:
        for kind in (wgpu.GPUDevice, *wgpu.GPUDevice.__subclasses__()):
            original = vars(kind).get("create_render_pipeline")
            if original is None:
                continue

            def create(device, _original=original, **options):
                if device.adapter.info["backend_type"] in backends:
                    raise wgpu.GPUValidationError(REASON)
                return _original(device, **options)

            monkeypatch.setattr(kind, "create_render_pipeline", create)

    return install


@pytest.fixture
def several():
    found = list_adapters()
    if len({info.backend for info in found}) < 2:
        pytest.skip("this machine has the adapters of one backend only")
    return found


def test_the_next_one_is_opened_and_it_is_said_which_refused(several, refuse):
    best = several[0]
    refuse(best.backend)
    gpu = Gpu.open()
    try:
        assert gpu.adapter.backend != best.backend
        assert gpu.adapter == next(info for info in several if info.backend != best.backend)
        assert any(str(best) in said and REASON in said and str(gpu.adapter) in said for said in gpu.notes)
        assert all("\n" not in said for said in gpu.notes)
    finally:
        gpu.close()


@pytest.mark.parametrize("is_named", [False, True])
def test_one_that_cannot_draw_is_replaced_like_one_without_a_device(several, refuse_pipelines, is_named):
    best = several[0]
    refuse_pipelines(best.backend)
    gpu = Gpu.open_or_another(best.choice if is_named else None, check=check_drawing)
    try:
        assert gpu.adapter.backend != best.backend
        said = " ".join(gpu.notes)
        assert (
            str(best) in said and REASON in said and "a render pipeline" in said and str(gpu.adapter) in said
        )
    finally:
        gpu.close()


def test_where_none_can_draw_it_is_one_sentence(several, refuse_pipelines):
    refuse_pipelines(*{info.backend for info in several})
    with pytest.raises(GpuError) as caught:
        Gpu.open(check=check_drawing)
    assert str(caught.value).count(REASON) == len(several) and "\n" not in str(caught.value)


def test_what_opens_at_once_has_nothing_to_be_said(several):
    gpu = Gpu.open()
    assert gpu.notes == () and gpu.adapter == several[0]
    gpu.close()


def test_what_is_named_is_replaced_by_nothing_else(several, refuse):
    best = several[0]
    refuse(best.backend)
    with pytest.raises(GpuError) as caught:
        Gpu.open(best.choice)
    others = [info for info in several if info.backend != best.backend]
    assert REASON in str(caught.value) and all(str(info) in str(caught.value) for info in others)


@pytest.mark.parametrize("name", ["no such adapter", ""])
def test_a_window_takes_another_and_says_so(several, refuse, name):
    wanted = name or several[0].choice
    if not name:
        refuse(several[0].backend)
    gpu = Gpu.open_or_another(wanted)
    assert gpu.notes and (wanted in gpu.notes[0] or str(several[0]) in gpu.notes[0])
    assert str(gpu.adapter) in gpu.notes[0]
    gpu.close()


def test_where_all_refuse_it_is_one_sentence(several, refuse):
    refuse(*{info.backend for info in several})
    for opened in (Gpu.open, lambda: Gpu.open_or_another("llvm")):
        with pytest.raises(GpuError) as caught:
            opened()
        said = str(caught.value)
        assert all(str(info) in said for info in several) and said.count(REASON) == len(several)
        assert "\n" not in said


def test_a_command_says_it_on_standard_error(several, refuse, capsys):
    from desktop.cli._adapter import open_gpu

    refuse(several[0].backend)
    open_gpu(None).close()
    said = capsys.readouterr().err
    assert said.startswith("lightloom: The driver of") and "--adapter" in said and str(several[0]) in said
