"""Parts that Dawn needs in a form of its own: losses, errors of one thread, waiting. For a process that has
it (LIGHTLOOM_WEBGPU=dawn).
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import wgpu
from waiting import LIMIT_S

from desktop.base.errors import ShaderError, StoppedError
from desktop.base.webgpu import chosen
from desktop.compute.gpu import webgpu
from desktop.compute.gpu.dawn import version
from desktop.compute.gpu.dawn.adapters import extras
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import LossWatch

pytestmark = pytest.mark.skipif(chosen().name != "dawn", reason="this process has wgpu-native")

SLOW = """
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var s = f32(id.x);
    for (var i = 0u; i < 20000u; i++) { s = fract(s * 1.7 + 0.3); }
    a[id.x] = s;
}
"""

# The first adapter, once more under another identity, as on a machine with two cards of a kind.
DOUBLED = """
from desktop.compute.gpu import device
from desktop.compute.gpu.dawn import adapters

extensions = adapters.extras()
properties = extensions.get_adapter_properties
from wgpudawn.backends.dawn import GPU

found = GPU._enumerate_all_adapters
twice = {}


def doubled(self):
    every = found(self)
    again = found(self)[0]
    twice[id(again)] = again
    return [*every, again]


def properties_of(adapter):
    if id(adapter) in twice:
        return {"vulkan_uuids": {"device_uuid": bytes(16)}}
    return properties(adapter)


GPU._enumerate_all_adapters = doubled
extensions.get_adapter_properties = properties_of
first = device.list_adapters()[0]
for each in device.list_adapters():
    if (each.name, each.backend) == (first.name, first.backend):
        print(each.name, each.number)
"""


def submit_slow(gpu):
    """Submit some tenths of a second of work; return its buffer."""
    buffer = gpu.buffer(4 * 64 * 64, wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    entry = {"binding": 0, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}}
    layout = gpu.bind_group_layout([entry])
    pipeline = gpu.compute_pipeline(SLOW, "main", label="slow.wgsl", layouts=[layout])
    group = gpu.device.create_bind_group(
        layout=layout, entries=[{"binding": 0, "resource": {"buffer": buffer}}]
    )
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    webgpu.make_recorder([(pipeline, (group,), (64, 1, 1))])(compute_pass)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    return buffer


def test_the_versions_in_use_are_the_ones_that_were_looked_into(gpu):
    assert version.is_known() and str(webgpu.versions_in_use()).startswith(f"wgpudawn {version.KNOWN} with")
    assert gpu.adapter.library == "Dawn" and str(gpu.adapter).endswith(", Dawn)")


def test_equal_gpus_are_listed_once_each(tmp_path):
    """In a process of its own: what `wgpu.gpu` is changes when Dawn is imported."""
    script = tmp_path / "doubled.py"
    script.write_text(DOUBLED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    numbers = [int(line.rpartition(" ")[2]) for line in done.stdout.splitlines()]
    assert len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1))


def test_a_device_has_what_threads_need_even_if_nothing_is_asked_for():
    own = Gpu.open(features=[])
    assert own.has("implicit-device-synchronization") and not own.has("shader-f16")
    assert own.matrices == ()
    own.close()


def test_a_loss_is_one_of_its_device_alone(gpu):
    own = Gpu.open()
    watch, other = LossWatch(own.device), LossWatch(gpu.device)
    assert not watch.is_lost and not watch.is_loss(RuntimeError("the device is lost"))
    own.device.destroy()
    # `is_lost` asks Dawn at most every 50 ms; an error makes it ask at once.
    assert watch.is_loss(RuntimeError("whatever")) and watch.is_lost
    assert not other.is_loss(RuntimeError("whatever")) and not other.is_lost
    watch.close()
    other.close()


def test_calls_on_a_lost_device_raise_no_bug():
    own = Gpu.open()
    watch = LossWatch(own.device)
    own.device.destroy()
    assert watch.is_loss(RuntimeError("whatever"))
    buffer = own.buffer(16, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    own.queue.submit([own.device.create_command_encoder().finish()])
    own.wait()
    with pytest.raises(RuntimeError):
        buffer.map_async("READ").sync_wait()


def test_what_does_not_compile_on_one_thread_is_raised_there_and_nowhere_else(gpu):
    """wgpudawn keeps errors in one list, from which any thread's next call takes them."""
    caught = []

    def compile_wrong():
        for index in range(100):
            try:
                gpu.shader_module(f"fn wrong{index}() {{ nothing }}", "wrong.wgsl")
            except ShaderError as error:
                caught.append(error)

    thread = threading.Thread(target=compile_wrong)
    thread.start()
    while thread.is_alive():
        gpu.buffer(16, wgpu.BufferUsage.STORAGE).destroy()
    thread.join()
    assert len(caught) == 100 and all(error.messages[0].line == 1 for error in caught)


