"""What the command line prints: the one place that writes to standard output and standard error (a rule of ruff's keeps it so).

Every line is made printable here. Where standard output cannot be written (a full disk, a closed pipe) the command ends with one sentence;
what cannot be said on standard error is left unsaid.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from desktop.errors import OutputError
from desktop.printable import printable


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has had enough (`| head`): no failure to speak of
        raise
    except OSError as error:
        raise OutputError(
            f"The output cannot be written: {error.strerror or error}; what was printed is not complete."
        ) from error


def out(text: object = "") -> None:
    """Print a line on standard output.

    Raises:
        OutputError: it cannot be written.
        BrokenPipeError: nobody reads it any more.
    """
    with _told():
        print(printable(str(text)))


def out_json(document: Any) -> None:
    """Print a document as JSON on standard output; ASCII alone, so that nothing in it can act on a terminal.

    Raises:
        OutputError: it cannot be written.
        BrokenPipeError: nobody reads it any more.
    """
    with _told():
        # The one control character that JSON leaves as it is.
        print(json.dumps(document, indent=1).replace("\x7f", "\\u007f"))


def err(text: object) -> None:
    """Print a line on standard error."""
    _say(f"{printable(str(text))}\n")


def fail(text: object) -> None:
    """Print why a command failed, or what it left out, on standard error."""
    err(f"lightloom: {text}")


def shows_progress() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def progress(text: str, width: int = 78) -> None:
    """Draw the last line of standard error anew; '' wipes it out."""
    _say(f"\r{printable(text)[:width]:<{width}}" + ("" if text else "\r"))


def _say(text: str) -> None:
    if sys.stderr is not None:  # as where there is no console, on Windows
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def flush() -> None:
    """Write what is still in the buffer of standard output.

    Raises:
        OutputError: it cannot be written.
        BrokenPipeError: nobody reads it any more.
    """
    if sys.stdout is not None:
        with _told():
            sys.stdout.flush()


def close() -> None:
    """Throw away what standard output could not take: the interpreter flushes once more at its end, and would complain."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Parser(argparse.ArgumentParser):
    """A parser whose complaints repeat nothing of the command line that is not printable: a shell puts names of files there.

    Help that cannot be written is an `OutputError`; argparse would pass over it.
    """

    def _print_message(self, message: str, file: Any = None) -> None:
        with _told() if file is sys.stdout and file is not None else contextlib.suppress(OSError):
            (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print the usage and a message on standard error and exit with status 2."""
        super().error(printable(message))
