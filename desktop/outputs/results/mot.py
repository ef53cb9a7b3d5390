"""MOTChallenge's text, a line per object: frame, identity, box, confidence, three unused fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.outputs.detections import DetectedObject, detections_of, input_stem
from desktop.outputs.journal import PictureRecord, cannot_write
from desktop.outputs.result_format import (
    About,
    Records,
    ResultFormat,
    require_detections,
    write_chunks,
    wrong_ending,
)


class Mot(ResultFormat):
    """A file for one input; for several a folder with a file each, as TrackEval reads them."""

    title = "MOTChallenge"
    order = 50
    only_things = True

    def writes_folder(self, about: About) -> bool:
        return about.inputs > 1

    def check(self, about: About, target: Path) -> None:
        """See `ResultFormat`: boxes with identities, and room for a file each."""
        require_detections(about, self.title)
        if not about.tracked:
            raise UsageError(sentence("MOTChallenge files hold tracked objects; turn on tracking (--track)."))
        if about.inputs > 1 and target.suffix:
            raise UsageError(
                sentence(
                    "A MOTChallenge file is of one input; for several name a folder in the place of {name}.",
                    name=target,
                )
            )
        if about.inputs == 1 and target.suffix.lower() != ".txt":
            raise wrong_ending(target, (".txt",), self.title)

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        if about.inputs == 1:
            return write_chunks(target, _lines(records()))
        try:
            target.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_write(target, error) from error
        written: list[Path] = []
        for (_, name), of_input in groupby(records(), key=_InputNumbers().of):
            path = _unique(target, input_stem(name, empty="input"), written)
            written += write_chunks(path, _lines(of_input))
        return tuple(written)


class _InputNumbers:
    """Tells the inputs of a run apart by their order; two of them may have the same name."""

    def __init__(self) -> None:
        self._number, self._name, self._frame = 0, "", 0

    def of(self, record: PictureRecord) -> tuple[int, str]:
        """Return number and name of the input of a record; the records come in the order of the run."""
        # Frames of an input are numbered upward, so that a lower number begins the same input anew.
        if record.input != self._name or record.frame <= self._frame:
            self._number += 1
        self._name, self._frame = record.input, record.frame
        return self._number, self._name


def _unique(folder: Path, stem: str, taken: list[Path]) -> Path:
    path, count = folder / f"{stem}.txt", 1
    # Some file systems do not tell 'A' from 'a'.
    names = {other.name.casefold() for other in taken}
    while path.name.casefold() in names:
        count += 1
        path = folder / f"{stem}-{count}.txt"
    return path


def _lines(records: Iterator[PictureRecord]) -> Iterator[bytes]:
    for record in records:
        for detection in detections_of(record):
            if detection.identity is not None:
                yield _line(record.frame, detection)


def _line(frame: int, detection: DetectedObject) -> bytes:
    # Frames, identities and pixels count from 1.
    left, top, right, bottom = detection.box
    place = f"{left + 1:.2f},{top + 1:.2f},{right - left:.2f},{bottom - top:.2f}"
    score = 1.0 if detection.score is None else detection.score
    return f"{frame},{detection.identity},{place},{score:.6g},-1,-1,-1\n".encode()


FORMAT: Final = Mot()
