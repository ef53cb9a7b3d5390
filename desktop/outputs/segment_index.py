"""The segments of a recording in `NAME.segments.jsonl` beside them: which were begun, completed and deleted.

Only files listed there are ever completed after a crash or deleted. A line is an object: `begun` with a file's name
and `start`; `file` with `start`, `seconds`, `frames` and `bytes`; `deleted` with a name.
"""

from __future__ import annotations

import contextlib
import glob
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ExportError, not_written
from desktop.base.files import is_part_of, reason, replace_file
from desktop.base.journal import InUseError, JournalFile, Tail, recover
from desktop.base.wording import sentence
from desktop.outputs.encoding import VIDEO_SUFFIXES
from desktop.outputs.video_file import Playable, pictures_in, playable_part

_LONGEST_S: Final = 10 * 366 * 86400.0
_LAST_YEAR: Final = 9000  # of a line; a segment's end must be a date, too
_MOST_STALE: Final = 1000
"""Number of lines of deleted segments at which the file is written anew at the next start."""


@dataclass(frozen=True)
class Segment:
    """A complete segment: its path, when it began (UTC), its length in seconds, its frames and bytes."""

    path: Path
    start: datetime
    seconds: float
    frames: int
    size: int

    @property
    def end(self) -> datetime:
        """When its last frame was recorded."""
        return self.start + timedelta(seconds=self.seconds)

    def json(self) -> dict[str, Any]:
        """Return its line of the index."""
        return {
            "file": self.path.name,
            "start": self.start.isoformat(timespec="milliseconds"),
            "seconds": round(self.seconds, 3),
            "frames": self.frames,
            "bytes": self.size,
        }


