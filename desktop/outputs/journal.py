"""Journal of a run over many images: the results of each, written to disk at once as lines of JSON.

A stopped run resumes after the last complete line. All result formats are written from the journal at the
end. Shapes are stored in fractions at full precision, so that tracking can be replayed.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from desktop.base.errors import ExportError, UsageError
from desktop.base.files import exists, open_regular, reason
from desktop.base.journal import InUseError, JournalFile, Tail, begins_with, first_entry, recover
from desktop.base.wording import sentence
from desktop.outputs.run_lengths import run_lengths, tight
from desktop.outputs.run_settings import differences
from desktop.vision.tasks.shapes import Box, Label, Line, Mask, Place, Points, Polygon, Shape
from desktop.vision.tracking.scene import TrackedResult

Size = tuple[int, int]
_VERSION: Final = 1
# How an image's line begins; the number of its input follows.
_PICTURE: Final = b'{"picture": {"number": '
# How a journal begins.
_RUN: Final = b'{"run": {'


@dataclass(frozen=True)
class SavedMask(Shape):
    """A `Mask` as run lengths instead of a texture, with bounds in fractions of the image.

    Attributes:
        size: (width, height) of the image in pixels.
        counts: run lengths of pixels outside and inside in turn, column by column from the left, as in COCO.
        is_class: it covers all pixels of a class instead of one object, so it cannot be tracked.
    """

    label: str
    index: int
    left: float
    top: float
    right: float
    bottom: float
    size: Size
    counts: tuple[int, ...]
    score: float | None = None
    identity: int | None = None
    thing: int | None = None
    is_class: bool = False

    def moved(self, place: Place) -> Self:
        (x0, y0), (x1, y1) = place(self.left, self.top), place(self.right, self.bottom)
        return replace(self, left=x0, top=y0, right=x1, bottom=y1)


_SHAPES: Final = {each.__name__: each for each in (Box, Label, Line, Points, Polygon, SavedMask)}


@dataclass(frozen=True)
class PictureRecord:
    """Results of an image.

    Attributes:
        input: the input as the user named it.
        file: the image's own file, if the input is a folder; else the input.
        frame: its number in the input, from 1.
        pts: its time in the input, in seconds.
        size: (width, height) in pixels.
        shapes: shapes of the result, in fractions of the image; with identities if tracked.
        still: its file is a single image.
        result, zones, events: from `Result.json`, `Counts.json` (counts up to it) and `Occurrence.json`.
    """

    input: str
    file: str
    frame: int
    pts: float
    size: Size
    shapes: tuple[Shape, ...]
    result: Mapping[str, Any] = field(default_factory=dict)
    still: bool = False
    zones: tuple[Mapping[str, Any], ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, tracked_result: TrackedResult, name: str, file: str, frame: int, *, still: bool) -> Self:
        """Return the record of a tracked result; masks are read back from the GPU."""
        # The mask of a class has its name in the legend.
        names = {shape.index: shape.label for shape in tracked_result.shapes if isinstance(shape, Label)}
        shapes = tuple(
            kept for shape in tracked_result.shapes if (kept := _stored_shape(shape, names)) is not None
        )
        zones = tuple(each.json() for each in tracked_result.counts)
        events = tuple(each.json() for each in tracked_result.occurrences)
        result = tracked_result.result.json()
        return cls(
            name, file, frame, tracked_result.pts, tracked_result.size, shapes, result, still, zones, events
        )


def _stored_shape(shape: Shape, names: Mapping[int, str]) -> Shape | None:
    if not isinstance(shape, Mask):
        return shape
    inside = shape.read()
    if inside is None or not inside.any():
        return None
    part = tight(inside > 0) if shape.is_class else (shape.left, shape.top, shape.right, shape.bottom)
    return SavedMask(
        shape.label or names.get(shape.index, ""),
        shape.index,
        *part,
        size=(inside.shape[1], inside.shape[0]),
        counts=run_lengths(inside > 0),
        score=shape.score,
        identity=shape.identity,
        thing=shape.thing,
        is_class=shape.is_class,
    )


@dataclass
class InputState:
    """Progress of an input: number of images analyzed, and whether that was all."""

    pictures: int = 0
    ended: bool = False


class Journal:
    """A run's journal: `inputs` has the progress of each input, by its number. Not thread-safe."""

    def __init__(self, path: Path, file: JournalFile | None, inputs: dict[int, InputState]) -> None:
        self.path = path
        self.inputs = inputs
        self._file = file

    @classmethod
    def begin(cls, path: Path, run: Mapping[str, Any]) -> Self:
        """Begin a journal for `run`, a description; only an equal run resumes it. Raises ExportError if it
        cannot be written, another run uses it, or an existing file is no journal.
        """
        try:
            if exists(path) and not begins_with(path, _RUN):
                raise OSError(errno.EEXIST, sentence("there is another file of this name"))
            file = _opened(path, create=True)
            file.cut(0)
        except (OSError, ValueError) as error:
            raise cannot_write(path, error) from error
        journal = cls(path, file, {})
        journal._write({"run": {"version": _VERSION, **run}})
        return journal

    @classmethod
    def resume(cls, path: Path, run: Mapping[str, Any]) -> Self:
        """Resume a journal after its last complete line. Raises UsageError if there is none, it is of another
        run or damaged before its end, ExportError if it is unreadable or in use.
        """
        try:
            kept = _opened(path, create=False)
        except FileNotFoundError as error:
            raise UsageError(
                sentence("There is no run to go on with: {name} is not there; leave --resume out.", name=path)
            ) from error
        except (OSError, ValueError) as error:
            raise cannot_write(path, error) from error
        try:
            return cls(path, kept, _take_up(path, kept, run))
        except BaseException:
            kept.close()
            raise

    @classmethod
    def read(cls, path: Path) -> tuple[Self, Mapping[str, Any]]:
        """Return a read-only journal and its run's description; raise ExportError if it is not readable."""
        try:
            match first_entry(path):
                case {"run": dict(run)}:
                    return cls(path, None, {}), run
            raise OSError(errno.EINVAL, sentence("it is no journal"))
        except (OSError, ValueError) as error:
            raise cannot_write(path, error) from error

    def begin_input(self, number: int, name: str) -> None:
        """An input begins, or goes on."""
        self._write({"input": {"number": number, "name": name}})
        self.inputs.setdefault(number, InputState())

    def add(self, number: int, record: PictureRecord) -> None:
        """Append the results of an image; ExportError if it cannot be written."""
        shapes = [shape_json(shape) for shape in record.shapes]
        self._write({"picture": {"number": number, **vars(record), "shapes": shapes}})
        self.inputs.setdefault(number, InputState()).pictures += 1

    def end_input(self, number: int) -> None:
        """That was all of an input."""
        self._write({"end": {"number": number}})
        self.inputs.setdefault(number, InputState()).ended = True

    @property
    def pictures(self) -> int:
        """The number of images analyzed."""
        return sum(state.pictures for state in self.inputs.values())

    def records(self, number: int | None = None) -> Iterator[PictureRecord]:
        """Yield the results of all images, or those of an input, in order; ExportError if unreadable."""
        try:
            yield from self._records_at(self._offsets(number))
        except (OSError, ValueError) as error:
            raise cannot_write(self.path, error) from error

    def last(self, number: int) -> PictureRecord | None:
        """Return the results of the last image of an input, None without any; ExportError if unreadable."""
        try:
            return next(self._records_at(self._offsets(number)[-1:]), None)
        except (OSError, ValueError) as error:
            raise cannot_write(self.path, error) from error

    def _records_at(self, offsets: Sequence[int]) -> Iterator[PictureRecord]:
        with open_regular(self.path) as stream:
            for offset in offsets:
                stream.seek(offset)
                yield _record(json.loads(stream.readline())["picture"])

    def _offsets(self, number: int | None) -> list[int]:
        """Return the offsets of the images' lines, sorted by input: inputs may be written out of order."""
        found: list[tuple[int, int]] = []
        offset = 0
        with open_regular(self.path) as stream:
            for line in stream:
                if line.startswith(_PICTURE):
                    found.append((int(line[len(_PICTURE) : line.index(b",", len(_PICTURE))]), offset))
                offset += len(line)
        return [offset for of, offset in sorted(found) if number is None or of == number]

    def _write(self, entry: Mapping[str, Any]) -> None:
        assert self._file is not None
        line = json.dumps(entry, default=_plain).encode() + b"\n"
        try:
            self._file.append(line)
        except (OSError, ValueError) as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        """Close the file, which stays."""
        if self._file is not None:
            self._file.close()

    def delete(self) -> None:
        """Close the file and delete it."""
        assert self._file is not None
        self._file.delete(lambda: self.path.unlink(missing_ok=True))


