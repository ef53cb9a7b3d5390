"""Every command line that README.md and docs/ show is one that the program takes: its command, its options,
their values.
"""

from __future__ import annotations

import argparse
import re
from functools import cache

import pytest
from document_commands import CommandLine, command_lines

from desktop import cli
from desktop.__main__ import window_parser

LINES = [line for line in command_lines() if not line.is_synopsis]
# The program starts these itself; no page offers them to a reader.
INTERNAL = ("send-stream", "try-filter")
# What a line may need that a test has not.
NEEDS = (
    *(
        "a display",
        "the internet",
        "an inference server",
        "a Ray cluster",
        "a camera and a broker",
        "a network camera",
    ),
    *("Stable Diffusion", "a denoiser", "an end by hand", "30 seconds"),
)


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    return {**cli.command_parsers(), "": window_parser(cli.command_names())}


def command_of(arguments: list[str]) -> str:
    """Return the longest command that the arguments begin with, '' for the window."""
    names = [" ".join(arguments[:count]) for count in (2, 1)]
    return next((name for name in names if name in parsers()), "")


def fault(line: CommandLine) -> str:
    """Return why the program would refuse a line, '' if it would not."""
    arguments = line.arguments
    name = command_of(arguments)
    parser = parsers()[name]
    try:
        parser.parse_args(arguments[len(name.split()) :])
    except SystemExit:
        return f"{line}: the parser of 'lightloom {name}' refuses it"
    except argparse.ArgumentError as error:
        return f"{line}: {error}"
    return ""


def test_lines_are_found():
    """The collector sees blocks of both kinds, what goes on in the next line, spans, and marks."""
    assert len([line for line in LINES if line.is_run]) > 80
    assert {line.page.split("/")[0] for line in LINES} == {"docs"}
    assert any(line.needs for line in LINES)
    assert any(line.is_span and line.is_run for line in LINES)
    assert not any(re.search(r"\s{2,}|\\$|^\$", line.text) for line in LINES)


@pytest.mark.parametrize("line", [line for line in LINES if line.is_run], ids=str)
def test_a_line_is_parsed(line, capsys):
    assert not fault(line), capsys.readouterr().err


@pytest.mark.parametrize("line", [line for line in LINES if not line.is_run], ids=str)
def test_a_name_in_a_sentence_is_a_command_with_options_that_it_has(line):
    words = [word for word in line.arguments if not word.startswith("-")]
    name = command_of(words)
    groups = {each.split()[0] for each in parsers() if " " in each}
    assert name or words[:1] == [] or words[0] in (*groups, *INTERNAL), f"{line}: no such command"
    known = set(parsers()[name]._option_string_actions)
    assert {word for word in line.arguments if word.startswith("-")} <= known, f"{line}: no such option"


def test_a_mark_names_a_known_need_and_stands_before_a_line():
    assert not [str(line) for line in LINES if line.needs and line.needs not in NEEDS]
    unused = [need for need in NEEDS if need not in {line.needs for line in LINES}]
    assert not unused


@pytest.mark.parametrize(
    "text",
    ["detekt a.mp4", "detect a.mp4 --modell x.onnx", "process a.mp4 -o b.mp4 --crf soft", "model check"],
)
def test_a_line_that_the_program_does_not_take_is_noticed(text, capsys):
    line = CommandLine("docs/x.md", 1, text)
    # A word that is no command is a file's name to the window's parser; `main` refuses it.
    assert fault(line) or command_of(line.arguments) == ""
    capsys.readouterr()
