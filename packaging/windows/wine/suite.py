"""Test files on Wine, some in a process, compared with the list of what is known to fail there."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from debian import WineError
from known_failures import BadList, Verdict, judge, read_list
from session import Session

HERE: Final = Path(__file__).resolve().parent
# Of one file; the limit of a process is that of its files together.
LIMIT_S: Final = 1800
TEST_LIMIT_S: Final = 300
SILENCE_S: Final = 720
"""A process that prints nothing for so long is ended: under Wine one may stay although its test's time is
over. The longest limit of a test that runs here is 600 s.
"""
# Failed tests that run once more: of more than these something else is wrong than a busy machine.
MOST_AGAIN: Final = 40
# For the same files: each that ends or stays in a test costs that test, and another runs the rest.
MOST_PROCESSES: Final = 6
# Where Windows' Python finds the plugins of pytest beside this file.
PLUGINS: Final = {"PYTHONPATH": r"Z:\srv\lightloom\packaging\windows\wine\in_wine"}
# What the files came to, in the folder for results.
TABLE: Final = "tests.md"
# A test that pytest-timeout ends is followed by its banner, one that crashes by faulthandler's.
_STARTED: Final = re.compile(
    r"(tests/\S+::.*?) *(?:\++ Timeout \++|(?:Windows fatal exception|Fatal Python error): .*)?$"
)
_VERDICT: Final = re.compile(r"(?:(tests/.+?) )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.*\[ *\d+%\]")
# What pytest prints after the last test: a summary of warnings names tests alone on a line, as one that begins is.
_SUMMARY: Final = re.compile(r"^=+ (?:FAILURES|ERRORS|warnings summary|short test summary info) =+$")
# A file that could not be imported.
_UNREADABLE: Final = re.compile(r"^ERROR (tests/\S+\.py)(?: - .*)?$", re.MULTILINE)
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
        skipped: tests that were skipped.
        seconds: it took, or an equal share of the time of several files that ran in one process.
        text: the end of what pytest said in each process, about the other files in it too.
    """

    file: str
    passed: frozenset[str]
    failed: frozenset[str]
    skipped: frozenset[str]
    seconds: float
    text: str


@dataclass(frozen=True)
class Progress:
    """What `pytest -v` printed.

    Attributes:
        passed: tests that passed.
        failed: tests that failed.
        skipped: tests that were skipped.
        running: the test that ran when the process ended, '' for none.
    """

    passed: frozenset[str]
    failed: frozenset[str]
    skipped: frozenset[str]
    running: str


def read_progress(text: str) -> Progress:
    """Read what `pytest -v` printed."""
    passed, failed, skipped, running = set(), set(), set(), ""
    for line in text.splitlines():
        if _SUMMARY.match(line):
            break
        if match := _VERDICT.match(line):
            name, word = match[1] or running, match[2]
            running = ""
            if word in ("FAILED", "ERROR"):
                failed.add(name)
            elif word in ("PASSED", "XPASS"):
                passed.add(name)
            else:
                skipped.add(name)
        elif match := _STARTED.match(line):
            running = match[1]
    return Progress(frozenset(passed - failed), frozenset(failed), frozenset(skipped), running)


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


def run_together(
    session: Session, files: Sequence[str], only: Mapping[str, Sequence[str]] | None = None
) -> list[FileRun]:
    """Run files of tests in one process, since to start one takes up to a minute. A test at which the process ends
    or stays has failed, and the rest runs in another.

    Args:
        session: in which nothing runs now.
        files: paths in the checkout.
        only: for each file, the tests of it that run; None for all.
    """
    chosen = files if only is None else [test for file in files for test in only[file]]
    begin = time.monotonic()
    rest = session.out / "deselected.txt"
    passed: set[str] = set()
    failed: set[str] = set()
    skipped: set[str] = set()
    said = ""
    options = ["-v", "-p", "no:cacheprovider", "--color=no", "-o", f"timeout={TEST_LIMIT_S}"]
    options += ["--continue-on-collection-errors", "-p", "opencv_threads"]
    for _ in range(MOST_PROCESSES):
        done = sorted(passed | failed | skipped)
        rest.write_text("".join(f"--deselect={name}\n" for name in done), encoding="utf-8")
        command = ["-u", "-m", "pytest", *options, r"@Z:\srv\out\deselected.txt", *chosen]
        try:
            run = session.python(command, limit_s=LIMIT_S * len(files), silence_s=SILENCE_S, more=PLUGINS)
            text, ended = run.stdout, True
        except subprocess.TimeoutExpired as late:
            text, ended = (late.stdout or b"").decode("utf-8", "replace"), False
        said += text[-20000 * len(files) :]
        progress = read_progress(text)
        passed |= progress.passed
        failed |= progress.failed
        skipped |= progress.skipped
        if progress.running:
            failed.add(progress.running)
        elif not ended or not _CLOSING.search(text):
            # It could not even be read, or ended outside of a test.
            failed.update(_without_result(files, passed | failed | skipped) or files[-1:])
            break
        else:
            failed.update(_UNREADABLE.findall(text))
            break
    else:
        # Each process ended in a test: what follows the last of these did not run.
        failed.update(_without_result(files, passed | failed | skipped))
        failed.add(progress.running.partition("::")[0])
    share = (time.monotonic() - begin) / len(files)
    return [
        FileRun(
            file,
            _of_file(file, passed - failed),
            _of_file(file, failed),
            _of_file(file, skipped),
            share,
            said,
        )
        for file in files
    ]