def _take_up(path: Path, kept: JournalFile, run: Mapping[str, Any]) -> dict[int, InputState]:
    """Truncate a journal after its last complete line; return its inputs' states (`Journal.resume`)."""
    inputs: dict[int, InputState] = {}
    begun: dict[str, Any] | None = None

    def take(entry: Any) -> None:
        nonlocal begun
        _check(entry)
        begun = entry.get("run", begun)
        _count(entry, inputs)

    try:
        found = recover(path, take)
        if found.tail is Tail.DAMAGED:
            raise _damaged(path, found.lines + 1)
        if begun is None:
            raise UsageError(
                sentence(
                    "{name} is no journal of a run that was stopped; leave --resume out.", name=path.name
                )
            )
        _check_same(begun, {"version": _VERSION, **run}, path)
        kept.cut(found.end)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from error
    return inputs


def _opened(path: Path, *, create: bool) -> JournalFile:
    try:
        return JournalFile(path, create=create)
    except InUseError as error:
        raise ExportError(
            sentence("Another run writes to {name}; wait for it, or end it.", name=str(path))
        ) from error


def cannot_write(path: Path, error: OSError | ValueError) -> ExportError:
    """Return the error for results that cannot be written."""
    return ExportError(
        sentence(
            "The results cannot be written to {name} ({reason}); make room, or choose another place.",
            name=path,
            reason=reason(error),
        )
    )


