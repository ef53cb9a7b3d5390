"""Contact sheets of the bundled networks before and after a revision, and of what they get wrong.

    python -m training.sheet detector mask styles --before fd72fa62 --people out/training/people.npz

Writes docs/contact-sheets/<name>.jpg and, for detector and mask, <name>_limits.jpg, and the sources of the
photographs into the model cards. The photographs are those of
`sheet_photographs.toml`, which `training.pack people` holds back; the networks before are read from git. ONNX Runtime
computes all of them, without the program's tracking, edge refinement and smoothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnxruntime as ort

from desktop.base.errors import LightloomError, SourceNotFoundError, UsageError
from training.common import sheets
from training.common.card import filled
from training.detector.evaluate import exported
from training.detector.judge import SCORE, known_pictures
from training.detector.model import KINDS
from training.detector.truth import looked
from training.mask.compare import cut_out, mask_of
from training.mask.judge import student_look
from training.style.evaluate import fitted, styled

LIST: Final = Path(__file__).with_name("sheet_photographs.toml")
MODELS: Final = Path("assets/models")
STYLES_BEFORE: Final = ("glass", "ink", "oil", "riso")
STYLES: Final = ("wave", "starry", "scream", "abstract", "ink", "oil")
HEIGHT: Final = 208
"""Height of a photograph on the sheets of detector and mask, in pixels."""
STYLE_SIZE: Final = (176, 132)
"""Width and height of a photograph on the sheet of styles, which are computed at 512 x 384."""
_DRAWING: Final = Path("assets/sample/head.webp")
_COLORS: Final = {"person": (255, 196, 0), "face": (0, 220, 255)}
_QUALITY: Final = 76
CARDS: Final = {"detector": "detector", "mask": "person_mask", "styles": "style"}
"""By the sheets' name that of the model card, and of the network where there is one."""
Drawn = Callable[[np.ndarray], np.ndarray]
"""From an (H, W, 3) uint8 RGB image to what a network makes of it, of the same size."""


