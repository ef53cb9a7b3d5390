"""Prepared commands: the native way does what the public one does, keeps its objects, and survives errors."""

from __future__ import annotations

import gc
import sys
import threading

import numpy as np
import pytest
import wgpu
from tiny_models import red_or_blue_model

from desktop.base.webgpu import chosen
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.native import compiled
from desktop.compute.gpu.recording import record_public
from desktop.compute.gpu.webgpu import make_recorder
from desktop.compute.gpu.wgpu_native import version, waiting
from desktop.diagnostics import examine, wgpu_finding
from desktop.media.sources.sample import SampleSource
from desktop.pipeline.batch import run_batch
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup

if chosen().name == "dawn":
    from desktop.compute.gpu.dawn.recorder import record_native
else:
    from desktop.compute.gpu.wgpu_native.recorder import record_native

INSIDES = pytest.mark.skipif(
    chosen().name == "dawn", reason="of wgpu-native's insides; this process has Dawn"
)

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
    gpu.compute(lambda each: record(each, *bounds))


def read(gpu, buffer):
    return np.frombuffer(gpu.queue.read_buffer(buffer), np.uint32)[:_COUNT]


def record_by_python(commands):
    """What `record_native` returns where no compiled loop is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "compiled_loop", lambda: None)
        return record_native(commands)


@pytest.mark.parametrize("make", [record_native, record_by_python, record_public, make_recorder])
@pytest.mark.parametrize(
    ("bounds", "digits", "count"), [((), 123, 3), ((1,), 23, 2), ((0, 2), 12, 2), ((2, 2), 0, 0)]
)
def test_a_slice_of_commands_is_recorded_in_order(gpu, buffers, make, bounds, digits, count):
    run(gpu, make(commands(gpu, buffers)), *bounds)
    assert (read(gpu, buffers[0]) == digits).all()
    assert (read(gpu, buffers[1]) == count).all()


@pytest.mark.parametrize("make", [make_recorder, record_by_python])
def test_objects_live_as_long_as_the_recorder(gpu, buffers, make):
    record = make(commands(gpu, buffers))
    gc.collect()  # the bind groups were the caller's last, and are only the recorder's now
    run(gpu, record)
    assert (read(gpu, buffers[0]) == 123).all()


@pytest.mark.timeout(60)
def test_an_error_is_raised_when_the_pass_is_finished_and_the_next_one_works(gpu, buffers):
    wrong = [(p, groups[:1], n) for p, groups, n in commands(gpu, buffers)]  # group 1 is missing
    with pytest.raises(wgpu.GPUError):
        run(gpu, make_recorder(wrong))
    run(gpu, make_recorder(commands(gpu, buffers)))
    assert (read(gpu, buffers[0]) == 123).all()


@INSIDES
@pytest.mark.timeout(60)
def test_recording_into_a_pass_that_was_ended_does_not_hang_beside_a_busy_thread(gpu, buffers, caplog):
    # The native library complains at once here, through a callback into Python, while the interpreter's lock
    # is held.
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


# -- another wgpu --------------------------------------------------------------------------------------------


@INSIDES
def test_the_versions_in_use_are_the_ones_that_were_looked_into(gpu):
    assert version.versions_in_use() == version.KNOWN and version.is_known() and version.binding_is_known()


@INSIDES
def test_with_another_wgpu_only_public_methods_are_called(gpu, buffers, another_wgpu):
    calls = []

    class Pass:
        """A compute pass without insides."""

        def set_pipeline(self, pipeline):
            calls.append("pipeline")

        def set_bind_group(self, index, group):
            calls.append(f"group {index}")

        def dispatch_workgroups(self, *counts):
            calls.append(counts)

    make_recorder(commands(gpu, buffers)[:1])(Pass())
    assert calls == ["pipeline", "group 0", "group 1", (2, 3, 2)]


class _Promise:
    """A promise without insides."""

    def sync_wait(self):
        return 7


@INSIDES
def test_with_another_wgpu_waiting_is_public_too(gpu, another_wgpu):
    waiting.poll(object())
    assert gpu.wait_for(_Promise()) == 7


@INSIDES
def test_waiting_ends_when_it_is_told_to(gpu):
    buffer = gpu.buffer(16, wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST)

    class Stop(Exception):
        pass

    def stop():
        raise Stop

    class Never(_Promise):
        _thread_event = threading.Event()

    with pytest.raises(Stop):
        waiting.wait_for(Never(), stop)
    assert gpu.wait_for(buffer.map_async("READ")) is None
    buffer.unmap()


def _picture_and_logits(gpu, folder):
    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(), library, LiveNetwork.load, wait=True)
    model = red_or_blue_model(folder / "color.onnx")
    chain = typed_chain(library, [parse_stage("gaussian_blur:radius=3"), parse_stage("sharpen")])
    pictures = []
    try:
        engine.current.set_setup(Setup(chain, NetworkSpec(str(model), "wgpu", "fp32")))
        run_batch(
            engine,
            iter(SampleSource((160, 90)).frames()),
            on_picture=lambda p, _: pictures.append(p.copy()),
            max_frames=3,
        )
        latest = engine.pipeline.analyses.latest
    finally:
        engine.close()
    return np.stack(pictures), [(p.label, p.probability) for p in latest.predictions]


@INSIDES
def test_pictures_and_networks_are_the_same_both_ways(gpu, tmp_path, request):
    known = _picture_and_logits(gpu, tmp_path)
    request.getfixturevalue("another_wgpu")
    other = _picture_and_logits(gpu, tmp_path)
    assert known[0].shape == (3, 90, 160, 4) and known[0].std() > 10
    assert (known[0] == other[0]).all()
    assert known[1] == other[1] and len(known[1]) > 1


@INSIDES
def test_doctor_says_that_wgpu_is_another_one(another_wgpu):
    assert wgpu_finding(version.KNOWN) is None
    finding = wgpu_finding(another_wgpu)
    assert finding.mark == "warn" and "wgpu 0.99.0" in finding.detail and "0.32.0" in finding.detail
    assert finding in examine()