def test_waiting_is_for_all_that_was_submitted(gpu):
    submit_slow(gpu)
    done = gpu.queue.on_submitted_work_done_async()
    gpu.wait()
    extras().process_events()
    assert done._thread_event.is_set()


def test_a_wait_ends_when_it_is_told_to(gpu):
    own = Gpu.open()
    buffer = submit_slow(own)
    staging = own.buffer(buffer.size, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    encoder = own.device.create_command_encoder()
    encoder.copy_buffer_to_buffer(buffer, 0, staging, 0, buffer.size)
    own.queue.submit([encoder.finish()])
    promise = staging.map_async("READ")
    own.stopping.set()
    with pytest.raises(StoppedError):
        for _ in range(1000):  # a fast GPU may have it before the first look
            submit_slow(own)
            own.wait_for(own.queue.on_submitted_work_done_async())
    own.stopping.clear()
    assert own.wait_for(promise) is None
    values = np.frombuffer(staging.read_mapped(), np.float32)
    assert np.isfinite(values).all() and values.std() > 0.1
    own.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_wait_gives_what_the_promise_gives(gpu, monkeypatch, known):
    monkeypatch.setattr("desktop.compute.gpu.dawn.version.is_known", lambda: known)
    buffer = submit_slow(gpu)
    staging = gpu.buffer(buffer.size, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    encoder = gpu.device.create_command_encoder()
    encoder.copy_buffer_to_buffer(buffer, 0, staging, 0, buffer.size)
    gpu.queue.submit([encoder.finish()])
    assert gpu.wait_for(staging.map_async("READ")) is None
    assert np.frombuffer(staging.read_mapped(), np.float32).std() > 0.1
    staging.unmap()


def test_looking_for_a_map_raises_nothing_that_another_call_has_caused(gpu):
    """It would count as a lost device, and the error belongs to a frame's commands or to another thread's."""
    from desktop.compute.gpu.dawn.library import library

    native = library()
    buffer = submit_slow(gpu)
    staging = gpu.buffer(buffer.size, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)
    encoder = gpu.device.create_command_encoder()
    encoder.copy_buffer_to_buffer(buffer, 0, staging, 0, buffer.size)
    gpu.queue.submit([encoder.finish()])
    mapping = gpu.begin_map(staging)
    wrong = native.ffi.new("WGPUBufferDescriptor *")
    wrong.size, wrong.usage = 16, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.MAP_WRITE
    native.lib.wgpuDeviceCreateBuffer(gpu.device._internal, wrong)
    end = time.monotonic() + LIMIT_S
    while not mapping.is_done():
        assert time.monotonic() < end
    with pytest.raises(wgpu.GPUError, match="MapRead"):
        gpu.buffer(16, wgpu.BufferUsage.STORAGE)
    mapping.finish()
    assert np.frombuffer(staging.read_mapped(), np.float32).std() > 0.1
    staging.unmap()
