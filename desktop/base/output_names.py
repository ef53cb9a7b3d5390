"""Names of outputs that would destroy an input, refused before anything is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.files import same_file


@dataclass(frozen=True)
class NamedFile:
    """A file of a command and its role, in a word: 'input', 'look', 'report'."""

    what: str
    path: Path


def check_outputs(outputs: Iterable[NamedFile], inputs: Iterable[NamedFile]) -> None:
    """Raise UsageError if an output is an input or other output, also through symbolic and hard links, or
    lies in a folder of frames that is an input.
    """
    read, taken = list(inputs), list[NamedFile]()
    for output in outputs:
        for other in (*read, *taken):
            if same_file(output.path, other.path):
                raise UsageError(f"The {output.what} {output.path} is the {other.what}; choose another name.")
            if _is_folder(other.path) and same_file(output.path.parent, other.path):
                raise UsageError(
                    f"The {output.what} {output.path} would be among the files of the {other.what}; choose "
                    "another folder."
                )
        taken.append(output)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
