"""Native recording, writing and waiting for frames, compared with wgpu-py's public methods."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest
import wgpu

from desktop.base.webgpu import chosen
from desktop.compute.gpu.recording import write_public
from desktop.compute.gpu.webgpu import make_encoder, make_writer, map_for_reading
from desktop.compute.gpu.wgpu_native import encoder as native
from desktop.compute.gpu.wgpu_native import waiting
from desktop.compute.gpu.wgpu_native.writer import write_native

if chosen().name == "dawn":
    from desktop.compute.gpu.dawn.encoder import native_encoder
else:
    from desktop.compute.gpu.wgpu_native.encoder import native_encoder

INSIDES = pytest.mark.skipif(
    chosen().name == "dawn", reason="of wgpu-native's insides; this process has Dawn"
)
ENCODERS = [
    native_encoder,
    make_encoder,
    lambda device: device.create_command_encoder(),
]
_SIZE = (24, 16)
_RED = (255, 0, 0, 255)

_DRAWN = """
@group(0) @binding(0) var<uniform> color: vec4f;
@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i / 2u) * 4.0 - 1.0, f32(i % 2u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fragment() -> @location(0) vec4f { return color; }
"""


@pytest.fixture
def target(gpu):
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC | wgpu.TextureUsage.COPY_DST
    return gpu.device.create_texture(size=(*_SIZE, 1), format="rgba8unorm", usage=usage)


def pixels(gpu, texture):
    width, height = texture.width, texture.height
    layout = {"bytes_per_row": width * 4, "rows_per_image": height}
    data = gpu.queue.read_texture({"texture": texture}, layout, (width, height, 1))
    return np.frombuffer(data, np.uint8).reshape(height, width, 4)


def attachment(texture, **others):
    return {
        "view": texture.create_view(),
        "load_op": "clear",
        "store_op": "store",
        "clear_value": (0.0, 0.0, 1.0, 1.0),
        **others,
    }


@pytest.fixture
def red(gpu):
    """A pipeline that fills all, and its bind group, which says red."""
    device = gpu.device
    layout = gpu.bind_group_layout(
        [{"binding": 0, "visibility": wgpu.ShaderStage.FRAGMENT, "buffer": {"type": "uniform"}}]
    )
    module = device.create_shader_module(code=_DRAWN)
    pipeline = device.create_render_pipeline(
        layout=device.create_pipeline_layout(bind_group_layouts=[layout]),
        vertex={"module": module, "entry_point": "vertex"},
        primitive={"topology": "triangle-list"},
        fragment={"module": module, "entry_point": "fragment", "targets": [{"format": "rgba8unorm"}]},
    )
    color = device.create_buffer_with_data(
        data=np.array([1, 0, 0, 1], np.float32), usage=wgpu.BufferUsage.UNIFORM
    )
    group = device.create_bind_group(layout=layout, entries=[{"binding": 0, "resource": {"buffer": color}}])
    return pipeline, group


def draw(render_pass, red, scissor=None, viewport=None):
    pipeline, group = red
    render_pass.set_pipeline(pipeline)
    if scissor is not None:
        render_pass.set_scissor_rect(*scissor)
    if viewport is not None:
        render_pass.set_viewport(*viewport, 0.0, 1.0)
    render_pass.set_bind_group(0, group)
    render_pass.draw(3)
    render_pass.end()


@pytest.mark.parametrize("make", ENCODERS)
@pytest.mark.parametrize("how", ["scissor", "viewport"])
def test_a_render_pass_draws_where_it_is_told_to(gpu, target, red, make, how):
    encoder = make(gpu.device)
    draw(encoder.begin_render_pass(color_attachments=[attachment(target)]), red, **{how: (3, 2, 10, 7)})
    gpu.queue.submit([encoder.finish()])
    expected = np.full((_SIZE[1], _SIZE[0], 4), (0, 0, 255, 255), np.uint8)
    expected[2:9, 3:13] = _RED
    np.testing.assert_array_equal(pixels(gpu, target), expected)


@pytest.mark.parametrize("make", ENCODERS)
def test_a_second_pass_keeps_what_the_first_one_drew(gpu, target, red, make):
    encoder = make(gpu.device)
    for load, scissor in (("clear", (0, 0, 4, 4)), ("load", (20, 12, 4, 4))):
        drawn = encoder.begin_render_pass(color_attachments=[attachment(target, load_op=load)])
        draw(drawn, red, scissor=scissor)
    gpu.queue.submit([encoder.finish()])
    assert (pixels(gpu, target) == _RED).all(-1).sum() == 32


@pytest.mark.parametrize("make", ENCODERS)
def test_what_a_frame_does_not_need_is_there_too(gpu, target, make):
    """A pass with a target to resolve to, and copies of a whole buffer and of a part of it."""
    many = gpu.device.create_texture(
        size=(*_SIZE, 1), format="rgba8unorm", usage=wgpu.TextureUsage.RENDER_ATTACHMENT, sample_count=4
    )
    source = gpu.device.create_buffer_with_data(data=bytes(range(64)), usage=wgpu.BufferUsage.COPY_SRC)
    copies = [gpu.buffer(64, wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC) for _ in range(2)]
    encoder = make(gpu.device)
    of_many = attachment(many, resolve_target=target.create_view(), store_op="discard")
    encoder.begin_render_pass(color_attachments=[of_many]).end()
    encoder.copy_buffer_to_buffer(source, 0, copies[0], 0, 64)
    encoder.copy_buffer_to_buffer(source, 8, copies[1], 20, 12)
    gpu.queue.submit([encoder.finish()])
    assert (pixels(gpu, target) == (0, 0, 255, 255)).all()
    assert bytes(gpu.queue.read_buffer(copies[0])) == bytes(range(64))
    assert bytes(gpu.queue.read_buffer(copies[1])) == bytes(20) + bytes(range(8, 20)) + bytes(32)


@pytest.mark.parametrize("make", ENCODERS)
def test_each_pass_writes_its_timestamps_into_its_own_set(gpu, target, make):
    """A set that is made where another one was, of which the structures were kept, gets the times of its own
    passes.
    """
    if not gpu.has("timestamp-query"):
        pytest.skip("this adapter has no timestamps")
    usage = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC
    latest = 0
    for _ in range(3):
        queries = gpu.device.create_query_set(type="timestamp", count=4)
        resolved = gpu.buffer(32, usage)
        encoder = make(gpu.device)
        stamps = [
            {"query_set": queries, "beginning_of_pass_write_index": i, "end_of_pass_write_index": i + 1}
            for i in (0, 2)
        ]
        encoder.begin_compute_pass(timestamp_writes=stamps[0]).end()
        encoder.begin_render_pass(color_attachments=[attachment(target)], timestamp_writes=stamps[1]).end()
        encoder.resolve_query_set(queries, 0, 4, resolved, 0)
        gpu.queue.submit([encoder.finish()])
        times = np.frombuffer(gpu.queue.read_buffer(resolved), np.uint64)
        assert latest < times[0] <= times[1] <= times[2] <= times[3]
        latest = int(times[3])
        queries.destroy()
        del queries, stamps, encoder
        gc.collect()


@pytest.mark.parametrize("make", ENCODERS)
@pytest.mark.parametrize("mistake", ["scissor", "open", "copy"])
def test_a_mistake_is_raised_by_finish_at_the_latest_and_the_next_frame_works(
    gpu, target, red, make, mistake
):
    buffer = gpu.buffer(64, wgpu.BufferUsage.COPY_DST)

    def wrong():
        encoder = make(gpu.device)
        if mistake == "copy":
            encoder.copy_buffer_to_buffer(buffer, 0, buffer, 0, 16)  # it may not be copied from
        elif mistake == "open":
            unfinished.append(encoder.begin_compute_pass())
        else:
            drawn = encoder.begin_render_pass(color_attachments=[attachment(target)])
            draw(drawn, red, scissor=(0, 0, 999, 1))
        encoder.finish()

    unfinished = []
    with pytest.raises(wgpu.GPUError):
        wrong()
    encoder = make(gpu.device)
    draw(encoder.begin_render_pass(color_attachments=[attachment(target)]), red)
    gpu.queue.submit([encoder.finish()])
    assert (pixels(gpu, target) == _RED).all()


@INSIDES
def test_encoders_and_passes_are_let_go_of(gpu, target):
    from wgpu.backends.wgpu_native import _helpers

    def allocated():
        counts = _helpers.generate_report()["hub"]
        return {kind: count["allocated"] for kind, count in counts.items()}

    def record():
        encoder = native_encoder(gpu.device)
        encoder.begin_compute_pass().end()
        encoder.begin_render_pass(color_attachments=[attachment(target)]).end()
        gpu.queue.submit([encoder.finish()])
        gpu.poll()

    record()
    gc.collect()
    before = allocated()
    for _ in range(20):
        record()
    gc.collect()
    after = allocated()
    assert all(after[kind] <= before[kind] + 2 for kind in before)


# -- writing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [pytest.param(write_native, marks=INSIDES), make_writer, write_public])
def test_parts_of_textures_are_written_one_after_the_other(gpu, target, make):
    rng = np.random.default_rng(3)
    write = make(gpu.queue)
    small = gpu.device.create_texture(size=(4, 4, 1), format="rgba8unorm", usage=target.usage)
    background = rng.integers(0, 256, (16, 24, 4), np.uint8)
    rows = rng.integers(0, 256, 700, np.uint8)  # rows of 60 bytes, of which 40 are used, from byte 20 on
    whole = rng.integers(0, 256, (4, 4, 4), np.uint8)
    write(target, (0, 0), background, 0, 96, (24, 16))
    write(target, (5, 3), rows, 20, 60, (10, 7))
    write(small, (0, 0), memoryview(whole), 0, 16, (4, 4))
    background[3:10, 5:15] = [rows[20 + 60 * k :][:40].reshape(10, 4) for k in range(7)]
    np.testing.assert_array_equal(pixels(gpu, target), background)
    np.testing.assert_array_equal(pixels(gpu, small), whole)


@pytest.mark.parametrize("make", [pytest.param(write_native, marks=INSIDES), make_writer, write_public])
def test_a_write_beside_the_texture_is_refused_and_the_next_one_works(gpu, target, make):
    write = make(gpu.queue)
    with pytest.raises(wgpu.GPUError):
        write(target, (20, 0), bytes(24 * 16 * 4), 0, 96, (24, 16))
    write(target, (0, 0), bytes(_RED) * 24 * 16, 0, 96, (24, 16))
    assert (pixels(gpu, target) == _RED).all()


# -- waiting -------------------------------------------------------------------------------------------------


def test_maps_of_several_threads_each_get_their_own_bytes(gpu):
    """The thread that finds a map done is not always the one that waits for it."""
    usage = wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.MAP_READ
    found = {}

    def work(number):
        buffer = gpu.buffer(16, usage)
        for turn in range(20):
            content = bytes([number, turn] * 8)
            source = gpu.device.create_buffer_with_data(data=content, usage=wgpu.BufferUsage.COPY_SRC)
            encoder = gpu.command_encoder()
            encoder.copy_buffer_to_buffer(source, 0, buffer, 0, 16)
            gpu.queue.submit([encoder.finish()])
            map_for_reading(gpu.device, buffer)
            found[number, turn] = bytes(buffer.read_mapped()) == content
            buffer.unmap()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(found.values())


def test_a_buffer_that_cannot_be_mapped_is_an_error(gpu):
    with pytest.raises((wgpu.GPUError, RuntimeError)):
        map_for_reading(gpu.device, gpu.buffer(16, wgpu.BufferUsage.COPY_DST))


# -- another wgpu --------------------------------------------------------------------------------------------


@INSIDES
@pytest.mark.usefixtures("another_wgpu")
def test_with_another_wgpu_only_public_methods_are_called():
    calls = []

    class Public:
        """A device, a queue, a buffer and a promise without insides."""

        def __getattr__(self, name):
            return lambda *arguments, **_: calls.append(name) or self

    native.make_encoder(Public())
    make_writer(Public())(Public(), (0, 0), b"", 0, 4, (1, 1))
    waiting.map_for_reading(Public(), Public())
    assert calls == ["create_command_encoder", "write_texture", "map_async", "sync_wait"]
