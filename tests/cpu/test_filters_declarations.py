"""The declarations of the bundled filters, and what is said of wrong ones."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from desktop.base.errors import FilterError, shader_messages
from desktop.compute.gpu.shader import LOOP_BUDGET, limit_loops, read_common
from desktop.compute.gpu.wgsl import ShaderText
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.source import FilterSource

LIBRARY = FilterLibrary()
UNITS = {"", "px", "%", "% of width", "% of height", "EV", "K", "×", "°", "s", "Hz", "fps", "dB", "frames"}


@pytest.mark.parametrize(
    "item",
    [*LIBRARY.filters.values(), *LIBRARY.masks.values()],
    ids=lambda item: "/".join(Path(item.path).parts[-2:]),
)
def test_bundled_filters_describe_themselves(item):
    assert item.builtin
    assert item.help.endswith(".")
    assert item.tags
    assert all(tag == tag.lower() for tag in item.tags)
    for param in item.params:
        assert param.label
        assert param.help.endswith("."), f"{item.id}.{param.name} needs a sentence of help"
        assert param.unit in UNITS, f"{item.id}.{param.name} has an unusual unit"
        if param.type in ("float", "int"):
            assert param.min <= param.default <= param.max
        if param.type == "float":
            assert 0 < param.step <= (param.max - param.min) / 10, f"{item.id}.{param.name} needs a step"
        if param.name in ("radius", "size", "distance", "width") and param.max > 2:
            assert param.unit, f"{item.id}.{param.name} needs a unit"
        assert param.check(param.default) == param.default
        # Every parameter is used by the shader, a table and a picture by their names, sets its network up, or
        # says which shapes it is given.
        use = param.name if param.type in ("lut", "image") else rf"params\.{param.name}"
        sets_up = item.network is not None and param.name in item.network.params
        assert (
            sets_up or item.given is not None or re.search(rf"\b{use}\b", item.text + read_common(item.use))
        )


def test_titles_are_unique():
    titles = [item.title.lower() for item in LIBRARY.filters.values()]
    assert len(set(titles)) == len(titles)


def test_the_library_is_as_large_as_promised():
    wanted = {
        "brightness_contrast", "white_balance", "saturation", "hue", "levels", "clahe", "equalize", "vignette", "film_grain",
        "sharpen", "bilateral", "guided", "median", "sobel", "canny", "posterize", "thermal", "invert", "black_and_white",
        "sepia", "tone_curve", "shadows_highlights", "exposure", "gaussian_blur", "lut", "motion_trails",
    }  # fmt: skip
    assert wanted <= set(LIBRARY.filters)


@pytest.mark.parametrize("item", LIBRARY.filters.values(), ids=lambda item: item.id)
def test_shared_files_exist_and_are_named_once(item):
    assert read_common(item.use) is not None
    assert len(set(item.use)) == len(item.use)


# -- wrong declarations --------------------------------------------------------------------------------------


def parse(head: str, title: str = 'title = "Mine"\n'):
    return parse_filter(
        f"/* lightloom\n{title}{head}\n*/\nfn main(p: vec2i) -> vec4f {{ return load(p); }}\n",
        "mine.wgsl",
        builtin=False,
    )


PARAM = '[[param]]\nname = "a"\n'
NETWORK = '[[param]]\nname = "net"\ntype = "model"\ntasks = ["diffusion"]\n'
MODE = '[[param]]\nname = "mode"\ntype = "choice"\nchoices = ["b", "d"]\n'


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("given = 1", "'given' has the wrong type"),
        ('[given]\ntexture = "x"\nsource = "moon"', "'source' must be one of mask, detections"),
        ('[given]\ntexture = "x"\nsource = "track"', "is for built-in masks"),
        ('[given]\ntexture = "input"\nsource = "track"', "'input' is used twice"),
        ('inputs = "audio"', "'inputs' has the wrong type"),
        ('inputs = ["moon"]', "'inputs' takes audio, mask, tracks, each once"),
        ('inputs = [["audio"]]', "'inputs' takes audio, mask, tracks"),
        ('inputs = ["mask", "mask"]', "'inputs' takes audio, mask, tracks, each once"),
        ('inputs = ["audio"]\n[[texture]]\nname = "audio"', "the name 'audio' is used twice"),
        ('inputs = ["mask"]\n[[texture]]\nname = "mask"', "the name 'mask' is used twice"),
        (
            'inputs = ["tracks"]\n[[buffer]]\nname = "tracks"\ntype = "u32"\nbytes = 4',
            "'tracks' is used twice",
        ),
        ('inputs = ["mask"]\n[given]\ntexture = "x"\nsource = "track"', "'given' is not known here"),
        (
            'inputs = ["mask"]\n' + NETWORK + '[network]\noutput = "enlarged"\ntexture = "t"\nmodel = "net"',
            "a network that enlarges the frame does not go with the input 'mask'",
        ),
        ("x = ", "not valid TOML"),
        ("colour = 1", "'colour' is not known here"),
        ("group = 3", "'group' has the wrong type"),
        ("param = 3", "'param' has the wrong type"),
        ("param = [3]", r"'param' must be written as \[\[param\]\]"),
        ('help = "a /* b"', r"contains '/\*'"),
        (PARAM, "param 'a': 'default' is missing"),
        ("[[param]]\ndefault = 1", "param 1: 'name' is missing"),
        ('[[param]]\nname = "Big"\ndefault = 1', "name 'Big' must be lower-case"),
        (PARAM + 'default = "x"', "param 'a': the default 'x' does not fit, it takes a number from 0 to 1"),
        (PARAM + "default = 2", "the default 2 does not fit"),
        (PARAM + "default = true", "the default True does not fit"),
        (PARAM + "default = nan", "the default nan does not fit"),
        (PARAM + 'default = 0\nmin = "0"', "param 'a': 'min' has the wrong type"),
        (PARAM + "default = 0\nmin = true", "'min' has the wrong type"),
        (PARAM + "default = 1\nmin = 1\nmax = 1", "min 1 is not below max 1"),
        (PARAM + "default = 1\nmin = 2\nmax = 1", "min 2 is not below max 1"),
        (PARAM + "default = 1\nwidth = 2", "param 'a': 'width' is not known here"),
        (PARAM + 'default = 0\ntype = "slider"', "type 'slider' is not one of float, int"),
        (PARAM + 'default = 0.5\ntype = "int"', "the default 0.5 does not fit"),
        (PARAM + 'type = "choice"', "it is a choice, but 'choices' is missing"),
        (PARAM + 'type = "choice"\nchoices = ["b", "b"]', "two of its choices have the same name"),
        (
            PARAM + 'type = "choice"\nchoices = ["b"]\ndefault = "c"',
            "the default 'c' does not fit, it takes one of b",
        ),
        (PARAM + 'type = "color"\ndefault = "#12"', "does not fit, it takes a color"),
        (PARAM + 'type = "point"\ndefault = [2, 0]', "does not fit, it takes two numbers"),
        (PARAM + "default = 1\n" + PARAM + "default = 1", "two parameters have the same name"),
        (MODE + PARAM + "default = 1\nwhen = 3", "param 'a': 'when' has the wrong type"),
        (MODE + PARAM + 'default = 1\nwhen = { b = "x" }', "'when' of 'a' must name another parameter"),
        (MODE + PARAM + "default = 1\nwhen = { a = 1 }", "'when' of 'a' must name another parameter"),
        (MODE + PARAM + 'default = 1\nwhen = { mode = "c" }', "'when' of 'a': 'mode' takes one of b, d"),
        (MODE + PARAM + "default = 1\nwhen = { mode = [] }", "'when' of 'a': 'mode' takes one of b, d"),
        (
            NETWORK + PARAM + 'default = 1\nwhen = { net = "denoiser" }',
            "'when' of 'a': 'net' takes one of network, pipeline",
        ),
        (NETWORK + PARAM + "default = 1\nwhen = { net = [1] }", "'net' takes one of network, pipeline"),
        (NETWORK + PARAM + "default = 1\nwhen = { net = [] }", "'net' takes one of network, pipeline"),
        (
            NETWORK + PARAM + 'default = 1\n[[param]]\nname = "b"\ntype = "text"\nwhen = { a = 1 }',
            "'when' of 'b' must name another parameter, a bool, a choice or a model",
        ),
        ('[[texture]]\nname = "input"', "the name 'input' is used twice or belongs to Lightloom"),
        ('[[texture]]\nname = "t"\n[[texture]]\nname = "t"', "the name 't' is used twice"),
        (
            '[[texture]]\nname = "t"\n[[buffer]]\nname = "t"\ntype = "u32"\nbytes = 4',
            "the name 't' is used twice",
        ),
        ('[[texture]]\nname = "t"\nformat = "rgb8"', "texture 't': format 'rgb8' is not one of rgba16float"),
        ('[[texture]]\nname = "t"\nscale = 0', "'scale' must be above 0"),
        ('[[texture]]\nname = "t"\nsize = [0, 5]', "'size' must be two whole numbers from 1 to 4096"),
        ('[[texture]]\nname = "t"\nsize = [true, true]', "'size' must be two whole numbers"),
        ("".join(f'[[texture]]\nname = "t{i}"\n' for i in range(13)), "at most 12 textures"),
        ('[[buffer]]\nname = "b"\ntype = "u32"\nbytes = 0', "'bytes' must be from 1"),
        ('[[buffer]]\nname = "b"\ntype = "u32"\nbytes = 99999999', "'bytes' must be from 1"),
        ('[[buffer]]\nname = "b"\nbytes = 4', "buffer 'b': 'type' is missing"),
        ('[[pass]]\nentry = "main"\nkind = "compute"', "kind 'compute' is neither 'pixel' nor 'raw'"),
        ('[[pass]]\nkind = "raw"', "pass 1: 'entry' is missing"),
        ('[[pass]]\nentry = "main"\nworkgroup = [32, 32]', "more than 256 threads"),
        (
            '[[pass]]\nentry = "main"\noutput = "elsewhere"',
            "pass 'main' writes or covers a texture that is not declared",
        ),
        ('[[texture]]\nname = "t"\n[[pass]]\nentry = "main"\noutput = "t"', "no pass writes 'output'"),
        ('[[pass]]\nentry = "main"\n' * 65, "64 passes"),
    ],
)
def test_a_wrong_declaration_is_refused_in_one_sentence(head, message):
    with pytest.raises(FilterError, match=message) as caught:
        parse(head)
    said = str(caught.value)
    assert said.startswith("mine.wgsl")
    assert said.endswith(".")
    assert "\n" not in said


def test_a_parameter_applies_beside_the_values_that_it_names():
    on = '[[param]]\nname = "on"\ntype = "bool"\n'
    spec = parse(MODE + on + PARAM + 'default = 1\nwhen = { mode = ["d"], on = true }')
    param = spec.param("a")
    assert param.when == (("mode", ("d",)), ("on", (True,)))
    assert spec.controlling_params == {"mode", "on"}
    for mode, on in (("b", False), ("b", True), ("d", False), ("d", True)):
        acting = spec.acting({"mode": mode, "on": on, "a": 1.0})
        assert acting == {"mode", "on"} | ({"a"} if (mode, on) == ("d", True) else set())


def test_a_parameter_applies_to_the_kind_of_network_that_it_names(tmp_path):
    table = '[network]\noutput = "repainted"\ntexture = "found"\nmodel = "net"\n'
    words = '[[param]]\nname = "words"\ntype = "text"\nwhen = { net = "pipeline" }\n'
    one = PARAM + 'default = 1\nwhen = { net = "network" }\n'
    both = '[[param]]\nname = "c"\ndefault = 1\nwhen = { net = ["network", "pipeline"] }\n'
    spec = parse(NETWORK + words + one + both + table)
    (tmp_path / "pipe").mkdir()
    (tmp_path / "pipe" / "model_index.json").write_text("{}")
    (tmp_path / "plain").mkdir()
    (tmp_path / "one.onnx").touch()
    values = {"words": "a cat", "a": 1.0, "c": 1.0}
    assert spec.acting({**values, "net": str(tmp_path / "pipe")}) == {"net", "words", "c"}
    singles = ("plain", "one.onnx", "gone", "gone/x.onnx", "long" * 2000)
    for net in ("", "denoiser", "grpc://host/pipe", *(str(tmp_path / name) for name in singles)):
        assert spec.acting({**values, "net": net}) == {"net", "a", "c"}, net


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fn main() {}", "does not begin with"),
        ("/* lightloom\ntitle = 'x'", "never closed"),
        ("/* lightloom\n*/", "'title' is missing"),
        ("", "does not begin with"),
    ],
)
def test_text_that_is_no_filter(text, message):
    with pytest.raises(FilterError, match=message):
        parse_filter(text, "mine.wgsl", builtin=False)


def test_unknown_shared_files_are_named():
    for name in ("nothing", "../filters/exposure", "C:"):
        with pytest.raises(FilterError, match=re.escape(name)):
            read_common([name])


# -- values and packing --------------------------------------------------------------------------------------

ALL_TYPES = """
[[param]]
name = "number"
default = 0.5
[[param]]
name = "place"
type = "point"
default = [0.25, 0.75]
[[param]]
name = "flag"
type = "bool"
default = true
[[param]]
name = "paint"
type = "color"
default = "#ff8000"
[[param]]
name = "count"
type = "int"
max = 9
default = 3
[[param]]
name = "kind"
type = "choice"
choices = ["one", "two"]
default = "two"
[[param]]
name = "look"
type = "lut"
"""


def test_packing_is_the_uniform_layout_of_wgsl():
    """Offsets by the alignment rules of WGSL (section 14.4): f32 4, vec2f 8, vec4f 16."""
    item = parse(ALL_TYPES)
    packed = item.pack(item.defaults)
    assert len(packed) == 64
    assert struct.unpack_from("<f", packed, 0) == (0.5,)
    assert struct.unpack_from("<2f", packed, 8) == (0.25, 0.75)
    assert struct.unpack_from("<I", packed, 16) == (1,)
    assert struct.unpack_from("<4f", packed, 32) == pytest.approx((1.0, 128 / 255, 0.0, 1.0))
    assert struct.unpack_from("<2i", packed, 48) == (3, 1)
    assert "look" not in item.params_struct()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("number", "0.25", 0.25),
        ("number", 1, 1.0),
        ("place", "0.5/1", (0.5, 1.0)),
        ("flag", "off", False),
        ("flag", "1", True),
        ("paint", "00ff0080", (0.0, 1.0, 0.0, 128 / 255)),
        ("count", "7", 7),
        ("kind", "one", "one"),
        ("kind", "0", "one"),
    ],
)
def test_values_are_read(name, value, expected):
    assert parse(ALL_TYPES).check({name: value})[name] == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "a"),
        ("number", 2),
        ("number", float("inf")),
        ("number", None),
        ("place", "0.5"),
        ("place", (0.5, 2)),
        ("flag", 3),
        ("paint", "green"),
        ("paint", (2, 0, 0)),
        ("count", 1.5),
        ("count", 10),
        ("kind", "three"),
        ("kind", "5"),
        ("kind", -1),
        ("kind", True),
    ],
)
def test_wrong_values_are_refused(name, value):
    with pytest.raises(FilterError, match=f"is not a value for '{name}'; it takes "):
        parse(ALL_TYPES).check({name: value})


# -- bounded loops -------------------------------------------------------------------------------------------

GUARD = f"{LOOP_BUDGET}u"


@pytest.mark.parametrize(
    "text",
    [
        "for (var i = 0; i < 3; i++) { x(); }",
        "while (a[f(1)] < 2) { x(); }",
        "loop { x(); }",
        "/* one /* two */ // */ for (;;) { x(); }",
        "// a\u2028for (;;) { x(); }",
        "// a\rfor (;;) { x(); }",
        "/* for (;;) { */ for /* { */ (;;) /* { */ { x(); }",
    ],
)
def test_every_loop_is_bounded(text):
    limited = limit_loops(ShaderText.read(text))
    assert limited.count(GUARD) == 1
    before, _, after = limited.partition("{ lightloom_steps")
    assert before.rstrip().endswith("{")
    assert "x();" in after
    assert limited.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text", ["// for (;;) {", "/* loop { */", "/* a /* b */ while (x) { */", "var loops = 1;", "/* loop {"]
)
def test_comments_and_names_are_not_loops(text):
    assert limit_loops(ShaderText.read(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "loop { lightloom_steps = 0u; }",
        "loop { var lightloom_steps = 0u; }",
        "var<private> lightloom_x: u32;",
    ],
)
def test_the_counter_cannot_be_wound_back(text):
    with pytest.raises(FilterError, match="reserved"):
        limit_loops(ShaderText.read(text))


def test_kept_descriptions_give_the_same_filters(tmp_path):
    parsed = FilterLibrary(None).filters
    for _ in range(2):
        assert FilterLibrary(None, tmp_path).filters == parsed
    assert len(list(tmp_path.iterdir())) == 1 and len(parsed) > 50


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("fn main", 1, 0),
        ("/* lightloom\ntitle = 1", 1, 0),
        ('/* lightloom\ntitle = "A"\nhelp = \n*/\n', 3, 8),
        ("/* lightloom title = \n*/\n", 1, 22),
        ('/* lightloom\ntitle = "A"\n/* b\n*/\n', 3, 0),
        (f'/* lightloom\ntitle = "A"\n{PARAM}default = 1\n{PARAM}*/\n', 6, 0),
        (f'/* lightloom\ntitle = "A"\n\n[ network ]\noutput = "moon"\n{NETWORK}*/\n', 4, 0),
    ],
)
def test_errors_have_the_line_of_what_is_wrong(text, line, column):
    with pytest.raises(FilterError) as caught:
        parse_filter(text, "mine.wgsl", builtin=False)
    (message,) = shader_messages(caught.value)
    assert (message.line, message.column) == (line, column) and message.message == str(caught.value)


def test_limits_and_workgroups_have_lines():
    deep = '/* lightloom\ntitle = "A"\n*/\nfn main(p: vec2i) -> vec4f {\n return ' + "(" * 130 + ");\n}\n"
    raw = '/* lightloom\ntitle = "A"\n[[pass]]\nentry = "go"\nkind = "raw"\noutput = "output"\n*/\n\n'
    raw += "@compute @workgroup_size(4)\nfn go() {}\n"
    for text, line in ((deep, 5), (raw, 10)):
        spec = parse_filter(text, "mine.wgsl", builtin=False)
        with pytest.raises(FilterError) as caught:
            FilterSource(spec, filters_floats=True).text(spec.passes[0])
        assert caught.value.line == line
