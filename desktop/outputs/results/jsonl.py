"""JSON lines: one object an image."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from desktop.outputs.journal import PictureRecord
from desktop.outputs.result_format import About, Records, ResultFormat, number, tidy, write_chunks
from desktop.outputs.things import Thing, things_of, words_of


class JsonLines(ResultFormat):
    """One line an image, also for one in which nothing was seen; docs/results.md has its keys."""

    title = "JSON lines"
    order = 10
    suffixes = (".jsonl", ".ndjson")
    by_suffix = True

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        return write_chunks(target, _lines(records))


def _lines(records: Records) -> Iterator[bytes]:
    for record in records():
        # ASCII alone: nothing in a name can act on a terminal, or be no UTF-8.
        yield json.dumps(picture_json(record), allow_nan=False).encode() + b"\n"


def picture_json(record: PictureRecord) -> dict[str, Any]:
    """Return an image as a line has it."""
    return {
        "input": record.input,
        "file": record.file,
        "frame": record.frame,
        "pts": number(record.pts, 6),
        "size": list(record.size),
        "things": [_thing(thing) for thing in things_of(record)],
        "labels": [
            {"label": word.label, "index": word.index, "value": number(word.value, 6)}
            for word in words_of(record)
        ],
        "result": tidy(record.result),
        # Only where there are zones: who has none reads what he always did.
        **({"zones": tidy(record.zones), "events": tidy(record.events)} if record.zones else {}),
    }


def _thing(thing: Thing) -> dict[str, Any]:
    found: dict[str, Any] = {
        "label": thing.label,
        "index": thing.index,
        "score": thing.score,
        "identity": thing.identity,
        "box": list(thing.box),
    }
    if thing.points:
        found["points"] = tidy(thing.points)
    if thing.confidences:
        found["confidences"] = tidy(thing.confidences)
    if thing.outline:
        found["outline"] = tidy(thing.outline)
    if thing.mask is not None:
        width, height = thing.mask.size
        found["segmentation"] = {"size": [height, width], "counts": list(thing.mask.counts)}
    return found


FORMAT: Final = JsonLines()
