"""Labels as files, in the formats in which results are exported (`outputs/results/`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from desktop.base.errors import SourceError, UsageError
from desktop.base.wording import Text, counted, sentence
from desktop.outputs.journal import PictureRecord
from desktop.outputs.result_format import About, ResultFormat
from desktop.plugins.labeling.data.labels import Picture, shapes_of
from desktop.plugins.labeling.data.pictures import PictureSet

Progress = Callable[[int, int], None]
"""Called with the number of images done and the total; may raise StoppedError."""


def export_labels(
    pictures: PictureSet,
    labels: Mapping[str, Picture],
    classes: tuple[str, ...],
    chosen: ResultFormat,
    target: Path,
    *,
    confirmed: bool = True,
    progress: Progress = lambda *_: None,
) -> tuple[tuple[Path, ...], tuple[Text, ...]]:
    """Write labels, only confirmed ones if `confirmed`, to a temporary name first; see `ResultFormat.write`.

    Return the written paths, and notes for the user. `classes` are in index order; labels of other images
    than `pictures` are omitted. `progress` is called after each image and may raise StoppedError.

    Raises:
        UsageError: there is nothing to export, or the format cannot hold it.
        ExportError: it cannot be written; an existing target stays unchanged.
    """
    wanted = {
        name: labels[name]
        for name in pictures.names
        if name in labels and (labels[name].confirmed or not confirmed)
    }
    if not wanted:
        raise UsageError(
            sentence("No image is confirmed yet, so there is nothing to export; confirm some first.")
            if confirmed
            else sentence("No image has labels yet, so there is nothing to export.")
        )
    finds = any(picture.items for picture in wanted.values())
    words = sum(bool(picture.word) for picture in wanted.values())
    if chosen.only_things and words and not finds:
        raise UsageError(
            sentence(
                "{format} holds boxes, and only whole images have classes here; choose CSV, JSON lines or "
                "Parquet.",
                format=chosen.title,
            )
        )
    notes = (
        [
            sentence(
                "{format} has no place for the classes of {pictures}.",
                format=chosen.title,
                pictures=counted(words, "whole image"),
            )
        ]
        if chosen.only_things and words
        else []
    )
    sized, unreadable = _sized(pictures, wanted, classes, progress)
    notes += [
        sentence("{name} is left out: {error}", name=name, error=error) for name, error in unreadable.items()
    ]

    def records() -> Iterator[PictureRecord]:
        for name, record in sized.items():
            yield PictureRecord(
                record.input,
                record.file,
                record.frame,
                record.pts,
                record.size,
                shapes_of(wanted[name], classes),
                still=record.still,
            )

    about = About(network=pictures.path.name, labels=classes)
    chosen.check(about, target)
    return chosen.write(records, target, about), tuple(notes)


def _sized(
    pictures: PictureSet, wanted: Mapping[str, Picture], classes: tuple[str, ...], progress: Progress
) -> tuple[dict[str, PictureRecord], dict[str, SourceError]]:
    """Return the records without their shapes, which masks make large, and why images have none."""
    found: dict[str, PictureRecord] = {}
    unreadable: dict[str, SourceError] = {}
    for done, name in enumerate(wanted):
        progress(done, len(wanted))
        try:
            found[name] = pictures.record(name, ())
        except SourceError as error:
            unreadable[name] = error
    if not found:
        raise next(iter(unreadable.values()))
    return found, unreadable
