"""Prepared commands: the native way does what the public one does, keeps its objects, and survives errors."""

from __future__ import annotations

import gc
import sys
import threading

import numpy as np
import pytest
import wgpu

from desktop.compute.gpu.wgpu_native.recorder import make_recorder, record_native, record_public

_CODE = """
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(1) @binding(0) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {
    let i = id.x + n.x * (id.y + n.y * id.z);
    a[i] = a[i] * 10u + SCALE;
    b[i] = b[i] + 1u;
}
"""
_USAGE = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
_COUNT = 12


@pytest.fixture
def buffers(gpu):
    return [gpu.buffer(_COUNT * 4, _USAGE, name) for name in "ab"]


def commands(gpu, buffers):
    """Three commands that append the digits 1, 2, 3 to every a[i], and count in b, over 2 x 3 x 2 workgroups."""
    layout = gpu.bind_group_layout(
        [{"binding": 0, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}}]
    )
    groups = tuple(
        gpu.device.create_bind_group(layout=layout, entries=[{"binding": 0, "resource": {"buffer": b}}])
        for b in buffers
    )
    return [
        (
            gpu.compute_pipeline(
                _CODE.replace("SCALE", f"{digit}u"), "main", label="digits", layouts=[layout, layout]
            ),
            groups,
            (2, 3, 2),
        )
        for digit in (1, 2, 3)
    ]


def run(gpu, record, *bounds):
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    record(compute_pass, *bounds)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])


def read(gpu, buffer):
    return np.frombuffer(gpu.queue.read_buffer(buffer), np.uint32)[:_COUNT]


@pytest.mark.parametrize("make", [record_native, record_public, make_recorder])
@pytest.mark.parametrize(
    ("bounds", "digits", "count"), [((), 123, 3), ((1,), 23, 2), ((0, 2), 12, 2), ((2, 2), 0, 0)]
)
def test_a_slice_of_commands_is_recorded_in_order(gpu, buffers, make, bounds, digits, count):
    run(gpu, make(commands(gpu, buffers)), *bounds)
    assert (read(gpu, buffers[0]) == digits).all()
    assert (read(gpu, buffers[1]) == count).all()


def test_objects_live_as_long_as_the_recorder(gpu, buffers):
    record = record_native(commands(gpu, buffers))
    gc.collect()  # the bind groups were the caller's last, and are only the recorder's now
    run(gpu, record)
    assert (read(gpu, buffers[0]) == 123).all()


@pytest.mark.timeout(60)
def test_an_error_is_raised_when_the_pass_is_finished_and_the_next_one_works(gpu, buffers):
    wrong = [(p, groups[:1], n) for p, groups, n in commands(gpu, buffers)]  # group 1 is missing
    with pytest.raises(wgpu.GPUError):
        run(gpu, record_native(wrong))
    run(gpu, record_native(commands(gpu, buffers)))
    assert (read(gpu, buffers[0]) == 123).all()


@pytest.mark.timeout(60)
def test_recording_into_a_pass_that_was_ended_does_not_hang_beside_a_busy_thread(gpu, buffers, caplog):
    # The native library complains at once here, through a callback into Python, while the interpreter's lock is held.
    stop = threading.Event()

    def work():
        while not stop.is_set():
            sum(range(100))

    record = record_native(commands(gpu, buffers))
    thread = threading.Thread(target=work)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread.start()
    try:
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        compute_pass.end()
        record(compute_pass)
        run(gpu, record)
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert "ended" in caplog.text.lower()
    assert (read(gpu, buffers[0]) == 123).all()
