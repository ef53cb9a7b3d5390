"""Let reviewers choose styles without knowing which network made what.

    python -m training.style.choose sheets --out out/choice NAME=FILE.onnx ...     a sheet for each candidate, named by a letter
    python -m training.style.choose count --out out/choice VOTES.json ...          how often each candidate was chosen

A sheet shows twelve photographs and, a row each, four frames of three clips, styled at a working size of 512 pixels
and computed by ONNX Runtime. Which letter stands for which candidate is drawn by --seed and written to key.json; a
reviewer gets the sheets only and writes a JSON list of the letters that should stay. A file may be named twice: two
letters for one network show how far a reviewer's choice is chance.
"""

from __future__ import annotations

import argparse
import json
import random
import string
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime as ort

from desktop.base.errors import LightloomError, UsageError
from training.common import sheets
from training.style.evaluate import clip_frame, fitted, styled

CLIPS: Final = ("cockatoo.mp4", "asl_walk.mkv", "flipping_a_pancake.mkv")
FRAMES: Final = (10, 12, 14, 40)
"""Frames of a clip: three close together show flicker, the fourth another scene."""
ACROSS: Final = 4
_QUALITY: Final = 88


def pictures(photographs: Sequence[Path], clips: Path) -> Iterator[np.ndarray]:
    """Yield the photographs and the clips' frames: H x W x 3 uint8 RGB, 512 x 384."""
    for path in photographs:
        yield fitted(sheets.read(path))
    for name in CLIPS:
        for number in FRAMES:
            yield fitted(clip_frame(clips / name, number))


def sheet(shown: Sequence[np.ndarray]) -> np.ndarray:
    """Pictures of one size in rows of `ACROSS`."""
    rows = [np.hstack(shown[i : i + ACROSS]) for i in range(0, len(shown), ACROSS)]
    return np.vstack(rows)


def letters(names: Sequence[str], seed: int) -> dict[str, str]:
    """A letter for each candidate, in random order: letter to name."""
    shuffled = list(names)
    random.Random(seed).shuffle(shuffled)
    return dict(zip(string.ascii_uppercase, shuffled, strict=False))


def make_sheets(
    candidates: dict[str, Path], photographs: Sequence[Path], clips: Path, out: Path, seed: int
) -> None:
    """Write <letter>.jpg for each candidate, plain.jpg of the pictures themselves, and key.json."""
    if len(candidates) > len(string.ascii_uppercase):
        raise UsageError(f"{len(candidates)} candidates are too many; name at most 26.")
    out.mkdir(parents=True, exist_ok=True)
    plain = list(pictures(photographs, clips))
    key = letters(list(candidates), seed)
    for letter, name in key.items():
        session = ort.InferenceSession(str(candidates[name]), providers=["CPUExecutionProvider"])
        made = sheet([styled(session, picture) for picture in plain])
        sheets.write(out / f"{letter}.jpg", made, _QUALITY)
    sheets.write(out / "plain.jpg", sheet(plain), _QUALITY)
    (out / "key.json").write_text(json.dumps(key, indent=1), "utf-8")


def count(votes: Sequence[Path], key: dict[str, str]) -> list[tuple[str, int]]:
    """Candidates with how many reviewers chose them, the most chosen first.

    Raises:
        UsageError: a vote has a letter that no candidate has.
    """
    found = Counter(dict.fromkeys(key.values(), 0))
    for path in votes:
        chosen = set(json.loads(path.read_text("utf-8")))
        if unknown := chosen - set(key):
            raise UsageError(f"{path.name} names {', '.join(sorted(unknown))}, which no candidate has.")
        found.update(key[letter] for letter in chosen)
    return found.most_common()


def main(given: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.style.choose", description=__doc__.splitlines()[0]
    )
    parser.add_argument("what", choices=("sheets", "count"))
    parser.add_argument("given", nargs="+", help="candidates as NAME=FILE.onnx, or files of votes")
    parser.add_argument("--photographs", type=Path, nargs="*", default=[])
    parser.add_argument("--clips", type=Path, default=Path("../shared/video/files"))
    parser.add_argument("--out", type=Path, default=Path("out/choice"))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(given)
    try:
        if options.what == "sheets":
            candidates = {
                name: Path(file) for name, _, file in (item.partition("=") for item in options.given)
            }
            make_sheets(candidates, options.photographs, options.clips, options.out, options.seed)
        else:
            key = json.loads((options.out / "key.json").read_text("utf-8"))
            for name, chosen in count([Path(file) for file in options.given], key):
                print(f"{name}: {chosen} of {len(options.given)}")
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