class SegmentIndex:
    """The index of the recording `target`, such as `door.mp4` with segments `door-20261129T091500Z.mp4`.

    `recovered` are segments that an earlier, killed run had begun, completed as far as they are playable; `damage` is
    a sentence on lines that could not be read, '' if there were none. Not thread-safe.
    """

    def __init__(self, target: Path) -> None:
        """Open or create it, and complete what a killed run left. Raises ExportError if it cannot be written, or
        another program records there.
        """
        self.path = target.with_name(f"{target.stem}.segments.jsonl")
        self._target = target
        self._name = re.compile(
            # Of any kind of video: a recording whose format was changed keeps its older segments.
            rf"{re.escape(target.stem)}-(\d{{8}}T\d{{6}}Z|\d{{4,9}})(-\d{{1,6}})?(?i:{_any_of(VIDEO_SUFFIXES)})"
        )
        self._segments: dict[str, Segment] = {}
        self._begun: dict[str, datetime] = {}
        self._deleted = 0
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._file = JournalFile(self.path, create=True, follows_link=False)
        except InUseError as error:
            raise ExportError(
                sentence(
                    "Another program records to {path} at the moment; stop it, or choose another name.",
                    path=target,
                )
            ) from error
        except (OSError, ValueError) as error:
            if self.path.is_symlink():
                # Another file would be cut and written to, one that perhaps only this program may write.
                raise ExportError(
                    sentence(
                        "The index {path} of the segments is a symbolic link, which is not followed; delete the "
                        "link, or choose another name.",
                        path=self.path,
                    )
                ) from error
            raise not_written(self.path, reason(error)) from error
        try:
            self._read()
            self.recovered = tuple(self._recover())
        except (OSError, ValueError) as error:
            self._file.close()
            raise not_written(self.path, reason(error)) from error

    def _read(self) -> None:
        found = recover(self.path, self._take, skip_malformed=True)
        self.damage: str = ""
        if found.tail >= Tail.MALFORMED:
            self.damage = sentence(
                "The segment index {path} was damaged and no longer lists all segments. Segments that are not listed "
                "are not deleted automatically; delete them by hand.",
                path=self.path,
            )
        if found.tail is Tail.DAMAGED or self._deleted > _MOST_STALE:
            self._rewrite()
        else:
            self._file.cut(found.end)

    def _take(self, line: Any) -> None:
        if "begun" in line:
            self._begun[self._checked(line["begun"])] = _time(line["start"])
        elif "deleted" in line:
            self._segments.pop(self._checked(line["deleted"]), None)
            self._deleted += 1
        else:
            name = self._checked(line["file"])
            seconds, frames, size = float(line["seconds"]), int(line["frames"]), int(line["bytes"])
            if not 0 <= seconds <= _LONGEST_S or frames < 0 or size < 0:
                raise ValueError
            self._begun.pop(name, None)
            self._segments[name] = Segment(
                self._target.with_name(name), _time(line["start"]), seconds, frames, size
            )

    def _checked(self, name: str) -> str:
        if self._name.fullmatch(name) is None:
            raise ValueError
        return name

    def _rewrite(self) -> None:
        lines = [each.json() for each in self._segments.values()]
        lines += [{"begun": name, "start": start.isoformat()} for name, start in self._begun.items()]
        self._file.close()
        replace_file(self.path, [_line(each) for each in lines])
        self._file = JournalFile(self.path, follows_link=False)
        self._file.cut(self.path.stat().st_size)

    def _recover(self) -> Iterator[Segment]:
        for name, start in tuple(self._begun.items()):
            final = self._target.with_name(name)
            for part in final.parent.glob(f"{glob.escape(final.stem)}.part*"):
                if not is_part_of(str(part), final):
                    continue
                if final.exists() or not pictures_in(part):
                    part.unlink()
                else:
                    part.rename(final)
            found = playable_part(final) if final.exists() else Playable()
            if found.frames:
                # By the frames: the file is cut to what is playable, which makes its time of change that of now.
                seconds = min(found.seconds, _LONGEST_S)
                yield self.complete(Segment(final, start, seconds, found.frames, final.stat().st_size))
            else:
                self._append({"deleted": name})
                del self._begun[name]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Return the complete segments, in the order in which they were completed."""
        return tuple(self._segments.values())

    def free_path(self, label: str) -> Path:
        """Return the path of a segment with a label (its start, or a number), which no file has."""
        number = 1
        while True:
            extra = "" if number == 1 else f"-{number}"
            path = self._target.with_name(f"{self._target.stem}-{label}{extra}{self._target.suffix}")
            if not path.exists() and path.name not in self._begun and path.name not in self._segments:
                return path
            number += 1

    def begin(self, path: Path, start: datetime) -> None:
        """Note that a segment is being written; raise ExportError if that is impossible."""
        self._append({"begun": self._checked(path.name), "start": start.isoformat(timespec="milliseconds")})
        self._begun[path.name] = start

    def complete(self, segment: Segment) -> Segment:
        """Note that a segment is complete; raise ExportError if that is impossible."""
        self._append(segment.json())
        self._begun.pop(segment.path.name, None)
        self._segments[segment.path.name] = segment
        return segment

    def delete(self, segments: Iterable[Segment]) -> None:
        """Delete segments; raise ExportError, after the others, for one that cannot be deleted."""
        failed: tuple[Path, OSError] | None = None
        for segment in segments:
            try:
                segment.path.unlink(missing_ok=True)
            except OSError as error:
                failed = failed or (segment.path, error)
                continue
            self._append({"deleted": segment.path.name})
            self._segments.pop(segment.path.name, None)
        if failed is not None:
            path, cause = failed
            raise ExportError(
                sentence(
                    "The old segment {path} cannot be deleted: {reason}; check the permissions of its folder.",
                    path=path,
                    reason=reason(cause),
                )
            ) from cause

    def _append(self, line: dict[str, Any]) -> None:
        try:
            self._file.append(_line(line))
        except OSError as error:
            raise not_written(self.path, reason(error)) from error

    def close(self) -> None:
        """Close the file, which stays; another program may record there then."""
        with contextlib.suppress(OSError):
            self._file.close()


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.year > _LAST_YEAR:
        raise ValueError
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _any_of(suffixes: Iterable[str]) -> str:
    return "|".join(map(re.escape, suffixes))
