"""docs/filters.md: its examples run as it says, its tables name what there is, its messages are the ones
given.
"""

from __future__ import annotations

import dataclasses
import re
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from filter_cases import luma
from filter_rig import FilterRig, natural_picture

from desktop.base.errors import FilterError, ShaderError
from desktop.base.webgpu import chosen
from desktop.compute.gpu.shader import LOOP_BUDGET, read_common
from desktop.pipeline.filters.description import BufferSpec, NetworkUse, PassSpec, TextureSpec
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.limits import CALL_BUDGET
from desktop.pipeline.filters.param import Param
from desktop.pipeline.filters.stage import compile_filter

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "filters.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (\w+) -->\n```wgsl\n(.*?)```", DOCUMENT, re.DOTALL))


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


def example(name):
    return parse_filter(EXAMPLES[name], f"{name}.wgsl", builtin=False)


def test_the_worked_example(rig):
    picture = natural_picture()
    y = np.pad(luma(picture), 1, mode="edge")
    edge = 6 * 0.5 * np.hypot(y[1:-1, 2:] - y[1:-1, :-2], y[2:, 1:-1] - y[:-2, 1:-1])
    expected = picture * 0.25 + edge[..., None] * np.array([255, 64, 0]) / 255
    result = rig.run_frames(example("glow_edges"), [picture], strength="6", glow="#ff4000", dim=0.25)[0]
    np.testing.assert_allclose(result[..., :3], expected, atol=5e-3)


