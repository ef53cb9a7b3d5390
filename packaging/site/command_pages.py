"""The page of the command line, from the parsers."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from typing import Final

from desktop import cli
from desktop.__main__ import window_parser

_PAGE: Final = re.compile(r"docs/([\w-]+\.md)")
_INTRODUCTION: Final = """# Command line

Every command has `--help`. The exit status is 0, 1 (failed, with one sentence on standard error) or 2 (wrong usage).
"""


def page() -> str:
    """Return the page: the window's options, then each command with its usage and its arguments."""
    # argparse breaks the lines of the usage at the terminal's width.
    os.environ["COLUMNS"] = "84"
    lines = [_INTRODUCTION, *_section("lightloom", window_parser(cli.command_names()))]
    for name, parser in cli.command_parsers().items():
        lines += _section(f"lightloom {name}", parser)
    return "\n".join(lines) + "\n"


def _section(title: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("", f"## {title}", "", parser.description or "", "")
    yield from ("```text", parser.format_usage().removeprefix("usage: ").rstrip(), "```", "")
    formatter = parser._get_formatter()
    shown = [
        action for action in parser._actions if action.help != argparse.SUPPRESS and action.dest != "help"
    ]
    yield from ("| argument | meaning |", "| --- | --- |")
    for action in shown:
        name = _name(action, formatter)
        yield f"| {name} | {_cell(formatter._expand_help(action) if action.help else '')} |"


def _name(action: argparse.Action, formatter: argparse.HelpFormatter) -> str:
    value = (
        formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
        if action.nargs != 0
        else ""
    )
    if not action.option_strings:
        value = formatter._format_args(action, formatter._get_default_metavar_for_positional(action))
        return f"`{value}`".replace("|", "\\|")
    return ", ".join(
        f"`{option} {value}`".replace(" `", "`").replace("|", "\\|") for option in action.option_strings
    )


def _cell(text: str) -> str:
    """Return a help text as a cell of a table: no markup of its own, pages as links."""
    text = re.sub(r"([|*_`<>\[\]])", r"\\\1", " ".join(text.split()))
    return _PAGE.sub(r"[\1](../\1)", text)
