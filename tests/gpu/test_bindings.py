"""A `Bindings` makes layout, declarations and bind group that agree, and shaders in the box declare the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
import wgpu

from desktop.base import resources
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.pipeline.picture import planes, present

ALL = Bindings(
    (
        Binding.uniform("scale", "vec4f"),
        Binding.sampler("linear_sampler"),
        Binding.texture("plane"),
        Binding.texture("codes", "uint"),
        Binding.texture("table", dimension="3d"),
        Binding.read_only("added", "array<f32>"),
        Binding.storage("sums", "array<f32>"),
        Binding.storage_texture("picture", "rgba16float"),
    )
)
SHADER = """
@compute @workgroup_size(4, 1) fn main(@builtin(global_invocation_id) id: vec3u) {
  let seen = textureSampleLevel(plane, linear_sampler, (vec2f(id.xy) + 0.5) / vec2f(4.0, 1.0), 0.0).r;
  let code = f32(textureLoad(codes, vec2i(id.xy), 0).r);
  let third = textureLoad(table, vec3i(0, 0, i32(id.x % 2u)), 0).r;
  sums[id.x] = seen * scale.x + code + third + added[id.x];
  textureStore(picture, vec2i(id.xy), vec4f(code));
}
"""


def texture(gpu, array: np.ndarray, fmt: str):
    """A texture of an array [depth,] height, width of one channel."""
    array = array.reshape((-1, *array.shape[-2:]))
    depth, height, width = array.shape
    made = gpu.device.create_texture(
        size=(width, height, depth),
        dimension="3d" if depth > 1 else "2d",
        format=fmt,
        usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
    )
    layout = {"bytes_per_row": width * array.itemsize, "rows_per_image": height}
    gpu.queue.write_texture({"texture": made}, array.tobytes(), layout, (width, height, depth))
    return made


def test_one_list_gives_what_a_shader_reads_and_writes(gpu):
    usage = wgpu.BufferUsage
    rng = np.random.default_rng(7)
    plane = rng.random((1, 4)).astype(np.float16)
    codes = rng.integers(0, 9, (1, 4)).astype(np.uint16)
    table, added = rng.random((2, 1, 1)).astype(np.float16), rng.random(4).astype(np.float32)
    scale = gpu.device.create_buffer_with_data(data=np.full(4, 3, np.float32), usage=usage.UNIFORM)
    sums = gpu.buffer(16, usage.STORAGE | usage.COPY_SRC)
    picture = gpu.device.create_texture(
        size=(4, 1, 1),
        format="rgba16float",
        usage=wgpu.TextureUsage.STORAGE_BINDING | wgpu.TextureUsage.COPY_SRC,
    )
    group = ALL.group(
        gpu,
        # In another order than the list's: names count.
        picture=picture,
        sums=sums,
        added=gpu.device.create_buffer_with_data(data=added, usage=usage.STORAGE),
        table=texture(gpu, table, "r16float"),
        codes=texture(gpu, codes, "r16uint"),
        plane=texture(gpu, plane, "r16float"),
        linear_sampler=gpu.device.create_sampler(),
        scale=scale,
    )
    code = "\n".join(ALL.declarations(0)) + SHADER
    pipeline = gpu.compute_pipeline(code, "main", label="all", layouts=[ALL.layout(gpu)])
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    compute_pass.set_pipeline(pipeline)
    compute_pass.set_bind_group(0, group)
    compute_pass.dispatch_workgroups(1)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    expected = plane[0].astype(np.float32) * 3 + codes[0] + np.tile(table.reshape(2), 2) + added
    np.testing.assert_allclose(np.frombuffer(gpu.queue.read_buffer(sums), np.float32), expected, rtol=1e-6)
    raw = gpu.queue.read_texture({"texture": picture}, {"bytes_per_row": 32}, (4, 1, 1))
    np.testing.assert_array_equal(np.frombuffer(raw, np.float16).reshape(4, 4)[:, 0], codes[0])


def test_equal_bindings_share_their_layout(gpu):
    assert Bindings((Binding.uniform("a"),)).layout(gpu) is Bindings((Binding.uniform("b"),)).layout(gpu)
    assert Bindings((Binding.uniform("a"),)).layout(gpu) is not Bindings((Binding.storage("a"),)).layout(gpu)


@pytest.mark.parametrize("names", [(), ("a", "b")])
def test_each_binding_has_one_resource(gpu, names):
    buffer = gpu.buffer(16, wgpu.BufferUsage.UNIFORM)
    with pytest.raises(KeyError):
        Bindings((Binding.uniform("a"),)).group(gpu, **dict.fromkeys(names, buffer))


@pytest.mark.parametrize(
    ("bindings", "shader"),
    [
        (present.PLACED, "present/present.wgsl"),
        (present.EXPORTED, "present/export.wgsl"),
        (Bindings(planes.COLOR_PASS), "color/color.wgsl"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_shader_in_the_box_declares_what_is_bound(bindings, shader):
    text = resources.resource("shaders", *shader.split("/")).read_text("utf-8")
    declared = re.findall(r"^@group\(0\) @binding\(\d+\) var.*?;", text, re.MULTILINE)
    # Types of buffers are the shader's own.
    ours = [line.removesuffix(";") for line in bindings.declarations(0)]
    assert len(declared) == len(ours)
    assert all(line.startswith(own) for line, own in zip(declared, ours, strict=True))
