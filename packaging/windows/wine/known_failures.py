"""The list of tests that fail on Wine though nothing of Lightloom is wrong, and what a run says beside it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field


class BadList(ValueError):
    """The list cannot be read; the text is one sentence with the line's number."""


@dataclass(frozen=True)
class Verdict:
    """What differs between a run and the list.

    Attributes:
        unexpected: tests that failed and are not listed, in order.
        passing: listed tests that passed, in order.
    """

    unexpected: tuple[str, ...] = field(default_factory=tuple)
    passing: tuple[str, ...] = field(default_factory=tuple)

    @property
    def is_clean(self) -> bool:
        """Whether the run says what the list says."""
        return not self.unexpected and not self.passing


def read_list(text: str) -> dict[str, str]:
    """Read a list: on each line a test as pytest names it, ": " and the reason. A name that ends with `*` stands
    for all that begin so, a file's for all of its tests. `#` begins a comment.

    Raises:
        BadList: a line has no reason, or names a test that another names.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, reason = line.partition(": ")
        if not colon or not reason.strip():
            raise BadList(f"Line {number} has no reason; write 'TEST: REASON'.")
        if name in found:
            raise BadList(f"Line {number} names {name} again; remove one of the two.")
        found[name] = reason.strip()
    return found


def entry_of(test: str, known: Mapping[str, str]) -> str | None:
    """Return the entry of a list that stands for a test, None where none does."""
    if test in known:
        return test
    return next((name for name in known if _stands_for(name, test)), None)


def _stands_for(name: str, test: str) -> bool:
    if name.endswith("*"):
        return test.startswith(name[:-1])
    return test.startswith(f"{name}::") or test.startswith(f"{name}[")


def judge(failed: Set[str], passed: Set[str], known: Mapping[str, str]) -> Verdict:
    """Compare a run with the list.

    Args:
        failed: tests that failed or broke off.
        passed: tests that passed.
        known: see `read_list`. An entry of several tests passes if some of them passed and none failed; what
            did not run is not judged.
    """
    unexpected = sorted(test for test in failed if entry_of(test, known) is None)
    hit = {entry_of(test, known) for test in failed}
    seen = {entry_of(test, known) for test in passed} - {None}
    passing = sorted(name for name in known if name in seen and name not in hit)
    return Verdict(tuple(unexpected), tuple(passing))
