"""Refusal of an untrusted shader by its text alone, and the tokens by which it is read."""

from __future__ import annotations

import pytest

from desktop.base.errors import FilterError
from desktop.base.resources import resource
from desktop.compute.gpu.shader import limit_loops, read_shader
from desktop.compute.gpu.wgsl import ShaderText
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.limits import (
    LOOP_COPIES,
    MAX_DEPTH,
    MAX_NESTING,
    MAX_TOKENS,
    PRIVATE_BYTES,
    check_limits,
)

MAIN = "fn main(p: vec2i) -> vec4f {{ {} }}"


def words(text):
    return [token.text for token in ShaderText.read(text).tokens]


def test_tokens_are_those_of_the_specification():
    """Examples of WGSL, sections 3.2 to 3.9."""
    text = "a/*1/*2*/*/b // c\u2028d 0x1.8p-2f 1e+5 .5h 1.u 7loop a>=b a>>b x->y c&&d \u2207x"
    assert words(text) == [
        *(
            "a",
            "b",
            "d",
            "0x1.8p-2f",
            "1e+5",
            ".5h",
            "1.u",
            "7",
            "loop",
            "a",
            ">",
            "=",
            "b",
            "a",
            ">",
            ">",
            "b",
        ),
        *("x", "->", "y", "c", "&&", "d", "\u2207", "x"),
    ]
    assert words("/* never closed /* */ loop {") == []


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("array<array<f32, 2>>()", ["array<f32, 2>", "f32, 2"]),
        ("a < b && c > d", []),
        ("a[b < c] > d", []),
        ("vec2<f32>(a) < b", ["f32"]),
        ("if (a < b) { c = d > e; }", []),
        ("array<f32, (2 > 1)>", ["f32, (2"]),
        ("a<b<<c>", ["b<<c"]),
    ],
)
def test_template_lists_are_found_as_the_specification_does(text, lists):
    source = ShaderText.read(text)
    found = [
        text[source.tokens[start].at + 1 : source.tokens[end].at]
        for start, end in sorted(source.templates.items())
    ]
    if text == "array<f32, (2 > 1)>":  # the '>' inside of parentheses is an operator
        lists = ["f32, (2 > 1)"]
    assert found == lists


def refused(text):
    with pytest.raises(FilterError) as caught:
        check_limits(ShaderText.read(text))
    return str(caught.value)


def ok(text):
    check_limits(ShaderText.read(text))


def test_the_bundled_filters_stay_within_the_limits():
    for path in resource("shaders", "filters").glob("*.wgsl"):
        ok(read_shader("filters", path.name))