def test_the_multi_pass_example(rig):
    picture = natural_picture()
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(np.maximum(half - 0.6, 0), (19, 19), 3, borderType=cv2.BORDER_REPLICATE)
    expected = picture + cv2.resize(blurred, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    result = rig.run_frames(example("soft_light"), [picture], sigma=6)[0]
    # Filters interpolate with 8-bit weights, and at the border the example clamps each sample, not the
    # enlarged picture.
    np.testing.assert_allclose(result[..., :3], expected, atol=8e-3)


def test_the_temporal_example(rig):
    pictures = [natural_picture(seed=seed)[:, ::step] for seed, step in ((1, 1), (2, -1), (3, 1))]
    results = rig.run_frames(example("slow_shutter"), pictures, rate=10, seconds=0.2)
    mean = pictures[0]
    for picture, result in zip(pictures, results, strict=True):
        mean = mean + (1 - np.exp(-0.1 / 0.2)) * (picture - mean)
        np.testing.assert_allclose(result[..., :3], mean, atol=1.5e-3)


@pytest.mark.parametrize(
    ("heading", "spec"),
    [
        ("[[param]]", Param),
        ("[[texture]]", TextureSpec),
        ("[[buffer]]", BufferSpec),
        ("[[pass]]", PassSpec),
        ("[network]", NetworkUse),
    ],
)
def test_every_key_is_documented(heading, spec):
    section = DOCUMENT.split(f"### `{heading}`", 1)[1].split("\n#", 1)[0]
    first_column = " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("| `"))
    for field in dataclasses.fields(spec):
        assert f"`{field.name}`" in first_column, f"{heading} {field.name} is not in docs/filters.md"


def test_every_shared_function_is_documented():
    for name in re.findall(r"^fn (\w+)", read_common(["filter"]), re.MULTILINE):
        assert f"`{name}" in DOCUMENT, f"{name} is not in docs/filters.md"


def test_limits_are_the_documented_ones():
    limits = DOCUMENT.split("## Limits", 1)[1]
    assert f"{LOOP_BUDGET:,} times" in limits
    assert f"{CALL_BUDGET} bodies" in limits


RAW = '[[pass]]\nentry = "go"\nkind = "raw"\n'
OUT = 'output = "output"'
HEAD = "fn main(p: vec2i) -> vec4f {\n"
MAIN = "fn main(p: vec2i) -> vec4f { return load(p); }\n"


NESTED = "".join(
    f"fn a{i}(x: f32) -> f32 {{ return a{i - 1}(x) + a{i - 1}(x + 1.0); }}\n" for i in range(1, 31)
)

WRONG = [
    ("", "fn mein(p: vec2i) -> vec4f { return load(p); }", FilterError, "has no function 'fn main"),
    ("", "fn main(p: vec2i) -> f32 { return 1.0; }", FilterError, "has no function 'fn main"),
    ("", "// fn main(p: vec2i) -> vec4f\n", FilterError, "has no function 'fn main"),
    (
        RAW + OUT,
        "@compute @workgroup_size(4, 4) fn go() {}",
        FilterError,
        r"must have @workgroup_size\(8, 8\)",
    ),
    (RAW + OUT, "fn go() {}", FilterError, "has no function '@compute"),
    (
        RAW + '[[pass]]\nentry = "main"',
        "@compute @workgroup_size(8, 8) fn go() { textureStore(result, vec2i(0), vec4f(0.0)); }\n" + MAIN,
        FilterError,
        "'go' uses a binding that it is not given",
    ),
    (
        "",
        "@group(0) @binding(7) var<storage> x: array<f32>;\nfn main(p: vec2i) -> vec4f { return vec4f(x[0]); }",
        FilterError,
        "'main' uses a binding that it is not given",
    ),
    (
        "",
        "fn load(p: vec2i) -> vec4f { return vec4f(0.0); }\n" + MAIN,
        ShaderError,
        "^mine.wgsl:4:4: redefinition of `load`$",
    ),
    (
        "",
        HEAD + "  var from = 0;\n  return load(p);\n}",
        ShaderError,
        "^mine.wgsl:5:7: name `from` is a reserved",
    ),
    (
        "",
        HEAD + "  return load(p).rgb;\n}",
        ShaderError,
        "^mine.wgsl:5:10: The `return` expression does not match",
    ),
    ("", HEAD + "  return load(p)\n}", ShaderError, "^mine.wgsl:6:1: expected `;`"),
    (
        "",
        HEAD + "  return lod(p);\n}",
        ShaderError,
        "^mine.wgsl:5:10: no definition in scope for identifier: `lod`$",
    ),
    ('[[texture]]\nname = "luma"', MAIN, ShaderError, "^mine.wgsl: redefinition of `luma`$"),
    (
        '[[buffer]]\nname = "b"\ntype = "array<f32, 64>"\nbytes = 16',
        "fn main(p: vec2i) -> vec4f { return vec4f(b[p.x]); }",
        FilterError,
        r"refuses to run it: .*size 16 where the shader expects 256\.$",
    ),
    ("", HEAD + "lightloom_steps = 0u; return load(p); }", FilterError, "'lightloom_steps' begins with"),
    (
        "",
        "fn a0(x: f32) -> f32 { return x; }\n"
        + NESTED
        + "fn main(p: vec2i) -> vec4f { return vec4f(a30(0.0)); }",
        FilterError,
        "more than 4096 calls",
    ),
    ("", "".join(f"fn a{i}() {{}}\n" for i in range(512)) + MAIN, FilterError, "513 functions"),
]


# Tint's words where docs/filters.md gives naga's.
DAWN = {
    "^mine.wgsl:4:4: redefinition of `load`$": "^mine.wgsl:4:1: redeclaration of 'load'$",
    "^mine.wgsl:5:7: name `from` is a reserved": "^mine.wgsl:5:7: 'from' is a reserved keyword$",
    "^mine.wgsl:5:10: The `return` expression does not match": "^mine.wgsl:5:3: return statement type must match",
    "^mine.wgsl:6:1: expected `;`": "^mine.wgsl:6:1: expected ';' for return statement$",
    "^mine.wgsl:5:10: no definition in scope for identifier: `lod`$": "^mine.wgsl:5:10: unresolved call target 'lod'$",
    "^mine.wgsl: redefinition of `luma`$": "^mine.wgsl: redeclaration of 'luma'$",
    r"refuses to run it: .*size 16 where the shader expects 256\.$": "refuses to run it: .*size 16 .* too small.* 256 bytes",
}


@pytest.mark.parametrize(("head", "body", "kind", "message"), WRONG, ids=[row[3][:40] for row in WRONG])
def test_what_is_said_of_wrong_shaders(gpu, head, body, kind, message):
    text = f'/* lightloom\ntitle = "Mine"\n{head}{chr(10) if head else ""}*/\n{body}'
    spec = parse_filter(text, "mine.wgsl", builtin=False)
    expected = DAWN.get(message, message) if chosen().name == "dawn" else message
    with pytest.raises(kind, match=expected) as caught:
        compile_filter(gpu, spec, time.perf_counter)
    assert "\n" not in str(caught.value)


def test_a_machine_that_stalled_is_not_taken_for_a_slow_filter(gpu):
    """Only what takes long twice in a row is too slow."""
    spec = parse_filter('/* lightloom\ntitle = "Mine"\n*/\n' + MAIN, "mine.wgsl", builtin=False)

    def clock(*runs):
        times = iter([time for seconds in runs for time in (0.0, seconds)])
        return lambda: next(times)

    assert compile_filter(gpu, spec, clock(3.0, 0.1)).spec is spec
    assert compile_filter(gpu, spec, clock(1.9)).spec is spec
    with pytest.raises(FilterError, match=r"takes 2\.5 s for 64 pixels"):
        compile_filter(gpu, spec, clock(3.0, 2.5))


def test_a_loop_hidden_by_comments_ends(gpu, rig):
    """WGSL nests block comments and ends line comments at other line breaks too; a loop must not slip
    through.
    """
    for hiding in ("/* /* */ // */", "// \u2028"):
        body = (
            "fn main(p: vec2i) -> vec4f { var x = 0.0;\n"
            + hiding
            + " for (;;) { x += 1.0; if (x < 0.0) { break; } }\nreturn vec4f(0.5); }"
        )
        spec = parse_filter(f'/* lightloom\ntitle = "Mine"\n*/\n{body}', "mine.wgsl", builtin=False)
        assert rig.run_frames(spec, [natural_picture(8, 8)])[0][0, 0, 0] == 0.5


def test_a_file_may_mix_raw_passes_with_and_without_an_output(rig):
    head = (
        RAW.replace("go", "find")
        + RAW.replace("go", "paint")
        + 'output = "output"\n[[buffer]]\nname = "b"\ntype = "atomic<u32>"\nbytes = 4'
    )
    body = """
@compute @workgroup_size(8, 8) fn find(@builtin(global_invocation_id) id: vec3u) {
  if (all(vec2f(id.xy) < frame.size)) { atomicAdd(&b, 1u); }
}
@compute @workgroup_size(8, 8) fn paint(@builtin(global_invocation_id) id: vec3u) {
  textureStore(result, vec2i(id.xy), vec4f(f32(atomicLoad(&b))));
}
"""
    spec = parse_filter(f'/* lightloom\ntitle = "Mine"\n{head}\n*/\n{body}', "mine.wgsl", builtin=False)
    frames = rig.run_frames(spec, [natural_picture(9, 7)] * 2)
    # Counted afresh in each frame: the buffer is cleared.
    np.testing.assert_array_equal(frames, 63)
