"""Queue of the window's exports, with their progress, stored so that the next start resumes it.

    <folder>/queue.json          the entries in their order
    <folder>/promised.json       the entries that continue automatically at the next start
    <folder>/<id>/preset.toml    chain, network and scene of one, with its files
    <folder>/<id>/progress.jsonl progress reports of its process (cli/_steering.py)

Other unfinished exports become 'interrupted', and restart from their beginning on the user's request.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any, Final, Literal, get_args

from desktop.base.errors import ExportError, UsageError
from desktop.base.files import is_part_of, move_over, read_regular, reason, replace_file
from desktop.base.lock import take_lock
from desktop.base.printable import printable
from desktop.base.wording import packed, sentence, unpacked
from desktop.media.stabilization.path import LEAST_SECONDS, MOST_SECONDS
from desktop.outputs.encoding import Encoding
from desktop.outputs.span import TimeSpan
from desktop.pipeline.running.interpolation.spec import MOST_SLOW_MOTION

log = logging.getLogger(__name__)

State = Literal["waiting", "running", "paused", "interrupted", "done", "failed", "canceled"]
ENDED: Final = ("done", "failed", "canceled", "interrupted")
_MOST_BYTES: Final = 4 << 20
_FOLDERS: Final = 16
_PROMISE: Final = "promised.json"


@dataclass(frozen=True)
class TimeChanges:
    """Changes of an export that concern several frames, as the options of `process`.

    Attributes:
        stabilize: of --stabilize, 0.0 for not at all.
        slow_motion: of --slow-motion, 1 for the normal speed.
        network: of --interpolate, '' for none.
    """

    stabilize: float = 0.0
    slow_motion: int = 1
    network: str = ""

    def options(self) -> list[str]:
        """Return the options."""
        found = [f"--stabilize={self.stabilize:g}"] if self.stabilize else []
        if self.slow_motion > 1:
            found.append(f"--slow-motion={self.slow_motion}")
            found += [f"--interpolate={self.network}"] if self.network else []
        return found


@dataclass(frozen=True)
class ExportJob:
    """Description of an export's result.

    Attributes:
        id: the name of its folder.
        source: as for `open_source`.
        target: file to write; an image's name with %05d is a series.
        overlay: draw the network's results.
        subtitles, decoding, audio_track: as for `process --subtitles`, `--decode` and `--audio-track`.
    """

    id: str
    source: str
    target: Path
    encoding: Encoding
    span: TimeSpan
    overlay: bool
    adapter: str
    subtitles: str = ""
    decoding: str = "auto"
    audio_track: str = ""
    changes: TimeChanges = TimeChanges()

    def command(self, folder: Path) -> list[str]:
        """Return the arguments of the program that makes it; `folder` is its own."""
        wanted = self.encoding
        found = ["process", f"--output={self.target}", f"--look={folder / 'preset.toml'}"]
        found += [f"--range={self.span.text}", f"--steer={folder}", f"--adapter={self.adapter}"]
        found += [f"--decode={self.decoding}"]
        if wanted != Encoding():
            found += [f"--size={wanted.size[0] or ''}x{wanted.size[1] or ''}"] if any(wanted.size) else []
            found += [f"--codec={wanted.codec}"] if wanted.codec else []
            found += [f"--crf={wanted.crf}"] if wanted.crf is not None else []
            found += [f"--fps={wanted.fps}", f"--audio={wanted.sound}"]
            found += ["--hardware"] if wanted.hardware else []
            found += ["--alpha"] if wanted.alpha else []
            found += [f"--bits={wanted.bits}"] if wanted.bits else []
            found += [f"--hdr={wanted.hdr}"] if wanted.hdr != "tonemap" else []
        found += [f"--subtitles={self.subtitles}"] if self.subtitles else []
        found += [f"--audio-track={self.audio_track}"] if self.audio_track else []
        found += self.changes.options()
        return [*found, *(["--overlay"] if self.overlay else []), "--", self.source]


@dataclass(frozen=True)
class Export:
    """An entry of the queue.

    Attributes:
        done, total: frames; 0 if unknown.
        seconds: time worked so far, without pauses.
        text: a description of the result, or the reason of a failure.
        part: the unfinished file, '' for none.
    """

    job: ExportJob
    state: State = "waiting"
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    text: str = ""
    part: str = ""

    @property
    def share(self) -> float:
        """Progress, 0 to 1."""
        if self.state == "done":
            return 1.0
        return min(self.done / self.total, 1.0) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return how long it will still take; None if unknown."""
        if not (self.done and self.total and self.seconds > 1.0):
            return None
        return max(self.total - self.done, 0) * self.seconds / self.done

    @property
    def bytes_in_all(self) -> int:
        """Return the predicted size of the file, 0 if unknown."""
        if self.share < 0.05 or not self.part:
            return 0
        with contextlib.suppress(OSError):
            return round(Path(self.part).stat().st_size / self.share)
        return 0


