"""No text of a kernel loses NaN where a driver assumes that there is none.

WGSL lets a compiler do so, and NVIDIA's does: a comparison that chooses between its own operands becomes a
min or a max, which give the other operand where one is NaN. llvmpipe does not, so no result here shows it;
the texts do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.compute.nn.ir.epilogue import BINARY, OF_ZERO, TABLED, UNARY, EpilogueStep, statements

_ROOT = Path(__file__).resolve().parent.parent.parent
_COMPARISON = re.compile(r"(.+?) *(?<![<>])(?:<=|>=|<|>)(?![<>]) *(.+)")


def _arguments(text: str, start: int) -> list[str]:
    """The arguments of the call whose bracket opens at `start`."""
    depth, found, since = 0, [], start + 1
    for at in range(start, len(text)):
        depth += (text[at] in "([") - (text[at] in ")]")
        # The commas of a type's parameters have no space: vec4<f32>.
        if depth == 0 or (depth == 1 and text[at] == ","):
            found.append(text[since:at])
            since = at + 1
        if depth == 0:
            return [" ".join(each.split()) for each in found]
    return []  # a piece of a text


def _bare(term: str) -> str:
    """A term without the vector that it fills."""
    while match := re.fullmatch(r"vec[234]<\w+>\((.*)\)|\((.*)\)", term.strip()):
        term = match[1] or match[2]
    return term.strip()


def folded(text: str) -> list[str]:
    """The choices in `text` between the operands of their own comparison."""
    text = re.sub(r"//.*", "", text)
    found = []
    for match in re.finditer(r"\bselect\(", text):
        arguments = _arguments(text, match.end() - 1)
        if len(arguments) != 3:
            continue
        plain = re.sub(r"\bvec([234])<(\w+)>", r"vec\1_\2", arguments[2])
        if compared := _COMPARISON.fullmatch(plain):
            operands = {
                _bare(re.sub(r"\bvec([234])_(\w+)", r"vec\1<\2>", each)) for each in compared.groups()
            }
            if operands == {_bare(each) for each in arguments[:2]}:
                found.append(f"select({', '.join(arguments)})")
    return found


def _strings(path: Path) -> Iterator[str]:
    """The strings of a Python file, with the source of what is put into them in its place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {
        id(part) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for part in ast.walk(each)
    } - {id(each) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else ast.unparse(part.value) for part in each.values
            )  # fmt: skip
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in inner:
            yield each.value


@pytest.mark.parametrize(
    "text",
    [
        "select(v, vec4<f32>(0.0), v < vec4<f32>(0.0))",
        "select(v, vec4<f32>(low), vec4<f32>(low) >= v)",
        "let a = select(abs(v), vec4<f32>(9.0), abs(v) > vec4<f32>(9.0));",
        "select(select(value, most, value > most), -most, value < -most)",
    ],
)
def test_the_check_finds_what_a_driver_folds(text):
    assert len(folded(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "select(v * 0.1, v, v >= vec4<f32>(0.0))",
        "select(max(v, vec4<f32>(0.0)), v, is_nan(v))",
        "select(v, vec4<f32>(0.0), bitcast<vec4<i32>>(v) <= vec4<i32>(-8388608))",
    ],
)
def test_the_check_passes_what_stays(text):
    assert folded(text) == []


def test_no_kernel_chooses_between_the_operands_of_a_comparison():
    texts = {path: [path.read_text(encoding="utf-8")] for path in (_ROOT / "shaders" / "nn").rglob("*.wgsl")}
    sources = (_ROOT / "desktop" / "compute" / "nn").rglob("*.py")
    texts |= {path: list(_strings(path)) for path in sources}
    assert sum("select(" in text for each in texts.values() for text in each) > 40
    wrong = [f"{path.name}: {each}" for path, own in texts.items() for text in own for each in folded(text)]
    assert not wrong, "\n".join(wrong)


def test_bounds_of_a_step_ask_for_the_bits():
    """A min, max or clamp of `v` itself stands beside a question for NaN."""
    for kind, text in {**UNARY, **TABLED}.items():
        if kind in ("round",):  # whole numbers, of which none is NaN
            continue
        if re.search(r"\b(?:min|max|clamp)\(v,", text):
            assert "is_nan(v)" in text, kind


def test_a_number_of_a_step_is_no_bare_factor():
    """Where it is zero, compilers take the product for zero, and NaN is lost: `times` multiplies by it."""
    for kind, text in {**UNARY, **BINARY, **OF_ZERO}.items():
        if kind == "hard_swish":  # v itself is a factor besides, and its pass makes none with a slope of zero
            continue
        assert not re.search(r"\* *\{p\[|\{p\[\d\]\} *\*", text), kind


@pytest.mark.parametrize("kind", ["mul", "rdiv", "prelu"])
@pytest.mark.parametrize("zero", [0.0, -0.0, 1e-40])
def test_no_zero_stands_beside_a_product_or_a_quotient(kind, zero):
    """What a compiler would fold is a function that asks for the bits."""
    (line,) = statements((EpilogueStep(kind, (zero,)),), {}, {})
    assert "times(v, f32(" in line or "zero_over(v, " in line
    assert (str(2**31) in line or "-0.0" in line) == (str(zero) == "-0.0")
    (other,) = statements((EpilogueStep(kind, (2.0,)),), {}, {})
    assert "times(" not in other and "zero_over(" not in other
