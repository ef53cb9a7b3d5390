"""Arguments of the command line as its parsers declare them, for the manual pages and the site's reference."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

from desktop import cli
from desktop.__main__ import window_parser

WINDOW: Final = "lightloom"


@dataclass(frozen=True)
class Argument:
    """A positional argument or an option.

    Attributes:
        forms: how it is written, e.g. ("-o OUT", "--output OUT"); one for a positional argument.
        text: what --help says of it, on one line; "" for nothing.
        is_option: it begins with a dash.
        is_required: an option without which the command does not run.
    """

    forms: tuple[str, ...]
    text: str
    is_option: bool
    is_required: bool


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of the window and of each command, by the words that call it ("lightloom model check")."""
    commands = {f"{WINDOW} {words}": parser for words, parser in cli.command_parsers().items()}
    return {WINDOW: window_parser(cli.command_names()), **commands}


def arguments_of(parser: argparse.ArgumentParser) -> list[Argument]:
    """Return what a parser takes, but for --help and what its own help leaves out."""
    formatter = parser._get_formatter()
    return [
        Argument(
            _forms(action, formatter),
            " ".join((formatter._expand_help(action) if action.help else "").split()),
            bool(action.option_strings),
            action.required and bool(action.option_strings),
        )
        for action in parser._actions
        if action.help != argparse.SUPPRESS and action.dest != "help"
    ]


def _forms(action: argparse.Action, formatter: argparse.HelpFormatter) -> tuple[str, ...]:
    if not action.option_strings:
        return (formatter._format_args(action, formatter._get_default_metavar_for_positional(action)),)
    if action.nargs == 0:
        return tuple(action.option_strings)
    value = formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
    return tuple(f"{option} {value}" for option in action.option_strings)
