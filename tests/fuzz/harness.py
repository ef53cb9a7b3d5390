"""Definition and discovery of harnesses: every `read_*.py` of this folder has one `HARNESS`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent
PREFIX = "read_"


class Finding(AssertionError):
    """A reader did what it must not; an assertion of the harness itself."""


def no_mutation(data: bytes, random: Random) -> bytes | None:
    """The harness has no mutator of its own."""
    return None


@dataclass(frozen=True)
class Harness:
    """One reader.

    Attributes:
        read: gives the reader an input, in a folder that is empty but for what the harness itself leaves
            there; only a `LightloomError` may come out, whose text is one printable line.
        seeds: makes the corpus in a folder; inputs of all kinds that the reader tells apart.
        tokens: words of the format, put in by the mutator.
        mutate: a mutator that knows the format (checksums, lengths); None from it leaves the input to the
            general one.
        memory_mb: what a reader may take on top of what it had before.
        seconds: after this an input counts as one that hangs.
        largest: bytes of an input.
    """

    read: Callable[[bytes, Path], None]
    seeds: Callable[[Path], list[bytes]]
    tokens: tuple[bytes, ...] = ()
    mutate: Callable[[bytes, Random], bytes | None] = no_mutation
    memory_mb: int = 600
    seconds: float = 20.0
    largest: int = 1 << 17


def names() -> list[str]:
    """The harnesses' names."""
    return sorted(path.stem.removeprefix(PREFIX) for path in FOLDER.glob(f"{PREFIX}*.py"))


def load(name: str) -> Harness:
    """Import a harness, and with it the reader."""
    return importlib.import_module(f"fuzz.{PREFIX}{name}").HARNESS