@dataclass(frozen=True)
class Photograph:
    """A photograph of COCO under CC BY 2.0: its number there, its number on Flickr, and which sheets show it."""

    coco: int
    flickr: int
    sheets: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name in packs of people."""
        return f"coco_{self.coco:012d}"


def listed(path: Path = LIST) -> list[Photograph]:
    """Return the photographs of a list."""
    table = tomllib.loads(path.read_text("utf-8"))
    return [Photograph(row["coco"], row["flickr"], tuple(row["sheets"])) for row in table["picture"]]


def credits(photographs: Sequence[Photograph]) -> str:
    """Return the line of a model card that names the sources of its photographs."""
    links = ", ".join(
        f"[{each.coco}](https://www.flickr.com/photo.gne?id={each.flickr})" for each in photographs
    )
    return f"Photographs, by their numbers in COCO: {links}; CC BY 2.0, reduced and drawn on."


def images(people: Path, photographs: Sequence[Photograph]) -> dict[int, np.ndarray]:
    """Return photographs of a pack by COCO's numbers, (H, W, 3) uint8 RGB.

    Raises:
        SourceNotFoundError: the pack lacks one.
    """
    held = {known.name: known.pixels[..., ::-1] for known in known_pictures([people])}
    if missing := [str(each.coco) for each in photographs if each.name not in held]:
        raise SourceNotFoundError(
            f"{people.name} lacks {', '.join(missing)} of COCO; name a pack that holds them back with --people."
        )
    return {each.coco: held[each.name] for each in photographs}


def network_before(revision: str, name: str, folder: Path) -> Path:
    """Write a network of an earlier revision into a folder and return its path.

    Raises:
        UsageError: git has no such revision, or none with this network.
    """
    source = f"{revision}:{(MODELS / name).as_posix()}.onnx"
    done = subprocess.run(["git", "show", source], capture_output=True, timeout=60)
    if done.returncode:
        raise UsageError(f"git has no {source}; name a revision that has this network with --before.")
    path = folder / f"{name}.onnx"
    path.write_bytes(done.stdout)
    return path


def boxes_drawn(path: Path) -> Drawn:
    """Return a detector as a function that draws its boxes of persons and faces, its input turned for portrait
    images.
    """
    runs = {(kind, turned): exported(path, kind, turned) for kind in KINDS for turned in (False, True)}

    def draw(image: np.ndarray) -> np.ndarray:
        shown = image.copy()
        for kind in KINDS:
            run, size = runs[kind, image.shape[0] > image.shape[1]]
            found = looked(run, np.ascontiguousarray(image[..., ::-1]), *size, SCORE)
            for left, top, right, bottom in found.boxes.round().astype(int).tolist():
                cv2.rectangle(shown, (left, top), (right, bottom), _COLORS[kind], 2, cv2.LINE_AA)
        return shown

    return draw


def person_cut_out(path: Path) -> Drawn:
    """Return a person mask as a function that cuts persons out."""
    look = student_look(path)
    return lambda image: cut_out(image, mask_of(look, image))


def compared(shown: Sequence[np.ndarray], columns: Mapping[str, Drawn], with_image: bool) -> np.ndarray:
    """Return a sheet: what each network makes of each image, after the image itself if `with_image`. Two images
    share a row, the widest with the narrowest.
    """
    blocks = []
    for image in shown:
        drawn = {"image": image} if with_image else {}
        drawn |= {name: draw(image) for name, draw in columns.items()}
        block = [sheets.captioned(sheets.of_height(each, HEIGHT), name) for name, each in drawn.items()]
        blocks.append(sheets.row(block))
    blocks.sort(key=lambda block: block.shape[1])
    narrow, wide = blocks[: len(blocks) // 2], blocks[len(blocks) // 2 :][::-1]
    alone = [wide[-1]] if len(wide) > len(narrow) else []
    return sheets.rows([*(sheets.row(pair, 16) for pair in zip(narrow, wide, strict=False)), *alone])


def styles_compared(shown: Sequence[np.ndarray], columns: Mapping[str, Path]) -> np.ndarray:
    """Return a sheet with a row for each image: itself, then each style of it."""
    sessions = {
        name: ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        for name, path in columns.items()
    }
    made = []
    for number, image in enumerate(map(fitted, shown)):
        drawn = {"image": image} | {name: styled(session, image) for name, session in sessions.items()}
        small = {
            name: cv2.resize(each, STYLE_SIZE, interpolation=cv2.INTER_AREA) for name, each in drawn.items()
        }
        made.append(
            sheets.row(
                [sheets.captioned(each, name) if number == 0 else each for name, each in small.items()]
            )
        )
    return sheets.rows(made)


def drawing() -> np.ndarray:
    """Return the drawn portrait of the built-in sample on white, (H, W, 3) uint8 RGB."""
    drawn = cv2.imread(str(_DRAWING), cv2.IMREAD_UNCHANGED)
    assert drawn is not None and drawn.shape[2] == 4  # a file of the project
    share = drawn[..., 3:].astype(np.float32) / 255
    return (drawn[..., 2::-1] * share + 255 * (1 - share)).round().astype(np.uint8)


def make(name: str, people: Path, revision: str, docs: Path, folder: Path) -> list[Path]:
    """Write the sheets of one kind and the sources of their photographs into its model card; return the paths of
    the sheets. `folder` takes the networks of the revision.
    """
    photographs, stem, out = listed(), CARDS[name], docs / "contact-sheets"

    def shown(sheet: str) -> list[np.ndarray]:
        return list(images(people, [each for each in photographs if sheet in each.sheets]).values())

    first = shown(name)
    used = [each for each in photographs if {name, f"{name} limits"} & set(each.sheets)]
    if name == "styles":
        before = {f"before: {each}": f"style_{each}" for each in STYLES_BEFORE}
        files = {title: network_before(revision, each, folder) for title, each in before.items()}
        files |= {f"now: {each}": MODELS / f"style_{each}.onnx" for each in STYLES}
        made = {"styles": styles_compared(first, files)}
    else:
        draw = boxes_drawn if name == "detector" else person_cut_out
        now = draw(MODELS / f"{stem}.onnx")
        both = {"before": draw(network_before(revision, stem, folder)), "now": now}
        with_image = name == "mask"  # boxes are drawn on the image, a mask hides most of it
        limits = [*shown(f"{name} limits"), drawing()]
        made = {
            stem: compared(first, both, with_image),
            f"{stem}_limits": compared(limits, {"now": now}, with_image),
        }
    for title, image in made.items():
        sheets.write(out / f"{title}.jpg", image, _QUALITY)
    filled(docs / "model-cards" / f"{stem}.md", "credits", credits(used))
    return [out / f"{title}.jpg" for title in made]


def main(arguments: list[str] | None = None) -> int:
    """Print the files written; exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m training.sheet", description=__doc__.splitlines()[0])
    parser.add_argument("sheets", nargs="+", choices=tuple(CARDS))
    parser.add_argument(
        "--before", required=True, metavar="REVISION", help="git revision with the networks before"
    )
    parser.add_argument("--people", type=Path, default=Path("out/training/people.npz"), help="pack of people")
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in options.sheets:
                for path in make(name, options.people, options.before, options.docs, Path(folder)):
                    print(path)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