DEEP = {
    "parentheses": lambda n: "return vec4f(" + "(" * n + "1.0" + ")" * n + ");",
    "calls": lambda n: "return vec4f(" + "sin(" * n + "1.0" + ")" * n + ");",
    "indices": lambda n: "let b = " + "a[" * n + "0" + "]" * n + ";",
    "types": lambda n: "var b: " + "array<" * n + "f32" + ", 1>" * n + ";",
    "blocks": lambda n: "{" * n + "}" * n,
    "conditions": lambda n: "if (a) {" * n + "}" * n,
}
TALL = {
    "sum": lambda n: "let b = " + "+".join("a" * n) + ";",
    "signs": lambda n: "let b = " + "- " * n + "a;",
    "not": lambda n: "let b = " + "!" * n + "a;",
    "members": lambda n: "let b = a" + ".xyzw" * n + ";",
    "else if": lambda n: "if (a) {}" + " else if (a) {}" * n,
    "index after index": lambda n: "let b = a" + "[0]" * n + ";",
    "signs between brackets": lambda n: (
        "let b = " + ("-" * 20 + "(") * (n // 20) + "a" + ")" * (n // 20) + ";"
    ),
    "sums between brackets": lambda n: (
        "let b = " + "(" * (n // 20) + "a" + ("+a" * 20 + ")") * (n // 20) + ";"
    ),
    "else if in else if": lambda n: (
        "if (a) {}" + " else if (a) {}" * (n // 2) + " else { if (a) {}" + " else if (a) {}" * (n // 2) + "}"
    ),
}


@pytest.mark.parametrize("kind", DEEP)
def test_brackets_are_nested_so_deep_and_no_deeper(kind):
    ok(MAIN.format(DEEP[kind](MAX_NESTING - 4)))
    assert f"nested more than {MAX_NESTING} deep" in refused("\n" + MAIN.format(DEEP[kind](MAX_NESTING + 3)))
    assert refused("\n" + MAIN.format(DEEP[kind](5000))).startswith("Line 2: ")


@pytest.mark.parametrize("kind", TALL)
def test_expressions_and_chains_are_so_tall_and_no_taller(kind):
    ok(MAIN.format(TALL[kind](MAX_DEPTH * 3 // 4)))
    assert f"more than {MAX_DEPTH} deep" in refused(MAIN.format(TALL[kind](MAX_DEPTH * 3 // 2)))


def test_long_texts_that_are_not_deep_are_taken():
    statements = "x = x * 1.5 + 2.0; " * 2000
    table = "const t = array(" + ", ".join(["vec4f(1.0, 2.0, 3.0, 4.0)"] * 2000) + ");\n"
    cases = "switch p.x { " + "".join(f"case {i}: {{ x = 1.0; }} " for i in range(900)) + "default: {} }"
    ok(table + MAIN.format("var x = 1.0; " + statements + cases + " return vec4f(x);"))
    ok("/*" * 3000 + "*/" * 3000 + MAIN.format("return load(p);"))
    assert f"{MAX_TOKENS} is most" in refused(MAIN.format("x;" * MAX_TOKENS))


@pytest.mark.parametrize(
    "declaration",
    [
        "var<private> a: array<f32, 20000>;",
        "var<private> a: array<array<vec4f, 100>, 50>;",
        "const n = 0x4e20u; var<private> a: array<f32, n>;",
        "const k = 200; const n = (k * 10 + 0) << 4; var<private> a: array<f32, n + n % 3>;",
        "alias A = array<vec4f, 5000>; var<private> a: A;",
        "struct S { a: f32, b: array<vec4f, 5000> } var<private> a: S;",
        "struct S { @align(16) b: array<mat4x4f, 500> } alias T = array<S, 4>; var<private> a: T;",
        "var<private> a = array<f32, 20000>();",
        "var<private> a: array<f32, max(3, 20000)>;",
        "fn f() { var a: array<f32, 20000>; }",
        "fn f() { let a = array<vec4<f32>, 5000>(); }",
        "fn f(a: array<vec4f, 5000>) {}",
        "".join(f"var<private> a{i}: array<vec4f, 200>;" for i in range(30)),
    ],
)
def test_memory_of_an_invocation_is_bounded(declaration):
    assert f"more than {PRIVATE_BYTES >> 10} KiB" in refused(declaration + MAIN.format("return load(p);"))


@pytest.mark.parametrize(
    "declaration",
    [
        "var<private> a: array<f32, 100000000>;",
        "var<private> a: array<array<array<f32, 65536>, 65536>, 65536>;",
        "struct S { a: array<S, 1000000000> }",
        "alias A = array<f32, 1 << 40>;",
        "".join(f"struct S{i} {{ a: array<S{i - 1}, 100> }}" for i in range(1, 12)),
    ],
)
def test_no_type_is_larger_than_a_buffer(declaration):
    assert "MiB" in refused(declaration + MAIN.format("return load(p);"))


@pytest.mark.parametrize(
    "declaration",
    [
        "var<private> a: array<f32, 4096>;",
        "struct Bins { count: array<atomic<u32>, 4096> }",
        "var<workgroup> a: array<vec4f, 1024>;",
        "const a = array<f32, 3>(1.0, 2.0, 3.0);",
        "override n: u32 = 4; var<workgroup> a: array<f32, n>;",
        "const n = undefined + 5; var<private> a: array<f32, n>;",
        "alias A = B; alias B = A; var<private> a: A;",
        "const a = b; const b = a; var<private> c: array<f32, a>;",
        "struct S { a: S } var<private> c: S;",
    ],
)
def test_what_is_small_or_unknown_is_left_to_the_compiler(declaration):
    ok(declaration + MAIN.format("return load(p);"))


def test_loops_and_calls_are_counted_where_inlining_copies_them():
    loop = "for (var i = 0; i < 9; i++) { x(); } "
    ok(MAIN.format(loop * LOOP_COPIES))
    assert f"more than {LOOP_COPIES} loops" in refused(MAIN.format(loop * (LOOP_COPIES + 1)))
    chain = (
        "fn f0() { " + loop + "}" + "".join(f"fn f{i}() {{ f{i - 1}(); f{i - 1}(); }}" for i in range(1, 9))
    )
    assert "'f8' comes to more than" in refused(chain + MAIN.format("f8();"))
    backwards = "".join(f"fn f{i}() {{ f{i - 1}(); f{i - 1}(); }}" for i in range(40, 0, -1)) + "fn f0() {}"
    assert "calls of functions" in refused(backwards)
    ok("fn a() { b(); } fn b() { a(); }")


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "text",
    [
        "loop " * 90_000,
        "for(" * 40_000,
        "@a  " * 25_000 + "fn f",
        "a<" * 49_000,
        "/*" * 500_000,
        "/ " * 90_000,
        ")" * 99_000,
        "}" * 99_000,
        "".join(f"fn f{i}() {{ {'f0();' * 20} }}" for i in range(500)),
        "fn main(" * 10_000,
    ],
)
def test_no_text_takes_long_to_read(text):
    source = ShaderText.read(text)
    try:
        check_limits(source)
    except FilterError as error:
        assert "\n" not in str(error)
    limit_loops(source)


def declared(head):
    return parse_filter(f'/* lightloom\ntitle = "T"\n{head}\n*/\n', "t.wgsl", builtin=False)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "key", [".".join("a" * 30_000), " . ".join(['"b c"'] * 8_000), ".".join(["'x'"] * 10_000)]
)
def test_dotted_keys_of_a_header_are_bounded(key):
    with pytest.raises(FilterError, match=r"^t\.wgsl: .*: a key .* more than 16 parts \(at line 3\)\."):
        declared(f"{key} = 1")


def test_a_description_is_bounded():
    with pytest.raises(FilterError, match="longer than 64 KiB"):
        declared('help = "' + "x" * 70_000 + '"')
    assert declared('help = "1.2.3.4, see a.b.c ... " # x.y').help.startswith("1.2")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (
            "".join(
                f'[[texture]]\nname = "t{i}"\nsize = [4096, 4096]\nformat = "rgba32float"\n' for i in range(5)
            ),
            "GiB",
        ),
        (
            "".join(
                f'[[texture]]\nname = "t{i}"\nscale = 2\nformat = "rgba32float"\npersistent = true\n'
                for i in range(12)
            ),
            "its textures take 3.0 GiB for a frame of 1920 x 1080 pixels, and 1 GiB are allowed",
        ),
        ('[[pass]]\nentry = "main"\nkind = "raw"\ngrid = [65535, 65535]\n', "more than 268435456 threads"),
        ('use = ["gaussian"' + ', "gaussian"' * 100 + "]", "more than 16 files"),
    ],
)
def test_declarations_that_ask_for_too_much(head, message):
    with pytest.raises(FilterError, match=message):
        declared(head)