class ExportQueue:
    """The entries. For one thread; `on_change` is called after each change, `on_problem` with a sentence once the list
    cannot be kept. `notes` are sentences on what could not be read.
    """

    def __init__(self, root: Path) -> None:
        """Load the first queue that no other window has locked; ExportError if no folder is writable."""
        self.on_change: Callable[[], None] = lambda: None
        self.on_problem: Callable[[str], None] = lambda _: None
        self.notes: list[str] = []
        self._is_unsaved = False
        self._hindrance: OSError | None = None
        self._lock: IO[bytes] | None = None
        self.folder = root
        for number in range(_FOLDERS):
            self.folder = root / (f"queue-{number}" if number else "queue")
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._lock = (self.folder / "lock").open("ab")
                if take_lock(self._lock):
                    break
                self._lock.close()
            except OSError as error:
                raise ExportError(
                    sentence(
                        "The list of exports cannot be kept in {folder}: {reason}; give the folder to your "
                        "user.",
                        folder=self.folder,
                        reason=reason(error),
                    )
                ) from error
        self.exports: tuple[Export, ...] = tuple(self._read())

    # -- the file --------------------------------------------------------------------------------------------

    def _read(self) -> Iterator[Export]:
        file = self.folder / "queue.json"
        try:
            document = json.loads(read_regular(file, _MOST_BYTES))
            entries = document["exports"]
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("the list of exports %s cannot be read: %s", file, error)
            self._report_damage(file, reason(error))
            return
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            log.warning("the list of exports %s is damaged: %s", file, error)
            self._report_damage(file)
            return
        names: set[str] = set()
        damaged = not isinstance(entries, list)
        for entry in entries if isinstance(entries, list) else ():
            try:
                export = _of_json(entry)
                if export.job.id in names:
                    raise ValueError("a name twice")
                names.add(export.job.id)
                yield export
            except (ValueError, LookupError, TypeError, OverflowError, UsageError) as error:
                log.warning("an export in %s is damaged: %s", file, error)
                damaged = True
        if damaged:
            self._report_damage(file)

    def _report_damage(self, file: Path, unreadable: str = "") -> None:
        """Note what is lost, and keep the file under another name: the next change replaces it."""
        kept = file.with_name("queue.json.broken")
        try:
            if unreadable:
                move_over(file, kept)
            else:
                shutil.copyfile(file, kept)
        except OSError as error:
            log.warning("%s is not kept: %s", file, error)
            # The list of this run is not written over it.
            self._hindrance = error
        if unreadable:
            self.notes.append(
                sentence(
                    "The list of exports cannot be read ({reason}), so that exports of earlier starts are missing; add them "
                    "again. The file is {kept}.",
                    reason=unreadable,
                    kept=file if self._hindrance else kept,
                )
            )
            return
        if self._hindrance:
            self.notes.append(
                sentence(
                    "The list of exports is damaged or was written by a newer version, so that some exports are missing; "
                    "add them again."
                )
            )
            return
        self.notes.append(
            sentence(
                "The list of exports is damaged or was written by a newer version, so that some exports are missing; add "
                "them again. A copy of the list is {kept}.",
                kept=kept,
            )
        )

    def _set(self, exports: tuple[Export, ...]) -> None:
        self.exports = exports
        document = {"exports": [_json(export) for export in exports]}
        try:
            if self._hindrance is not None:
                raise self._hindrance
            replace_file(self.folder / "queue.json", [json.dumps(document, indent=1).encode()])
        except OSError as error:
            log.warning("the list of exports cannot be kept: %s", error)
            if not self._is_unsaved:
                self.on_problem(
                    sentence(
                        "The list of exports cannot be saved in {folder}: {reason}. Exports continue, but those that are "
                        "not done when Lightloom closes are lost; free disk space, or make the folder writable.",
                        folder=self.folder,
                        reason=reason(error),
                    )
                )
            self._is_unsaved = True
        else:
            self._is_unsaved = False
        self.on_change()

    # -- the entries -----------------------------------------------------------------------------------------

    def get(self, name: str) -> Export | None:
        """Return an entry by its job's id."""
        return next((each for each in self.exports if each.job.id == name), None)

    def folder_of(self, name: str) -> Path:
        """Return an entry's own folder."""
        return self.folder / name

    def new_id(self) -> str:
        """Make a folder for a new entry, and return its name; ExportError if it cannot be made."""
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 10**9:09d}"
        try:
            self.folder_of(name).mkdir(parents=True)
        except OSError as error:
            raise ExportError(
                sentence(
                    "The list of exports cannot be kept in {folder}: {reason}; give the folder to your user.",
                    folder=self.folder,
                    reason=reason(error),
                )
            ) from error
        return name

    def add(self, job: ExportJob) -> None:
        """Put a job last."""
        self._set((*self.exports, Export(job)))

    def change(self, name: str, **fields: Any) -> None:
        """Replace fields of an entry; progress alone is not written to disk."""
        changed = tuple(replace(each, **fields) if each.job.id == name else each for each in self.exports)
        if set(fields) <= {"done", "total", "seconds"}:
            self.exports = changed
            self.on_change()
        else:
            self._set(changed)

    def move(self, name: str, by: int) -> None:
        """Put an entry earlier or later."""
        order = list(self.exports)
        place = next((n for n, each in enumerate(order) if each.job.id == name), None)
        if place is not None:
            entry = order.pop(place)
            order.insert(min(max(place + by, 0), len(order)), entry)
            self._set(tuple(order))

    def remove(self, name: str) -> None:
        """Forget an entry that is not under way; what it has made stays."""
        entry = self.get(name)
        if entry is None or entry.state in ("running", "paused"):
            return
        shutil.rmtree(self.folder_of(name), ignore_errors=True)
        self._set(tuple(each for each in self.exports if each is not entry))

    def again(self, name: str) -> None:
        """Make an entry that ended once more, from its beginning."""
        entry = self.get(name)
        if entry is not None and entry.state in ENDED:
            self.change(name, state="waiting", done=0, seconds=0.0, text="")

    def next(self) -> Export | None:
        """Return the first that waits."""
        return next((each for each in self.exports if each.state == "waiting"), None)

    # -- over the end of the program -------------------------------------------------------------------------

    def promise(self) -> None:
        """Mark unfinished exports to be resumed at the next start, as the user chose; raise ExportError if that cannot
        be stored.
        """
        names = [each.job.id for each in self.exports if each.state not in ENDED]
        try:
            replace_file(self.folder / _PROMISE, [json.dumps(names).encode()])
        except OSError as error:
            raise ExportError(
                sentence(
                    "Lightloom cannot note in {folder} that the exports go on at the next start ({reason}); free disk "
                    "space, or close it again and continue them in the panel Exports after the next start.",
                    folder=self.folder,
                    reason=reason(error),
                )
            ) from error

    def resume_promised(self) -> int:
        """Let those go on that were promised to; return how many."""
        file = self.folder / _PROMISE
        try:
            names = json.loads(read_regular(file, _MOST_BYTES))
            file.unlink()
        except (OSError, ValueError, RecursionError):
            return 0
        wanted = names if isinstance(names, list) else []
        promised = [each for each in self.exports if each.state == "interrupted" and each.job.id in wanted]
        for each in promised:
            self.again(each.job.id)
        return len(promised)

    def close(self) -> None:
        """Let another window have the folder."""
        if self._lock is not None:
            self._lock.close()


