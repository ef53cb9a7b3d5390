"""`--on`: run `process` or `analyze` on several processes or machines, as driver or worker.

A worker runs the same command line with `--piece FILE` in front, whose JSON replaces input, output and range.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.errors import LightloomError, StoppedError, UsageError
from desktop.base.files import home_expanded, read_regular
from desktop.base.output_names import NamedFile
from desktop.base.version import version
from desktop.base.wording import counted, listed
from desktop.cli._options import count
from desktop.media.sources.base import Source
from desktop.outputs.span import TimeSpan
from desktop.spread.cutting import PIECE_S, Cut, cut
from desktop.spread.driver import Driver, Tally
from desktop.spread.executors import executor_kind, executor_names
from desktop.spread.plan import Clip, FileMark, Piece, Plan
from desktop.spread.run_journal import RunJournal
from desktop.vision.models.builtin import builtin_models

_MOST_PIECE_BYTES: Final = 1 << 20
_SHORTEST_S, _LONGEST_S = 0.1, 86_400.0


def add_spread_options(parser: argparse.ArgumentParser) -> None:
    """Add --on, --workers, --piece-seconds and the options of a worker."""
    parser.add_argument(
        "--on",
        metavar="WHERE",
        help=f"have many workers do it, each on a GPU of its own ({', '.join(executor_names())}): processes:4, ray, ray:auto or "
        "ray://HOST:10001. A run that was ended goes on when it is begun again",
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=count,
        default=0,
        help="with --on: how many workers (default: one for each GPU of the cluster)",
    )
    parser.add_argument(
        "--piece-seconds",
        metavar="S",
        type=_length,
        default=PIECE_S,
        help=f"with --on: cut videos at key frames into pieces of at least so many seconds (default: {PIECE_S:g})",
    )
    parser.add_argument("--piece", type=Path, help=argparse.SUPPRESS)


def _length(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not _SHORTEST_S <= value <= _LONGEST_S:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds from {_SHORTEST_S:g} to {_LONGEST_S:g}"
        )
    return value


# -- a worker ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GivenPiece:
    """A piece assigned to a worker.

    Attributes:
        input, output: path on this machine, and of the result.
        span: the part of the input, None for all of it.
        origin: time at which its timestamps start.
    """

    input: str
    output: str
    span: TimeSpan | None
    origin: float
    adapter: str


def given_piece(options: argparse.Namespace) -> GivenPiece | None:
    """Set a worker's input, output and adapter, and return its piece; None for other commands.

    Raises UsageError if the piece's file is invalid, or for worker options without --on.
    """
    if options.piece is None:
        _refuse_without_on(options)
        return None
    try:
        about: dict[str, Any] = json.loads(read_regular(options.piece, _MOST_PIECE_BYTES))
        span = TimeSpan.parse(about["span"]) if about["span"] else None
        source, output, adapter = (str(about[name]) for name in ("input", "output", "adapter"))
        piece = GivenPiece(source, output, span, float(about["origin"]), adapter)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UsageError(f"--piece is for the workers of --on, and {options.piece} is no piece.") from error
    options.input, options.output = [piece.input], piece.output
    options.adapter = options.adapter or piece.adapter
    if span is not None and "audio" in options:
        options.audio = "none"  # the audio is added when the pieces are joined
    return piece


def _refuse_without_on(options: argparse.Namespace) -> None:
    if options.on is None:
        for name, is_given in (
            ("workers", options.workers != 0),
            ("piece-seconds", options.piece_seconds != PIECE_S),
        ):
            if is_given:
                raise UsageError(f"--{name} is for the workers of --on; say with it where they are.")


# -- the driver ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inputs:
    """Inputs of a run.

    Attributes:
        targets: output of each clip; () for a common result.
        why_not: a reason not to split them, '' for none.
        needed: further files that workers must be able to read.
        suffix: file extension of a piece without targets.
        opened: configures a source before it is read.
    """

    names: Sequence[str]
    targets: Sequence[Path]
    wanted: TimeSpan
    why_not: str
    needed: Iterable[NamedFile]
    suffix: str
    opened: Callable[[Source], Source]


def refuse(options: argparse.Namespace, **given: object) -> None:
    """Raise UsageError for an option, from `given` (name: was given), that cannot be combined with --on."""
    for name, value in given.items():
        if value:
            raise UsageError(f"--{name.replace('_', '-')} does not go with --on; leave one of them out.")


def make_plan(
    options: argparse.Namespace, inputs: Inputs, folder: Path, skipped: Sequence[str]
) -> tuple[Plan, int]:
    """Inspect and split all inputs; return the plan and the number of inputs skipped, which are reported, as are
    those that were `skipped` before.
    """
    clips: list[Clip] = []
    for text in skipped:
        console.fail(text)
    left_out, pieces = len(skipped), 0
    whole: dict[str, list[str]] = {}
    for place, name in enumerate(inputs.names):
        options.interrupt.check()
        try:
            found = cut(name, inputs.wanted, options.piece_seconds, inputs.why_not, inputs.opened)
            path = home_expanded(name).absolute()
            mark = FileMark.of(path) if found.is_file else None
        except UsageError:
            raise
        except LightloomError as error:
            left_out += 1
            console.fail(error)
            continue
        target = str(inputs.targets[place].absolute()) if inputs.targets else ""
        clips.append(_clip(len(clips), pieces, name, path, target, mark, found))
        pieces += len(clips[-1].pieces)
        if found.unsplit_reason and found.unsplit_reason != "it is a single image":
            whole.setdefault(str(found.unsplit_reason), []).append(Path(name).name)
    for why, names in whole.items():
        console.err(f"Left whole ({why}): {listed(names)}")
    if not clips:
        raise LightloomError("There is no input that can be worked on.")
    needed = tuple(dict.fromkeys(_marks(inputs.needed)))
    plan = Plan(options.argv, tuple(clips), needed, str(folder.absolute()), inputs.suffix, version())
    return plan, left_out


def _clip(
    number: int,
    first: int,
    name: str,
    path: Path,
    target: str,
    mark: FileMark | None,
    found: Cut,
) -> Clip:
    # A single piece is the whole input, which the unmodified command makes.
    texts = [span.text for span in found.spans] if len(found.spans) > 1 else [""]
    pieces = tuple(Piece(first + i, number, text, found.origin) for i, text in enumerate(texts))
    why = str(found.unsplit_reason)
    return Clip(number, name, str(path), target, mark, pieces, why, found.begins)


def _marks(files: Iterable[NamedFile]) -> Iterator[FileMark]:
    own = {Path(model.path).absolute() for model in builtin_models().values()}
    for file in files:
        path = home_expanded(file.path).absolute()
        if path.is_file() and path not in own:
            yield FileMark.of(path)


def same_command(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments without those that may change on resuming: location and number of workers."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--on")
    parser.add_argument("--workers")
    return tuple(parser.parse_known_args(list(argv))[1])


class Bar:
    """The progress line of all workers together."""

    def __init__(self, plan: Plan, run_journal: RunJournal) -> None:
        self._pieces, self._run_journal = len(plan.pieces), run_journal
        self._clips = {clip.number: len(clip.pieces) for clip in plan.clips}
        self._shown = console.shows_progress()
        self._drawn = 0.0

    @property
    def done(self) -> int:
        """The number of finished pieces."""
        return len(self._run_journal.pieces) + sum(self._clips[clip] for clip in self._run_journal.outputs)

    def update(self, share: float, pictures: int) -> None:
        """Redraw it, several times a second."""
        now = time.monotonic()
        if not self._shown or now - self._drawn < 0.2:
            return
        self._drawn = now
        bar = "#" * round(share * 30)
        text = f"[{bar:<30}] {share:4.0%}  {counted(pictures, 'frame')}, {self.done} of {counted(self._pieces, 'piece')}"
        console.progress(text)

    def wipe(self) -> None:
        """Clear the line."""
        if self._shown:
            console.progress("")


class _Run:
    """Reports on a plan while workers run, and when it ends early."""

    def __init__(self, options: argparse.Namespace, plan: Plan, run_journal: RunJournal) -> None:
        self._interrupt, self._plan, self._run_journal = options.interrupt, plan, run_journal
        self._bar = Bar(plan, run_journal)
        self._interrupt.last_words = self._stopped

    @property
    def has_begun(self) -> bool:
        """Whether there is finished work worth keeping."""
        return self._bar.done > 0

    def note(self, text: str) -> None:
        """Print a line above the progress line."""
        self._bar.wipe()
        console.fail(text)

    def on_progress(self, share: float, pictures: int) -> None:
        """See `Driver`."""
        self._bar.update(share, pictures)
        self._interrupt.check()

    @contextmanager
    def annotated_errors(self) -> Iterator[None]:
        """Clear the progress line on exit, and add the progress to a StoppedError or LightloomError."""
        try:
            yield
            self._bar.wipe()
        except (KeyboardInterrupt, StoppedError):
            self._interrupt.acknowledge()
            self._bar.wipe()
            raise StoppedError(self._stopped()) from None
        except LightloomError as error:
            self._bar.wipe()
            if not (said := self._progress_note()):
                raise
            raise type(error)(f"{error}{said}") from error

    def _stopped(self) -> str:
        return f"Stopped.{self._progress_note()}"

    def _progress_note(self) -> str:
        if (
            not self.has_begun or not self._run_journal.folder.is_dir()
        ):  # which may have been deleted meanwhile
            return ""
        return f" Of {len(self._plan.pieces)} pieces {self._bar.done} are done; the same command goes on."


def run_plan(
    options: argparse.Namespace,
    plan: Plan,
    finish: Callable[[Clip, list[Path], RunJournal], None],
    conclude: Callable[[RunJournal, Tally], None] = lambda *_: None,
) -> Tally:
    """Have workers complete a plan; `finish` joins a clip's pieces, `conclude` makes the results at the end.

    Finished pieces are kept on StoppedError (Ctrl+C), and on LightloomError: no workers, or results cannot be
    joined.
    """
    kind = executor_kind(options.on)
    run_journal = RunJournal.open(Path(plan.folder), plan.identity(same_command(options.argv)))
    run = _Run(options, plan, run_journal)
    whole = False
    try:
        driver = Driver(
            *(plan, run_journal, lambda: kind.open(options.on, options.workers), Path.cwd()),
            lambda clip, paths: finish(clip, paths, run_journal),
            run.on_progress,
            run.note,
        )
        with run.annotated_errors():
            tally = driver.run()
        with run.annotated_errors():
            conclude(run_journal, tally)
        whole = not tally.failed
        return tally
    finally:
        run_journal.close(delete=whole or not run.has_begun)


def print_tally(tally: Tally, plan: Plan) -> None:
    """Print the totals of a run, and that pieces are incomplete, also where an earlier run reported why."""
    parts = [f"{counted(len(plan.clips), 'clip')} in {counted(len(plan.pieces), 'piece')}"]
    if tally.found:
        parts.append(f"{tally.found} were done before")
    if tally.again:
        parts.append(f"{tally.again} given once more")
    if tally.made:
        share = tally.starting / max(tally.working, 1e-6)
        parts.append(f"{tally.working:.1f} s of work, {share:.0%} of it starting")
    if tally.sent or tally.returned:
        parts.append(f"{tally.sent / 1e6:.1f} MB sent and {tally.returned / 1e6:.1f} MB returned")
    console.err("; ".join(parts) + ".")
    if tally.incomplete_pieces:
        pieces, verb = (
            counted(tally.incomplete_pieces, "piece"),
            "is" if tally.incomplete_pieces == 1 else "are",
        )
        console.fail(
            f"{pieces} {verb} incomplete: parts of an input or of a layer could not be read, as reported when processed."
        )
