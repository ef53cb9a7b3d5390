"""The words by which wgpu-py tells that a device is gone, and those by which it does not."""

from __future__ import annotations

import logging

import pytest
import wgpu

from desktop.base.webgpu import chosen
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.wgpu_native.failures import LossWatch, is_loss

pytestmark = pytest.mark.skipif(
    chosen().name == "dawn", reason="of wgpu-native's words; Dawn is in test_dawn.py"
)

USES = {
    "buffer": lambda device: device.create_buffer(size=16, usage=wgpu.BufferUsage.STORAGE),
    "texture": lambda device: device.create_texture(size=(4, 4, 1), format="rgba8unorm", usage=4),
    "shader": lambda device: device.create_shader_module(code="@compute @workgroup_size(1) fn main() {}"),
    "encoder": lambda device: device.create_command_encoder().finish(),
}


@pytest.fixture(scope="module")
def gone():
    made = Gpu.open()
    made.device.destroy()
    return made.device


@pytest.mark.parametrize("use", USES)
def test_whatever_a_lost_device_is_asked_for_is_a_loss(gone, use):
    with pytest.raises(wgpu.GPUError) as caught:
        USES[use](gone)
    assert is_loss(caught.value)


def test_an_error_about_something_that_is_called_lost_is_none(gpu):
    with pytest.raises(wgpu.GPUError) as caught:
        gpu.device.create_buffer(size=16, usage=0, label="the device is lost.wgsl")
    assert "lost" in str(caught.value) and not is_loss(caught.value)


def test_of_another_version_the_word_is_enough(gpu, another_wgpu):
    assert is_loss(RuntimeError("DXGI: LOST."))
    assert not is_loss(RuntimeError("out of memory"))


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("The WGPU device was lost (unknown):\nDevice lost", True),
        ("The WGPU device was lost (Unknown):\nthe driver was reset (destroyed)", True),
        ("The WGPU device was lost (2)", True),
        ("The WGPU device was lost (destroyed):\nDevice lost", False),
        ("The WGPU device was lost (Destroyed):\nDevice lost", False),
        ("DEVICE LOST!", False),
        ("Shader 'lost' has no entry point", False),
    ],
)
def test_what_the_log_says(line, lost):
    watch = LossWatch()
    logging.getLogger("wgpu").error(line)
    assert watch.is_lost is lost
    watch.close()
    logging.getLogger("wgpu").error("The WGPU device was lost (unknown)")
    assert watch.is_lost is lost


def test_a_device_that_is_closed_is_not_taken_for_a_loss_of_another(gpu):
    watch = LossWatch()
    Gpu.open().close()
    assert not watch.is_lost
    watch.close()
