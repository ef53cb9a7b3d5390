"""Classify every image of a folder: python examples/classify_folder.py FOLDER [--model M.onnx] [-o
CLASSES.csv]

Prints (or writes) a line of CSV for each image: its name, the class on top, its probability.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import lightloom

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".avif", ".tif", ".tiff")


def classify(folder: Path, model: str = "classifier") -> Iterator[tuple[str, str, float]]:
    """Yield name, class and probability of each image; one that cannot be read is told on standard error and
    left out.
    """
    with lightloom.load(model) as network:
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() not in ENDINGS:
                continue
            try:
                top = network(path).top
            except lightloom.errors.SourceError as error:
                print(error, file=sys.stderr)
                continue
            yield path.name, top.label, top.score


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="classifier")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    output = options.output.open("w", newline="", encoding="utf-8") if options.output else sys.stdout
    try:
        table = csv.writer(output)
        table.writerow(["image", "class", "probability"])
        for name, label, score in classify(options.folder, options.model):
            table.writerow([name, label, f"{score:.4f}"])
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if options.output:
            output.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
