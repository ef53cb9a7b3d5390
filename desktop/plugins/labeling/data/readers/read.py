"""Result type and helpers of label readers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.base.errors import SourceError, UsageError
from desktop.base.files import read_regular, reason
from desktop.base.wording import Text, joined, plural, sentence
from desktop.plugins.labeling.data.label_set import LabelSet
from desktop.plugins.labeling.data.labels import Picture
from desktop.plugins.labeling.data.pictures import PictureSet


@dataclass(frozen=True)
class Read:
    """Labels that were read, by image name, and class names in index order.

    Attributes:
        foreign: number of images named in the file that are not here.
        broken: number of invalid entries.
        reshaped: number of images whose aspect ratio differs here, so that labels would be misplaced.
        crowds: number of regions left out because they are marked as several objects: an item is one object.
        in_parts: number of objects whose outline has several parts, of which one was read.
    """

    pictures: Mapping[str, Picture]
    classes: tuple[str, ...]
    foreign: int = 0
    broken: int = 0
    reshaped: int = 0
    crowds: int = 0
    in_parts: int = 0

    def free_in(self, label_set: LabelSet) -> dict[str, Picture]:
        """Return the labels of images that have none in a book: existing work is not replaced."""
        return {name: picture for name, picture in self.pictures.items() if label_set[name].is_empty}

    def report(self, taken: int) -> Text:
        """Return a report, where the labels of `taken` images were imported."""
        said: list[str] = [plural(taken, "Labels of %n image were read.", "Labels of %n images were read.")]
        labeled = len(self.pictures) - taken
        if labeled:
            said.append(plural(labeled, "%n image has labels already.", "%n images have labels already."))
        if self.foreign:
            said.append(
                plural(
                    self.foreign,
                    "%n image named there is missing here.",
                    "%n images named there are missing here.",
                )
            )
        if self.reshaped:
            said.append(
                plural(
                    self.reshaped,
                    "%n image has another aspect ratio here and was left out.",
                    "%n images have another aspect ratio here and were left out.",
                )
            )
        if self.crowds:
            said.append(
                plural(
                    self.crowds,
                    "%n region of several objects (iscrowd) was left out.",
                    "%n regions of several objects (iscrowd) were left out.",
                )
            )
        if self.in_parts:
            said.append(
                plural(
                    self.in_parts,
                    "%n object has an outline in several parts, of which the longest was read.",
                    "%n objects have an outline in several parts, of which the longest was read.",
                )
            )
        if self.broken:
            said.append(
                plural(
                    self.broken,
                    "%n entry is damaged and was left out.",
                    "%n entries are damaged and were left out.",
                )
            )
        return joined(" ", said)


def read_bounded(path: Path, limit: int) -> bytes:
    """Return a file's bytes. Raises SourceError if it cannot be read or exceeds `limit` bytes."""
    try:
        return read_regular(path, limit)
    except (OSError, ValueError) as error:
        raise SourceError(
            sentence(
                "The labels in {name} cannot be read ({reason}); choose another file.",
                name=path,
                reason=reason(error),
            )
        ) from error


def of_others(path: Path, pictures: PictureSet) -> UsageError:
    """Return the error for labels of other images."""
    return UsageError(
        sentence(
            "{name} has labels of other images than those in {folder}; choose the labels of these.",
            name=path.name,
            folder=pictures.path.name,
        )
    )


def finite(value: Any) -> float:
    """Return a finite number. Raises ValueError or TypeError if it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("not a number")
    if not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)
