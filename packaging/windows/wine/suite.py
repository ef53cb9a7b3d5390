"""Test files on Wine, one process each, compared with the list of what is known to fail there."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from debian import WineError
from known_failures import BadList, Verdict, judge, read_list
from session import Session

HERE: Final = Path(__file__).resolve().parent
# Files of tests; a crash of one, or a test that hangs, costs its file alone.
LIMIT_S: Final = 1800
TEST_LIMIT_S: Final = 300
MOST_PROCESSES: Final = 6
_STARTED: Final = re.compile(r"(tests/\S+::.*?) *$")
_VERDICT: Final = re.compile(r"(?:(tests/.+?) )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.*\[ *\d+%\]")
# The last line of a run that came to its end.
_CLOSING: Final = re.compile(
    r"^=+ .* in [\d.]+s.* =+$|^.*(passed|failed|skipped|no tests ran|deselected).* in [\d.]+s", re.MULTILINE
)


@dataclass(frozen=True)
class FileRun:
    """How one file of tests ended.

    Attributes:
        file: its path in the checkout.
        passed: tests that passed, as pytest names them.
        failed: tests that failed; the file itself where it ended without a result.
        skipped: how many were skipped.
        seconds: it took.
        text: the end of what pytest said.
    """

    file: str
    passed: frozenset[str]
    failed: frozenset[str]
    skipped: int
    seconds: float
    text: str


def read_progress(text: str) -> tuple[frozenset[str], frozenset[str], int, str]:
    """Read what `pytest -v` printed: tests that passed, tests that failed, how many were skipped, and the test
    that was running when it ended, '' for none.
    """
    passed, failed, skipped, running = set(), set(), 0, ""
    for line in text.splitlines():
        if match := _VERDICT.match(line):
            name, word = match[1] or running, match[2]
            running = ""
            if word in ("FAILED", "ERROR"):
                failed.add(name)
            elif word in ("PASSED", "XPASS"):
                passed.add(name)
            else:
                skipped += 1
        elif match := _STARTED.match(line):
            running = match[1]
    return frozenset(passed - failed), frozenset(failed), skipped, running


def listed(name: str) -> list[str]:
    """Read the lines of a list beside this file, without comments."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def known() -> dict[str, str]:
    """Read the list of known failures.

    Raises:
        WineError: a line of it cannot be read.
    """
    try:
        return read_list((HERE / "failures.txt").read_text(encoding="utf-8"))
    except BadList as error:
        raise WineError(f"failures.txt: {error}") from error


def applicable(checkout: Path, left_out: Sequence[str]) -> list[str]:
    """Return the test files of the checkout that apply, by folder; `left_out` has patterns of paths."""
    files = sorted(
        path.relative_to(checkout)
        for folder in ("cpu", "gpu", "ui", "e2e")
        for path in (checkout / "tests" / folder).glob("test_*.py")
    )
    return [path.as_posix() for path in files if not any(path.match(pattern) for pattern in left_out)]


def run_file(session: Session, file: str) -> FileRun:
    """Run one file of tests. A test at which the process ends or stays has failed, and the rest runs in another."""
    begin = time.monotonic()
    rest = session.out / "deselected.txt"
    passed: set[str] = set()
    failed: set[str] = set()
    skipped = 0
    options = ["-v", "-p", "no:cacheprovider", "--color=no", "-o", f"timeout={TEST_LIMIT_S}"]
    for _ in range(MOST_PROCESSES):
        rest.write_text("".join(f"--deselect={name}\n" for name in sorted(passed | failed)), encoding="utf-8")
        command = ["-u", "-m", "pytest", *options, r"@Z:\srv\out\deselected.txt", file]
        try:
            text, ended = session.python(command, limit_s=LIMIT_S).stdout, True
        except subprocess.TimeoutExpired as late:
            text, ended = (late.stdout or b"").decode("utf-8", "replace"), False
        more_passed, more_failed, more_skipped, running = read_progress(text)
        passed |= more_passed
        failed |= more_failed
        skipped += more_skipped
        if running:
            failed.add(running)
        elif not ended or not _CLOSING.search(text):
            # It could not even be read, or ended outside of a test.
            failed.add(file)
            break
        else:
            break
    return FileRun(
        file, frozenset(passed - failed), frozenset(failed), skipped, time.monotonic() - begin, text[-20000:]
    )


def run_files(session: Session, files: Sequence[str]) -> tuple[list[FileRun], Verdict]:
    """Run files of tests one after the other, each in sight; return how they ended and what differs from the
    list.

    Raises:
        WineError: the list of known failures cannot be read.
    """
    table = known()
    runs: list[FileRun] = []
    for file in files:
        run = run_file(session, file)
        runs.append(run)
        verdict = judge(run.failed, run.passed, table)
        word = "ok" if verdict.is_clean else "FAILED"
        counts = f"{len(run.passed):4} passed {len(run.failed):3} failed {run.skipped:3} skipped"
        print(f"{word:<7} {file:<48} {counts} {run.seconds:6.1f} s", flush=True)
        for test in verdict.unexpected:
            print(f"        not listed: {test}", flush=True)
        if verdict.unexpected:
            (session.out / f"{re.sub('[^a-z0-9_]+', '-', Path(file).stem)}.txt").write_text(
                run.text, encoding="utf-8"
            )
    failed = frozenset().union(*(run.failed for run in runs))
    passed = frozenset().union(*(run.passed for run in runs))
    return runs, judge(failed, passed, table)
