"""Count what crosses a line in a video: python examples/count_line.py VIDEO --line 0.0,0.5,1.0,0.5 [--model
M.onnx] [--classes person]

The line goes from its first point to its second, in shares of the image. Forward is from its left to its
right as one looks along it: over a line drawn from the left to the right, forward is down.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import lightloom


def count(
    video: str,
    ends: Sequence[float],
    *,
    model: str = "detector",
    score: float = 0.4,
    classes: Sequence[str] = (),
) -> lightloom.LineCounts:
    """Return how many objects crossed the line."""
    line = lightloom.Line("line", (ends[0], ends[1]), (ends[2], ends[3]), tuple(classes))
    zones = lightloom.Zones([line])
    with lightloom.load(model, score=score) as network:
        for frame, objects in lightloom.track(network, video):
            zones(objects, frame.time)
    counted = zones.counts["line"]
    assert isinstance(counted, lightloom.LineCounts)
    return counted


def _ends(text: str) -> list[float]:
    values = [float(part) for part in text.split(",")]
    if len(values) != 4:
        raise argparse.ArgumentTypeError("give x,y,x,y")
    return values


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("video")
    parser.add_argument("--line", type=_ends, default=[0.0, 0.5, 1.0, 0.5])
    parser.add_argument("--model", default="detector")
    parser.add_argument("--score", type=float, default=0.4)
    parser.add_argument("--classes", nargs="*", default=[])
    options = parser.parse_args(arguments)
    try:
        found = count(
            options.video, options.line, model=options.model, score=options.score, classes=options.classes
        )
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"forward {found.forward}, backward {found.backward}")
    for each in found.classes:
        print(f"  {each.label}: forward {each.forward}, backward {each.backward}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