def _plain(value: Any) -> Any:
    """Return NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(type(value).__name__)


def _check(entry: Any) -> None:
    """Raise an error that `recover` takes for a malformed line if this program has not written an entry."""
    _count(entry, {})
    if "picture" in entry:
        for shape in _record(entry["picture"]).shapes:
            shape.moved(_number)
    if not isinstance(entry.get("run", {}), dict):
        raise TypeError("not the description of a run")


def _number(x: float, y: float) -> tuple[float, float]:
    return x + 0.0, y + 0.0


def _damaged(path: Path, line: int) -> UsageError:
    return UsageError(
        sentence(
            "Line {line} of {name} is damaged; remove that line and all behind it, or leave --resume out.",
            line=line,
            name=path,
        )
    )


def _count(entry: Mapping[str, Any], inputs: dict[int, InputState]) -> None:
    for kind in ("input", "picture", "end"):
        if kind in entry:
            state = inputs.setdefault(int(entry[kind]["number"]), InputState())
            state.pictures += kind == "picture"
            state.ended |= kind == "end"


def _check_same(begun: Mapping[str, Any], run: Mapping[str, Any], path: Path) -> None:
    # In the form of the file, where a tuple is a list.
    now = json.loads(json.dumps(run, default=_plain))
    for key in ("beside", "second_beside"):  # a journal from before they were noted
        if key not in begun:
            now.pop(key, None)
    if "sidecars" not in begun:  # a journal from before that was noted
        now.pop("sidecars", None)
        now.pop("second_sidecars", None)
    elif "second_sidecars" not in begun and "second_sidecars" in now:  # one in which both were together
        now["sidecars"] |= now.pop("second_sidecars")
    if other := differences(begun, now):
        raise UsageError(
            sentence(
                "The run that {name} is of was another one ({what}); give the same inputs and options, or "
                "leave --resume out.",
                name=path.name,
                what=", ".join(other),
            )
        )


def _record(picture: Mapping[str, Any]) -> PictureRecord:
    shapes = tuple(shape_of(shape) for shape in picture["shapes"])
    # Kept since there are zones.
    zones, events = tuple(picture.get("zones", ())), tuple(picture.get("events", ()))
    plain = [f.name for f in fields(PictureRecord) if f.name not in ("shapes", "size", "zones", "events")]
    known = {name: picture[name] for name in plain}
    return PictureRecord(**known, size=tuple(picture["size"]), shapes=shapes, zones=zones, events=events)


def shape_json(shape: Shape) -> dict[str, Any]:
    """Return a shape as a line of JSON has it; a `Mask` has to be a `SavedMask` first."""
    return {"shape": type(shape).__name__, **vars(shape)}


def shape_of(kept: Mapping[str, Any]) -> Shape:
    """Return the shape of `shape_json`, with unchecked values; LookupError or TypeError if it is none."""
    kind = _SHAPES[kept["shape"]]
    return kind(**{f.name: _tuples(kept[f.name]) for f in fields(kind) if f.name in kept})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