def _json(export: Export) -> dict[str, Any]:
    job = export.job
    return {
        "id": job.id,
        "source": job.source,
        "target": str(job.target),
        "encoding": job.encoding.json(),
        "range": job.span.text,
        "overlay": job.overlay,
        "adapter": job.adapter,
        "subtitles": job.subtitles,
        "decoding": job.decoding,
        "audio_track": job.audio_track,
        **({"changes": asdict(job.changes)} if job.changes != TimeChanges() else {}),
        "state": export.state,
        "text": packed(export.text),
        "part": export.part,
    }


def _of_json(entry: dict[str, Any]) -> Export:
    name, source, target, part = (entry[key] for key in ("id", "source", "target", "part"))
    if not all(isinstance(text, str) for text in (name, source, target, part, entry["adapter"])):
        raise ValueError("not a text")
    if not name or Path(name).name != name or name.startswith("."):
        raise ValueError("not a name")
    state = entry["state"]
    if state not in get_args(State):
        raise ValueError("not a state")
    job = ExportJob(
        name,
        source,
        Path(target),
        Encoding.of_json(entry["encoding"]),
        TimeSpan.parse(str(entry["range"])),
        entry["overlay"] is True,
        entry["adapter"],
        str(entry.get("subtitles", "")),
        str(entry.get("decoding", "auto")),
        str(entry.get("audio_track", "")),
        _changes_of(entry.get("changes", {})),
    )
    # Nothing begins by itself at a start: the machine may be wanted for something else.
    not_done = state in ("running", "paused", "waiting")
    own = part if is_part_of(part, job.target) else ""
    return Export(job, "interrupted" if not_done else state, text=shown_text(entry["text"]), part=own)


def _changes_of(value: Any) -> TimeChanges:
    changes = TimeChanges(
        float(value.get("stabilize", 0.0)), int(value.get("slow_motion", 1)), str(value.get("network", ""))
    )
    # Others would end as wrong usage when the export begins.
    if not (changes.stabilize == 0.0 or LEAST_SECONDS <= changes.stabilize <= MOST_SECONDS):
        raise ValueError("not a strength")
    if not 1 <= changes.slow_motion <= MOST_SLOW_MOTION:
        raise ValueError("not a factor")
    return changes


def shown_text(value: Any) -> str:
    """Return a stored or received text as a printable line; ValueError if it is not a text."""
    text = unpacked(value)
    safe = printable(text)
    return text if safe == text else safe
