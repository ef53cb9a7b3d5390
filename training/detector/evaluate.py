"""Measure the detector beside its teachers on the pictures held back.

    python -m training.detector.evaluate assets/models/detector.onnx --card docs/model-cards/detector.md

By onnxruntime, each network at its own size, pictures letterboxed. AP50: average precision at an overlap of
0.5 (all points). YuNet is measured at the size at which it does best here, 416 x 416.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from desktop.base.errors import LightloomError
from training.common.card import filled
from training.detector.boxes import average_precision
from training.detector.model import KINDS
from training.detector.teacher import FACES, PERSONS
from training.detector.truth import (
    Judged,
    Run,
    face_teacher,
    found_or_nothing,
    person_teacher,
    read_judged,
)

_LEAST = 0.02


@dataclass(frozen=True)
class Row:
    """AP50 of one kind on the pictures with true boxes, or with a teacher's."""

    kind: str
    boxes_of: str
    pictures: int
    boxes: int
    detector: float
    teacher: float


def exported(path: Path, kind: str, turned: bool = False) -> tuple[Run, tuple[int, int]]:
    """Return the exported detector as a function of `truth.looked` for one kind, and the (width, height) of
    its input; `turned`: with width and height exchanged, which its layers do not mind.
    """
    model = onnx.load(str(path))
    if turned:
        for value in (*model.graph.input, *model.graph.output):
            down, across = value.type.tensor_type.shape.dim[2:]
            down.dim_value, across.dim_value = across.dim_value, down.dim_value
        del model.graph.value_info[:]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    height, width = session.get_inputs()[0].shape[2:]
    place, kinds = KINDS.index(kind), len(KINDS)

    def run(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = canvas[..., ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 127.5 - 1
        grids = session.run(None, {"image": x.astype(np.float16)})
        table = np.concatenate([grid[0].reshape(grid.shape[1], -1) for grid in grids], 1).astype(np.float64)
        return table[4 * place : 4 * place + 4], 1 / (1 + np.exp(-table[4 * kinds + 2 * place]))

    return run, (width, height)


def measured(path: Path, pictures: list[Judged], persons: Path, faces: Path) -> list[Row]:
    """Return the figures of each kind on both sorts of boxes."""
    teachers = {"person": person_teacher(persons), "face": face_teacher(faces)}
    rows = []
    for kind in KINDS:
        student, size = exported(path, kind)
        for by_teacher in (False, True):
            mine = [p for p in pictures if kind in p.truths and (kind in p.by_teacher) == by_teacher]
            truths = [p.truths[kind] for p in mine]
            precision = [
                average_precision([found_or_nothing(p, kind, run, *seen, _LEAST) for p in mine], truths)
                for run, seen in ((student, size), (teachers[kind], (416, 416)))
            ]
            whose = "its teacher's" if by_teacher else "true"
            rows.append(Row(kind, whose, len(mine), sum(map(len, truths)), *precision))
    return rows


def table(rows: list[Row]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| kind | boxes | images | of them | detector AP50 | teacher AP50 | ratio |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        ratio = row.detector / max(row.teacher, 1e-9)
        figures = f"{row.detector:.3f} | {row.teacher:.3f} | {ratio:.2f}"
        lines.append(f"| {row.kind} | {row.boxes_of} | {row.pictures} | {row.boxes} | {figures} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.detector.evaluate", description=__doc__.splitlines()[0]
    )
    parser.add_argument("student", type=Path, help="an exported .onnx")
    parser.add_argument("--data", type=Path, default=Path("out/training/detector.npz"))
    parser.add_argument("--teacher", type=Path, default=PERSONS)
    parser.add_argument("--faces", type=Path, default=FACES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--card", type=Path, help="model card whose table of figures to replace")
    options = parser.parse_args(arguments)
    try:
        rows = measured(options.student, read_judged(options.data), options.teacher, options.faces)
        if options.card:
            filled(options.card, "evaluation", table(rows))
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
