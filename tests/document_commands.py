"""The command lines that README.md and docs/ show, as a reader would type them.

A line is what begins with `lightloom` or `.venv/bin/python -m desktop`, in a block of code or in a span of a
sentence. A line with placeholders (NAME, [PATH...], ...) is a synopsis. A comment `<!-- needs: ... -->`
before a block or paragraph says what the lines in it need that a test has not, such as a display; `<!-- exit
status: 2 -->` that they are shown because they fail.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PROGRAM = re.compile(r"^(?:\$ )?(?:lightloom|\.venv/bin/python -m desktop)(?: |$)")
_NEEDS = re.compile(r"<!-- needs: (.+?) -->")
_STATUS = re.compile(r"<!-- exit status: (\d) -->")
_FENCE = re.compile(r"^\s*```(\w*)")
_SHELLS = ("", "console", "sh", "bash")
_SPAN = re.compile(r"(?<!`)`(lightloom [^`\n]+)`(?!`)")
_REMARK = re.compile(r"\s{2,}(?!-).*$|\s#\s.*$")
_PLACEHOLDER = re.compile(r"^[A-Z][A-Z:|,]*$|[\[\]|]|\.\.\.")


@dataclass(frozen=True)
class CommandLine:
    """A command line of a document.

    Attributes:
        page, number: the file, relative to the repository, and the number of the line in it.
        text: as it stands there, without the program's name and remarks.
        needs: what a test has not, as the page says; '' for nothing.
        status: the exit status that the page says.
        is_span: in a sentence, where a command's words alone are its name.
    """

    page: str
    number: int
    text: str
    needs: str = ""
    status: int = 0
    is_span: bool = False

    @property
    def is_run(self) -> bool:
        """True for a whole line; in a sentence only what names a file or an address is one, the rest are
        names of commands.
        """
        return not self.is_span or any(re.search(r"\w[./]", word) for word in self.text.split())

    @property
    def arguments(self) -> list[str]:
        """As the shell gives them to the program, but for `$(...)`, which stays one argument."""
        inner = re.sub(r"\$\(([^)]*)\)", lambda found: shlex.quote(f"$({found[1]})"), self.text)
        return shlex.split(inner)

    @property
    def is_synopsis(self) -> bool:
        """True for a line with placeholders in place of values."""
        return any(map(_PLACEHOLDER.search, self.text.split()))

    def __str__(self) -> str:
        return f"{self.page}:{self.number}: lightloom {self.text}"


def pages() -> list[str]:
    """Return README.md and the pages of docs/."""
    return ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]


def command_lines() -> list[CommandLine]:
    """Return all of them, page by page."""
    return [line for page in pages() for line in _lines_of(page, (ROOT / page).read_text(encoding="utf-8"))]


def _lines_of(page: str, text: str) -> Iterator[CommandLine]:
    needs, status, language = "", 0, ""
    in_fence = has_begun = False
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if mark := _NEEDS.search(line):
            needs, has_begun = mark[1], False
            continue
        if mark := _STATUS.search(line):
            status, has_begun = int(mark[1]), False
            continue
        if fence := _FENCE.match(line):
            in_fence, language = not in_fence, fence[1] if not in_fence else ""
            has_begun = True
            if not in_fence:
                needs, status = "", 0
            continue
        if not line.strip() and not in_fence:
            # A mark holds for what follows it, up to the next empty line.
            needs, status = ("", 0) if has_begun else (needs, status)
            continue
        has_begun = True
        if in_fence or line.startswith("    "):
            if (not in_fence or language in _SHELLS) and _PROGRAM.match(line.strip()):
                yield CommandLine(page, number, _typed(lines, number - 1), needs, status)
            continue
        for span in _SPAN.findall(line):
            yield CommandLine(page, number, span.removeprefix("lightloom "), needs, status, is_span=True)


def _typed(lines: list[str], index: int) -> str:
    """Return a line with what goes on after a backslash, without the program, remarks and what a shell does
    with the output.
    """
    text = lines[index].strip()
    while text.endswith("\\"):
        index += 1
        text = f"{text[:-1].rstrip()} {lines[index].strip()}"
    text = _PROGRAM.sub("", text)
    return re.split(r" [|>] | &$", _REMARK.sub("", text))[0].strip()
