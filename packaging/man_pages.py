"""Manual pages, from the parsers of the command line: lightloom(1) and one for each command.

    python packaging/man_pages.py FOLDER

To be run where Lightloom is installed. Writes lightloom.1, lightloom-process.1, lightloom-model-check.1 and so on; `man -l FILE` shows one.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import check_release
from command_arguments import WINDOW, Argument, arguments_of, command_parsers

_EXIT_STATUS: Final = (
    ("0", "Success."),
    ("1", "Failure; one sentence on standard error says what failed and what to do."),
    ("2", "Wrong usage."),
)
_FILES: Final = (
    "Settings, looks and downloaded networks are in the user's own folders; 'lightloom doctor' names them.",
)


def pages(version: str, date: datetime.date) -> dict[str, str]:
    """Return each page's source by the name of its file.

    Args:
        version: of the program, for the foot of the pages.
        date: of the build.
    """
    parsers = command_parsers()
    return {
        f"{_page_name(words)}.1": "\n".join(_page(words, parser, parsers, version, date)) + "\n"
        for words, parser in parsers.items()
    }


def _page_name(words: str) -> str:
    return words.replace(" ", "-")


def _page(
    words: str,
    parser: argparse.ArgumentParser,
    parsers: dict[str, argparse.ArgumentParser],
    version: str,
    date: datetime.date,
) -> Iterator[str]:
    name = _page_name(words)
    arguments = arguments_of(parser)
    yield f'.TH "{name.upper()}" "1" "{date.isoformat()}" "Lightloom {version}" "Lightloom"'
    # Words that can be typed are not broken.
    yield from (".nh", ".ad l")
    yield from (".SH NAME", f"{_escaped(name)} \\- {_escaped(_summary(parser))}")
    yield from (".SH SYNOPSIS", _synopsis(words, arguments))
    if words == WINDOW:
        yield from (".br", f"\\fB{WINDOW}\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]")
    yield from (".SH DESCRIPTION", _escaped(parser.description or ""))
    if words == WINDOW:
        yield from (".PP", "Without a command it opens the window.")
    for title, chosen in (
        ("ARGUMENTS", [argument for argument in arguments if not argument.is_option]),
        ("OPTIONS", [argument for argument in arguments if argument.is_option]),
    ):
        if chosen:
            yield f".SH {title}"
        for argument in chosen:
            yield from (".TP", ", ".join(map(_bold_name, argument.forms)))
            if argument.text:
                yield _escaped(argument.text)
    if words == WINDOW:
        yield from _commands(parsers)
        yield ".SH FILES"
        yield from map(_escaped, _FILES)
    yield ".SH EXIT STATUS"
    for status, text in _EXIT_STATUS:
        yield from (".TP", f"\\fB{status}\\fR", _escaped(text))
    yield from (".SH SEE ALSO", _see_also(words, parsers))


def _summary(parser: argparse.ArgumentParser) -> str:
    """Return the description as `whatis` shows it: one line, without a capital letter or a full stop."""
    text = " ".join((parser.description or "").split()).removesuffix(".")
    text = re.split(r"\.\s", text)[0]
    # Of an abbreviation the second letter is a capital too.
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _synopsis(words: str, arguments: Sequence[Argument]) -> str:
    parts = [f"\\fB{_escaped(words)}\\fR"]
    if any(argument.is_option and not argument.is_required for argument in arguments):
        parts.append("[\\fIOPTION\\fR...]")
    parts += [_bold_name(argument.forms[0]) for argument in arguments if argument.is_required]
    parts += [_escaped(argument.forms[0]) for argument in arguments if not argument.is_option]
    return " ".join(parts)


def _commands(parsers: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield ".SH COMMANDS"
    for words, parser in parsers.items():
        if words != WINDOW:
            heading = _escaped(words.removeprefix(f"{WINDOW} "))
            yield from (".TP", f"\\fB{heading}\\fR", f"{_escaped(parser.description or '')}")


def _see_also(words: str, parsers: dict[str, argparse.ArgumentParser]) -> str:
    """Return references: from the program to its commands, from a command to the program and its group."""
    if words == WINDOW:
        near = [each for each in parsers if each != WINDOW]
    else:
        group = words.rsplit(" ", 1)[0]
        near = [WINDOW, *(each for each in parsers if group != WINDOW and each.startswith(f"{group} "))]
    return ",\n".join(f"\\fB{_escaped(_page_name(each))}\\fR(1)" for each in near if each != words)


def _bold_name(form: str) -> str:
    """Return an argument as pages print it: the option in bold type, its value in italics."""
    name, _, value = form.partition(" ")
    if not name.startswith("-"):
        return f"\\fI{_escaped(form)}\\fR"
    return f"\\fB{_escaped(name)}\\fR" + (f" \\fI{_escaped(value)}\\fR" if value else "")


def _escaped(text: str) -> str:
    """Return text that troff prints as it is: dashes can be copied, no line is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def main(arguments: Sequence[str]) -> int:
    """Write the pages into a folder; return the exit status."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(check_release.version(), datetime.datetime.now(datetime.UTC).date()).items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
