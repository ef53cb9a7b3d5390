"""The rounds of a kernel's loops: counted right, shortened right, and countable in every kernel that there
is.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from desktop.compute.nn.lowering import rounds
from desktop.compute.nn.lowering.rounds import TooLong, Uncountable, bounded

_ROOT = Path(__file__).resolve().parent.parent.parent

_NESTED = """const N = 50u;
const LENGTH = 3000u;
var sum = 0u;
for (var i = 2u; i < N; i += 4u) { // a comment with a for in it
    sum += 1u;
    for (var j = lane; j < min(LENGTH, group.x * 7u); j++) { sum += j * i; }
}
for (var half = 64u / 2u; half > 0u; half /= 2u) { sum += half; }
"""


def as_python(text: str) -> str:
    """The little WGSL of these tests as Python statements in one loop each."""
    out, depth = [], 0
    text = re.sub(r"\bconst |\bvar |\blet ", "", re.sub(r"//.*", "", text))
    for token in re.split(r"(for \(.*?\) \{|if \(.*?\) \{|\{|\}|;)", text.replace("\n", " ")):
        token = re.sub(r"(?<=\d)u\b", "", token.strip()).replace("group.x", "group_x")
        loop = re.match(r"for \((\w+) = (.*?); \w+ (<|>) (.*?); (.*)\) \{", token)
        if loop:
            name, start, sign, end, move = loop.groups()
            move = f"{name} += 1" if move.endswith("++") else move.replace("/=", "//=")
            out += [f"{' ' * depth}{name} = {start}", f"{' ' * depth}while True:"]
            depth += 1
            out += [
                f"{' ' * depth}if not ({name} {sign} {end}): break",
                f"{' ' * depth}ROUNDS[0] += 1",
                ("move", move),
            ]
        elif token.startswith("if "):
            out.append(f"{' ' * depth}{token[:-1].strip()}:")
            depth += 1
            out.append(f"{' ' * depth}pass")
        elif token == "{":
            out.append(f"{' ' * depth}if True:")
            depth += 1
            out.append(f"{' ' * depth}pass")
        elif token == "}":
            out.append(("end", depth))
            depth -= 1
        elif token not in (";", ""):
            out.append(f"{' ' * depth}{token}")
    lines, moves = [], []
    for line in out:
        if isinstance(line, str):
            lines.append(line)
            if line.strip().endswith(":") and not line.strip().startswith(("while", "if not")):
                moves.append("pass")
        elif line[0] == "move":
            moves.append(line[1])
        else:
            lines.append(f"{' ' * line[1]}{moves.pop()}")
    return "\n".join(lines)


def run(text: str) -> tuple[int, int]:
    """(sum, rounds) of a text."""
    names = {"ROUNDS": [0], "lane": 3, "group_x": 400, "min": min}
    exec(as_python(text), names)
    return names["sum"], names["ROUNDS"][0]


def test_rounds_are_counted() -> None:
    """Loops in each other multiply, those after each other add up; a halving is taken for ten."""
    assert rounds.rounds(_NESTED) == 13 * (1 + 3000) + 10
    assert rounds.rounds("fn main() { let x = 1; }") == 0


@pytest.mark.parametrize("most", [40_000, 20_000, 5_000, 400])
def test_shortened_loops_compute_the_same(most: int) -> None:
    """Run as Python: the same sum in fewer rounds."""
    found, made = run(bounded(_NESTED, most))
    assert found == run(_NESTED)[0]
    assert made <= most


def test_a_kernel_within_the_limit_stays_as_it_is() -> None:
    """To the letter: comments too."""
    assert bounded(_NESTED, 40_000) == _NESTED


def test_too_long_a_loop_is_refused() -> None:
    """And says how long it is."""
    with pytest.raises(TooLong) as caught:
        bounded("for (var i = 0u; i < 100000000u; i++) { x += i; }")
    assert caught.value.rounds == 100_000_000


@pytest.mark.parametrize(
    "loop",
    [
        "while (x < 3u) { }",
        "loop { break; }",
        "for (var i = 0u; i < n; i++) { }",
        "for (var i = 0; i <= 3; i++) { }",
    ],
)
def test_uncountable_loops_are_found(loop: str) -> None:
    """A loop whose length the text does not tell is a mistake in a kernel."""
    with pytest.raises(Uncountable):
        rounds.rounds(loop)


def test_loops_of_all_kernels_have_a_form_that_can_be_counted() -> None:
    """What `bounded` cannot count it cannot shorten: names must be constants, or stand in a `min` with one."""
    texts = {
        path.name: path.read_text(encoding="utf-8") for path in (_ROOT / "shaders" / "nn").rglob("*.wgsl")
    }
    for path in (_ROOT / "desktop" / "compute" / "nn").rglob("*.py"):
        if path.name != "rounds.py":
            lines = path.read_text(encoding="utf-8").splitlines()
            texts[path.name] = "\n".join(
                line
                for line in lines
                if re.search(r"\b(for \(var|for \(;|while \()", line) or " loop {" in line
            )
    found = 0
    for name, text in texts.items():
        code = re.sub(r"//[^\n]*", "", text).replace("{{", "{").replace("}}", "}")
        for match in re.finditer(r"\b(?:for \(var|for \(;|while \()[^\n]*|\bloop \{", code):
            found += 1
            # In Python the sizes are put in by f-strings: any number will do.
            line = re.sub(r"\{[^{}]*\}(?=u)", "7", match.group())
            line = re.sub(r"\{places\[name\]\}", "k0", line)
            names = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", line))
            constants = "".join(f"const {each} = 8u;\n" for each in sorted(names))
            head = re.match(r"for \(.*?\) \{", line)
            assert head is not None, f"{name}: {line}"
            assert rounds.rounds(f"{constants}{head.group()} }}") > 0, f"{name}: {line}"
    assert found > 60
