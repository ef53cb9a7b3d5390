"""Detect and track objects in a video: python examples/track_video.py VIDEO [--model M.onnx] [--score 0.4]

Prints a line of JSON for each frame: its time, and the identity, class and box of each object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

import lightloom


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is in each frame; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("video")
    parser.add_argument("--model", default="detector")
    parser.add_argument("--score", type=float, default=0.4)
    options = parser.parse_args(arguments)
    try:
        with lightloom.load(options.model, score=options.score) as network:
            for frame, objects in lightloom.track(network, options.video):
                found = [
                    {
                        "identity": each.identity,
                        "label": each.label,
                        "box": [round(value, 1) for value in each.box],
                    }
                    for each in objects
                ]
                print(json.dumps({"time": round(frame.time, 3), "objects": found}))
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