def _without_result(files: Sequence[str], tests: Iterable[str]) -> set[str]:
    return set(files) - {name.partition("::")[0] for name in tests}


def _of_file(file: str, names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if name.partition("::")[0] == file)


def results_table(runs: Sequence[FileRun], table: Mapping[str, str]) -> str:
    """Return a Markdown table of what each file of tests came to, and of all together.

    Args:
        runs: how the files ended.
        table: the list of known failures.
    """
    lines = [
        "| tests | passed | failed by Wine | failed | skipped | s |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    sums = [0, 0, 0, 0]
    for run in runs:
        failed = len(judge(run.failed, run.passed, table).unexpected)
        counts = [len(run.passed), len(run.failed) - failed, failed, len(run.skipped)]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        lines.append(_row(f"`{run.file}`", counts, run.seconds))
    lines.append(_row(f"{len(runs)} files", sums, sum(run.seconds for run in runs)))
    return "\n".join(lines) + "\n"


def _row(name: str, counts: Sequence[int], seconds: float) -> str:
    return f"| {name} | {' | '.join(map(str, counts))} | {seconds:.0f} |"


def run_files(
    sessions: Sequence[Session], files: Sequence[str], together: int = 1
) -> tuple[list[FileRun], Verdict]:
    """Run files of tests, as many processes at a time as there are sessions, each in sight; return how they ended, in
    the order of `files`, and what differs from the list. TABLE in the first session's folder for results has the
    table of those that ended. Tests that failed and are not listed run once more when nothing runs beside them, unless
    they are more than MOST_AGAIN; those that pass then are named, and count as passed, as in `tasks.py test`.

    Args:
        sessions: in which nothing runs now.
        files: paths in the checkout.
        together: files for one process.

    Raises:
        WineError: the list of known failures cannot be read.
    """
    table = known()
    out = sessions[0].out
    free: SimpleQueue[Session] = SimpleQueue()
    for session in sessions:
        free.put(session)

    def run_in_free(group: Sequence[str]) -> list[FileRun]:
        session = free.get()
        try:
            return run_together(session, group)
        finally:
            free.put(session)

    groups = [files[at : at + together] for at in range(0, len(files), together)]

    ended: dict[str, FileRun] = {}
    pool = ThreadPoolExecutor(len(sessions))
    try:
        for future in as_completed([pool.submit(run_in_free, group) for group in groups]):
            ended |= {run.file: run for run in future.result()}
            in_order = [ended[file] for file in files if file in ended]
            (out / TABLE).write_text(results_table(in_order, table), encoding="utf-8")
            for run in future.result():
                report(run, table, out)
    finally:
        # After Ctrl+C too: what has not begun does not begin.
        pool.shutdown(wait=False, cancel_futures=True)
    unexpected = {file: judge(run.failed, run.passed, table).unexpected for file, run in ended.items()}
    for file in files if sum(map(len, unexpected.values())) <= MOST_AGAIN else ():
        if unexpected[file]:
            ended[file] = run_again(sessions[0], ended[file], unexpected[file])
            report(ended[file], table, out)
    runs = [ended[file] for file in files]
    (out / TABLE).write_text(results_table(runs, table), encoding="utf-8")
    failed = frozenset().union(*(run.failed for run in runs))
    passed = frozenset().union(*(run.passed for run in runs))
    return runs, judge(failed, passed, table)


def run_again(session: Session, run: FileRun, tests: Sequence[str]) -> FileRun:
    """Run tests of a file that failed in a process of their own, say which pass, and return how the file ended with
    these as passed.

    Args:
        session: in which nothing runs now.
        run: how the file ended.
        tests: failed tests of it, or the file itself if it ended without a result.
    """
    again = run_together(session, [run.file], {run.file: tests})[0]
    # A test that could not be chosen by its name has no result, and stays failed.
    settled = again.passed | again.skipped
    if settled or again.failed - {run.file}:
        settled |= {run.file}
    whole = {run.file} & settled  # where the file itself had no result
    if unsteady := sorted((again.passed | whole) & frozenset(tests)):
        print("-- UNSTEADY: failed beside other tests and passed alone:", *unsteady, sep="\n   ", flush=True)
    return replace(
        run,
        passed=run.passed | again.passed,
        failed=(run.failed - settled) | again.failed,
        skipped=run.skipped | again.skipped,
        seconds=run.seconds + again.seconds,
        text=run.text + again.text,
    )


def report(run: FileRun, table: Mapping[str, str], out: Path) -> None:
    """Print how a file ended, and write what pytest said to the folder `out` if a test failed that `table` does
    not list.
    """
    verdict = judge(run.failed, run.passed, table)
    word = "ok" if verdict.is_clean else "FAILED"
    counts = f"{len(run.passed):4} passed {len(run.failed):3} failed {len(run.skipped):3} skipped"
    print(f"{word:<7} {run.file:<48} {counts} {run.seconds:6.1f} s", flush=True)
    for test in verdict.unexpected:
        print(f"        not listed: {test}", flush=True)
    if verdict.unexpected:
        name = re.sub("[^a-z0-9_]+", "-", Path(run.file).stem)
        (out / f"{name}.txt").write_text(run.text, encoding="utf-8")
