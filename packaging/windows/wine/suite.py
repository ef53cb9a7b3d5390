"""Test files on Wine, one process each, compared with the list of what is known to fail there."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from debian import WineError
from known_failures import BadList, Verdict, judge, read_list
from session import Session

HERE: Final = Path(__file__).resolve().parent
# Files of tests; a crash of one, or a test that hangs, costs its file alone.
LIMIT_S: Final = 900
TEST_LIMIT_S: Final = 180


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


def read_report(xml: str, file: str) -> tuple[frozenset[str], frozenset[str], int]:
    """Read pytest's JUnit report of one file: tests that passed, tests that failed, and how many were skipped.

    Raises:
        ElementTree.ParseError: it is broken.
    """
    passed, failed, skipped = set(), set(), 0
    prefix = file.removesuffix(".py").replace("/", ".")
    for case in ElementTree.fromstring(xml).iter("testcase"):
        inner = case.get("classname", "").removeprefix(prefix).strip(".").split(".")
        name = "::".join([file, *filter(None, inner), case.get("name", "")])
        if case.get("name") == prefix:
            # The file itself could not be read.
            name = file
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name)
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed.add(name)
    return frozenset(passed - failed), frozenset(failed), skipped


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
    """Run one file of tests."""
    begin = time.monotonic()
    report = session.out / "tests.xml"
    report.unlink(missing_ok=True)
    options = ["-q", "-p", "no:cacheprovider", "-o", f"timeout={TEST_LIMIT_S}"]
    command = ["-m", "pytest", *options, "--junitxml", r"Z:\srv\out\tests.xml", file.split("::")[0]]
    if "::" in file:
        command[-1] = file
    try:
        text = session.python(command, limit_s=LIMIT_S).stdout
    except subprocess.TimeoutExpired as late:
        text = f"It took longer than {late.timeout:.0f} s and was ended."
    seconds = time.monotonic() - begin
    try:
        results = read_report(report.read_text(encoding="utf-8"), file.split("::")[0])
    except (OSError, ElementTree.ParseError):
        return FileRun(file, frozenset(), frozenset([file]), 0, seconds, text[-3000:])
    return FileRun(file, *results, seconds, text[-3000:])


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
