"""The page of the command line, from the parsers."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from typing import Final

from command_arguments import arguments_of, command_parsers

_PAGE: Final = re.compile(r"docs/([\w-]+\.md)")
_INTRODUCTION: Final = """# Command line

Every command has `--help`. The exit status is 0, 1 (failed, with one sentence on standard error) or 2 (wrong usage).
"""


def page() -> str:
    """Return the page: the window's options, then each command with its usage and its arguments."""
    # argparse breaks the lines of the usage at the terminal's width.
    os.environ["COLUMNS"] = "84"
    lines = [_INTRODUCTION]
    for title, parser in command_parsers().items():
        lines += _section(title, parser)
    return "\n".join(lines) + "\n"


def _section(title: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("", f"## {title}", "", parser.description or "", "")
    yield from ("```text", parser.format_usage().removeprefix("usage: ").rstrip(), "```", "")
    yield from ("| argument | meaning |", "| --- | --- |")
    for argument in arguments_of(parser):
        names = ", ".join(f"`{form}`".replace("|", "\\|") for form in argument.forms)
        yield f"| {names} | {_cell(argument.text)} |"


def _cell(text: str) -> str:
    """Return a help text as a cell of a table: no markup of its own, pages as links."""
    text = re.sub(r"([|*_`<>\[\]])", r"\\\1", text)
    return _PAGE.sub(r"[\1](../\1)", text)
