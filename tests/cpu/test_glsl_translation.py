"""Filters in GLSL: what an ISF header becomes, what is refused with which sentence, limits, looks."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from desktop.base.errors import FilterError
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.filters.description import PassSpec, TextureSpec
from desktop.pipeline.filters.header import read_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.bundle import save_bundle, unpack
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup

DATA = Path(__file__).resolve().parents[1] / "data" / "isf"
IMAGE = {"NAME": "inputImage", "TYPE": "image"}
MAIN = "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }"


def written(folder, body, name="mine.fs", **header):
    path = folder / name
    text = json.dumps({"ISFVSN": "2", "INPUTS": [IMAGE]} | header)
    path.write_text(f"/*{text}*/\n{body}\n")
    return path


def sentence_of(path):
    with pytest.raises(FilterError) as error:
        read_filter(path)
    text = str(error.value)
    assert text.startswith(str(path)), text
    assert text.endswith(".")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_inputs_become_parameters():
    item = read_filter(DATA / "inputs.fs")
    assert (item.id, item.title, item.group) == ("inputs", "inputs", "Mine")
    assert item.help == "Shows each type of input. (Lightloom)"
    assert {param.name: param.type for param in item.params} == {
        "level": "float",
        "is_on": "bool",
        "flash": "bool",
        "mode": "choice",
        "taps": "choice",
        "tint": "color",
        "center": "point",
        "override_2": "image",
    }
    assert (item.param("level").label, item.param("is_on").label) == ("Level", "Is on")
    assert (item.param("level").min, item.param("level").max) == (-2, 2)
    assert item.param("mode").choices == ("Red", "Green", "Blue")
    assert item.param("taps").choices == ("few", "many", "many (3)")
    assert item.defaults == {
        "level": 0.5,
        "is_on": True,
        "flash": False,
        "mode": "Green",
        "taps": "many",
        "tint": pytest.approx((0.8, 0.4, 0.2, 1.0)),
        # From the left upper corner, as all points.
        "center": (0.75, 0.625),
        "override_2": "",
    }


def test_the_example_of_the_document(tmp_path):
    document = (DATA.parents[2] / "docs" / "isf.md").read_text(encoding="utf-8")
    path = tmp_path / "color_glow.fs"
    path.write_text(document.split("```glsl\n", 1)[1].split("```", 1)[0])
    item = read_filter(path)
    assert item.help == "Glow in a color around a point."
    assert list(item.defaults) == ["glow_size", "glow_color", "center"]


def test_a_default_outside_of_its_bounds_widens_them(tmp_path):
    wide = {"NAME": "gain", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 3}
    param = read_filter(written(tmp_path, MAIN, INPUTS=[IMAGE, wide])).param("gain")
    assert (param.min, param.max, param.default) == (0, 3, 3)


def test_a_point_without_bounds_is_in_pixels_if_its_default_is(tmp_path):
    for default, start, in_pixels in (([0.25, 0.25], [0.25, 0.75], False), ([320, 0], [0.5, 0.5], True)):
        point = {"NAME": "spot", "TYPE": "point2D", "DEFAULT": default}
        body = "void main() { gl_FragColor = vec4(spot, 0.0, 1.0); }"
        item = read_filter(written(tmp_path, body, INPUTS=[IMAGE, point]))
        assert list(item.param("spot").default) == start
        assert (".y) * frame.size" in item.text) is in_pixels


def test_passes_become_passes():
    item = read_filter(DATA / "passes.fs")
    assert item.textures == (
        TextureSpec("small_buffer", 0.5),
        TextureSpec("trail_buffer", 1.0, persistent=True),
        TextureSpec("trail_buffer_now", 1.0),
        TextureSpec("state_buffer", size=(4, 2), format="rgba32float", persistent=True),
        TextureSpec("state_buffer_now", size=(4, 2), format="rgba32float"),
    )
    assert item.passes == (
        PassSpec("pass_0", "small_buffer"),
        PassSpec("pass_1", "trail_buffer_now"),
        PassSpec("pass_2", "state_buffer_now"),
        PassSpec("pass_3"),
        PassSpec("keep_trail_buffer", "trail_buffer"),
        PassSpec("keep_state_buffer", "state_buffer"),
    )


REFUSED = {
    "#if 1\nvoid main() {}": "Line 2: this '#if' has no '#endif'; add one at its end.",
    "#include <a>\n" + MAIN: "Line 2: '#include' cannot be translated; remove it.",
    "void main() { gl_FragColor = vec4(fwidth(TIME)); }": "Line 2: uses fwidth(), differences between neighboring "
    "pixels, which filters do not have; sample the neighbors.",
    "void main() {\n gl_FragColor = DATE; }": "Line 3: uses DATE, and the date is not the same in a second export; "
    "use TIME.",
    "void main() { gl_FragColor = vec4(foo); }": "Line 2: 'foo' is declared nowhere; correct the name.",
    "void main() { gl_FragColor = bar(1.0); }": "Line 2: 'bar' is declared nowhere; correct the name.",
    "void main() { int i = 0.5; }": "Line 2: a value of type float is where int is expected; convert it.",
    "void main() { gl_FragColor = vec4(vec2(1.0), 0.5); }": "Line 2: the arguments of vec4() do not fit it; count "
    "their components.",
    "void main() { gl_FragColor = sin(mat2(1.0)); }": "Line 2: the arguments of sin() do not fit it; see the "
    "reference of GLSL.",
    "void main() { RENDERSIZE.x = 1.0; }": "Line 2: 'RENDERSIZE' is an input or a constant and is assigned; assign to a copy.",
    "void main() { vec2 v; v.z = 1.0; }": "Line 2: there is no member 'z' here; correct it.",
    "void main() { gl_FragColor = vec4(1.0) }": "Line 2: ';' is missing before '}'; correct it.",
    "void main() { gl_FragColor = textureLod(inputImage, TIME, 2.0); }": "Line 2: uses textureLod() with a level "
    "other than 0, and images here have one; pass 0.0.",
    "uniform float speed;\n"
    + MAIN: "Line 2: the uniform 'speed' is not an input of the header; declare it there.",
    "float f() { discard; return 1.0; }\n"
    + MAIN: "Line 2: uses 'discard' outside of main(); return from main() instead.",
    "varying vec2 left;\n"
    + MAIN: "It reads the varying 'left', which no vertex shader mine.vs beside it sets; add the file.",
    "void main() { switch (PASSINDEX) { case 0: gl_FragColor.r = 1.0; case 1: break; } }": "Line 2: a 'case' runs into "
    "the next one; end it with 'break'.",
    "float a[3][2];\n" + MAIN: "Line 2: arrays of arrays are not translated; use one longer array.",
    "double d;\n" + MAIN: "Line 2: 'double' is not translated; leave it out.",
    "float a[int(TIME)];\n" + MAIN: "Line 2: the size of an array must be a constant from 1 to 4096.",
    "float a[100000];\n" + MAIN: "Line 2: the size of an array must be a constant from 1 to 4096.",
    "void main() { gl_FragColor = vec4(1.0) $ 2; }": "Line 2: the character '$' is not valid in GLSL; remove it.",
    "float f = 1.0;": "It has no function main(); add it.",
    "void main() { gl_FragColor = _inputImage_imgRect; }": "Line 2: uses the rectangle of an image, which is of "
    "version 1 of ISF; use IMG_SIZE().",
    "#define A(x, y) x\nvoid main() { float a = A(1.0); }": "Line 3: the macro 'A' takes 2 arguments; write as many.",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_translated_is_named(tmp_path, body):
    assert sentence_of(written(tmp_path, body)) == REFUSED[body]


HEADERS = {
    "transition": (
        {"INPUTS": [{"NAME": "startImage", "TYPE": "image"}]},
        "It is a transition between two sources ('startImage'), and a filter has one; use another file.",
    ),
    "type": (
        {"INPUTS": [{"NAME": "a", "TYPE": "cube"}]},
        "The ISF header is wrong: the input 'a' has the unknown type 'cube'; correct it.",
    ),
    "twice": (
        {"INPUTS": [{"NAME": "a", "TYPE": "bool"}] * 2},
        "The ISF header is wrong: two inputs have the same name; correct it.",
    ),
    "size": (
        {"PASSES": [{"TARGET": "b", "WIDTH": "$WIDTH", "HEIGHT": "1"}]},
        "The buffer 'b' is neither of fixed size nor a scaled frame, as a filter's are; change its WIDTH and HEIGHT.",
    ),
    "input": (
        {"PASSES": [{"TARGET": "b", "WIDTH": "$WIDTH*$quality"}]},
        "The size of the buffer 'b' depends on an input, and a filter's does not; change its WIDTH and HEIGHT.",
    ),
    "long size": (
        {"PASSES": [{"TARGET": "b", "WIDTH": "1+" * 500 + "1"}]},
        "The ISF header is wrong: 'WIDTH' of the buffer 'b' is longer than 1000 characters; correct it.",
    ),
    "buffers": (
        {"PASSES": [{"TARGET": f"b{i}", "PERSISTENT": True} for i in range(7)]},
        "Its 7 buffers take 14 textures, two for a persistent one, and 12 is most; use fewer.",
    ),
    "imported": (
        {"IMPORTED": {"noise": {"PATH": "../noise.png"}}},
        "It imports the image '../noise.png', which is not in its folder; put it there.",
    ),
}


@pytest.mark.parametrize("header", HEADERS)
def test_what_a_header_asks_for_in_vain_is_named(tmp_path, header):
    given, wanted = HEADERS[header]
    assert sentence_of(written(tmp_path, MAIN, **given)) == wanted


def test_an_error_has_its_line(tmp_path):
    with pytest.raises(FilterError, match="Line 4: ") as error:
        read_filter(written(tmp_path, "void main() {\n  float a = 1.0;\n  b = a;\n}"))
    assert error.value.line == 4


def test_the_size_of_a_buffer_may_be_a_long_expression(tmp_path):
    width = "$WIDTH / 2.0" + " + 0.0" * 40
    item = read_filter(
        written(tmp_path, MAIN, PASSES=[{"TARGET": "b", "WIDTH": width, "HEIGHT": "$HEIGHT/2"}, {}])
    )
    assert item.textures[0].scale == 0.5


def test_a_file_that_is_neither_isf_nor_shadertoy(tmp_path):
    path = tmp_path / "a.frag"
    path.write_text(MAIN)
    assert sentence_of(path) == (
        "It begins with no ISF header (JSON in a comment) and has no mainImage() of Shadertoy; add one of them."
    )


def test_a_fault_in_the_vertex_shader_names_its_file(tmp_path):
    path = written(tmp_path, "varying vec2 at;\nvoid main() { gl_FragColor = vec4(at, 0.0, 1.0); }")
    vertex = path.with_suffix(".vs")
    vertex.write_text(
        "varying vec2 at;\nvoid main() { isf_vertShaderInit();\n gl_Position.x *= 2.0; at = vec2(0.0); }"
    )
    assert sentence_of(path) == (
        "mine.vs: Line 3: moves the corners of the image (gl_Position), which a filter cannot do; move "
        "the coordinates in the .fs."
    )
    vertex.write_text("varying vec2 at;\nvoid main() { isf_vertShaderInit(); at = isf_FragNormCoord; }")
    assert read_filter(path).passes == (PassSpec("main"),)


def test_an_imported_image_is_a_parameter(tmp_path):
    (tmp_path / "noise.png").write_bytes(b"")
    path = written(tmp_path, MAIN, IMPORTED={"noiseImage": {"PATH": "noise.png"}})
    assert read_filter(path).defaults == {"noise_image": str(tmp_path / "noise.png")}


def test_shadertoy_reads_images_of_other_channels(tmp_path):
    path = tmp_path / "toy.glsl"
    path.write_text(
        "void mainImage(out vec4 c, in vec2 at) {\n"
        "  c = texture(iChannel0, at / iResolution.xy) + texture(iChannel2, iMouse.xy / iChannelResolution[2].xy); }"
    )
    assert {param.name: param.type for param in read_filter(path).params} == {
        "channel2": "image",
        "mouse": "point",
    }
    path.write_text("void mainImage(out vec4 c, in vec2 at) { c = iDate; }")
    assert (
        sentence_of(path) == "Line 1: uses iDate, and the date is not the same in a second export; use iTime."
    )
    path.write_text("void mainImage(in vec2 at) { }")
    assert sentence_of(path) == "It has no function void mainImage(out vec4, in vec2); write it so."


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (
            "#define A0 1.0\n" + "".join(f"#define A{i + 1} A{i} + A{i}\n" for i in range(38)),
            "tokens",
        ),
        ("".join(f"#define A{i} A{i + 1}\n" for i in range(60)), "macros are nested more than"),
        ("float f = " + "(" * 200 + "1.0" + ")" * 200 + ";", "nested more than"),
        ("float f = " + "1.0 + " * 200 + "1.0;", "follow each other"),
        ("float f = " + "-" * 2 + "- - " * 300 + "1.0;", "nested more than"),
        ("void f() " + "{" * 300 + "}" * 300, "nested more than"),
        ("float f = 1.0;" * 13_000, "tokens"),
        ("float " + "a" * 1000 + ";", "a name has more than"),
        ("float a; void f() { a" + ".x" * 2000 + " = 1.0; }", "follow each other"),
        ("void f() { " + "if (true) {} else " * 300 + "{} }", "follow each other"),
    ],
)
def test_extreme_texts_are_refused_at_once(tmp_path, body, part):
    use = "float a = A38 + A0;\n" if "A38" in body else "float a = A0;\n" if "#define" in body else ""
    begun = time.perf_counter()
    assert part in sentence_of(written(tmp_path, f"{body}\n{use}{MAIN}"))
    assert time.perf_counter() - begun < 20


def test_deep_trees_of_allowed_parts_end_in_a_sentence(tmp_path):
    deep = "1.0"
    for _ in range(28):
        deep = f"({deep}{' * x' * 60}{'.x' * 60})"
    assert "nested too deep" in sentence_of(written(tmp_path, f"float x = 1.0; float y = {deep};\n{MAIN}"))


def test_the_folder_of_filters_has_files_of_glsl(tmp_path):
    shutil.copy(DATA / "inputs.fs", tmp_path)
    (tmp_path / "broken.glsl").write_text("void mainImage(")
    library = FilterLibrary(tmp_path)
    assert library.get("inputs").param("level").default == 0.5
    assert [Path(path).name for path in library.errors] == ["broken.glsl"]
    (tmp_path / "inputs.fs").unlink()
    assert library.refresh() == ("inputs",)
    assert "inputs" not in library.filters


def test_a_stage_may_name_a_file():
    library = FilterLibrary()
    chain = typed_chain(library, [parse_stage(f"{DATA / 'inputs.fs'}:level=1.5,mode=Blue")])
    assert chain.stages[0].filter == "inputs"
    assert chain.stages[0].values["mode"] == "Blue"
    assert parse_stage(r"C:\shaders\a.fs:level=1").filter == r"C:\shaders\a.fs"
    with pytest.raises(FilterError, match="cannot be read"):
        typed_chain(library, [parse_stage("missing.fs")])


def test_looks_have_the_translation_which_needs_no_file_beside_it(tmp_path):
    (tmp_path / "own").mkdir()
    for name in ("passes.fs", "passes.vs"):
        shutil.copy(DATA / name, tmp_path / "own")
    library = FilterLibrary()
    item = library.take(tmp_path / "own" / "passes.fs")
    setup = Setup(chain_of(library, [("passes", {"trail_share": 0.25})]))
    look = tmp_path / "looks" / "mine.toml"
    bundle = tmp_path / "mine.lightloom"
    look.parent.mkdir()
    save_preset(setup, library, look)
    save_bundle(setup, library, bundle)
    shutil.rmtree(tmp_path / "own")
    for path in (look, unpack(bundle, tmp_path / "imported")):
        loaded = load_preset(path, FilterLibrary())
        assert [shader.suffix for shader in loaded.shaders] == [".wgsl"]
        assert read_filter(loaded.shaders[0]).text == item.text
        assert loaded.setup.chain.stages[0].values == {"trail_share": 0.25}
