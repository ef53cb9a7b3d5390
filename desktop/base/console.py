"""Print to standard output and standard error; the only module that does (enforced by a ruff rule). Every
line is made printable. A failure of standard output (full disk, closed pipe) ends the command with one
sentence.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from desktop.base.errors import OutputError
from desktop.base.printable import printable


def encoding_of_output(*, is_console: bool, system: str, environment: Mapping[str, str]) -> str | None:
    """Return the encoding for standard output or error; None keeps Python's.

    Windows gives files and pipes the code page of the region (such as cp1252), which programs that read them
    do not expect and which lacks most letters: they get UTF-8, unless PYTHONIOENCODING says otherwise.
    """
    is_chosen = bool(environment.get("PYTHONIOENCODING"))
    return None if is_console or is_chosen or system != "win32" else "utf-8"


@contextmanager
def _output_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe (`| head`): not an error worth reporting
        raise
    except OSError as error:
        raise OutputError(
            f"The output cannot be written: {error.strerror or error}; what was printed is not complete."
        ) from error


def out(text: object = "") -> None:
    """Print a line; raise OutputError if it cannot be written, BrokenPipeError if the pipe was closed."""
    with _output_errors():
        print(printable(str(text)))


def out_json(document: Any) -> None:
    """Print JSON, in ASCII to exclude terminal escape sequences; raise OutputError or BrokenPipeError."""
    with _output_errors():
        print(_json(document))


def _json(value: Any) -> str:
    # The one control character that JSON does not escape.
    return json.dumps(value, indent=1).replace("\x7f", "\\u007f")


@contextmanager
def out_json_list(
    first: Mapping[str, Any], name: str, last: Mapping[str, Any] | None = None
) -> Generator[Callable[[Any], None]]:
    """Print a JSON object whose list `name` is long or slow to make; yield the function that prints an item of it.

    Each item is printed at once and none is kept. The object is complete if the block is left by an exception too.
    Raises as `out_json`.

    Args:
        first: values that stand before the list.
        name: of the list.
        last: values that stand behind it; read when the block is left.
    """
    _write_out(_json({**first, name: []}).removesuffix("]\n}"))
    end = "]"

    def item(value: Any) -> None:
        nonlocal end
        comma, end = ("," if end != "]" else ""), "\n ]"
        _write_out(f"{comma}\n  " + _json(value).replace("\n", "\n  "))

    try:
        yield item
    finally:
        rest = _json(last).removeprefix("{").removesuffix("\n}") if last else ""
        _write_out(end + (f",{rest}" if rest else "") + "\n}\n")


def _write_out(text: str) -> None:
    with _output_errors():
        print(text, end="", flush=True)


def err(text: object) -> None:
    """Print a line on standard error."""
    _write_stderr(f"{printable(str(text))}\n")


def fail(text: object) -> None:
    """Print the reason of a failure, or what was skipped, on standard error."""
    err(f"lightloom: {text}")


def shows_progress() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def progress(text: str, width: int = 78) -> None:
    """Redraw the last line of standard error; '' clears it."""
    _write_stderr(f"\r{printable(text)[:width]:<{width}}" + ("" if text else "\r"))


def _write_stderr(text: str) -> None:
    if sys.stderr is not None:  # None without a console, on Windows
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def flush() -> None:
    """Flush standard output; raise OutputError if that fails, BrokenPipeError if the pipe was closed."""
    if sys.stdout is not None:
        with _output_errors():
            sys.stdout.flush()


def close() -> None:
    """Discard unwritten output: the interpreter would flush it again at exit and report an error."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Parser(argparse.ArgumentParser):
    """Argument parser whose errors are printable, since shells expand file names into the command line.
    Raises `OutputError` for help that cannot be written, which argparse would ignore.
    """

    @property
    def option_names(self) -> frozenset[str]:
        """The options that it takes, as they are written: '--adapter'."""
        return frozenset(self._option_string_actions)

    def _print_message(self, message: str, file: Any = None) -> None:
        with _output_errors() if file is sys.stdout and file is not None else contextlib.suppress(OSError):
            (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print the usage and a message on standard error and exit with status 2."""
        super().error(printable(message))
