"""JSON lines: one object an image."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from desktop.outputs.detections import DetectedObject, detections_of, words_of
from desktop.outputs.journal import PictureRecord
from desktop.outputs.result_format import About, Records, ResultFormat, number, tidy, write_chunks


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
        "things": [_detection_record(detection) for detection in detections_of(record)],
        "labels": [
            {"label": word.label, "index": word.index, "value": number(word.value, 6)}
            for word in words_of(record)
        ],
        "result": tidy(record.result),
        # Only where there are zones: who has none reads what he always did.
        **({"zones": tidy(record.zones), "events": tidy(record.events)} if record.zones else {}),
    }


def _detection_record(detection: DetectedObject) -> dict[str, Any]:
    found: dict[str, Any] = {
        "label": detection.label,
        "index": detection.index,
        "score": detection.score,
        "identity": detection.identity,
        "box": list(detection.box),
    }
    if detection.points:
        found["points"] = tidy(detection.points)
    if detection.confidences:
        found["confidences"] = tidy(detection.confidences)
    if detection.outline:
        found["outline"] = tidy(detection.outline)
    if detection.mask is not None:
        width, height = detection.mask.size
        found["segmentation"] = {"size": [height, width], "counts": list(detection.mask.counts)}
    return found


FORMAT: Final = JsonLines()
