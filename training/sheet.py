"""Contact sheets of the bundled networks before and after a revision, and of what they get wrong.

    python -m training.sheet detector mask styles --before fd72fa62 --people out/training/people.npz

The repository shows no photograph that the project did not make. So docs/contact-sheets gets sheets of detector
and mask on a plain ground, beside the true boxes and masks, and of the styles on drawings of the project's own;
out/contact-sheets, which git ignores, gets the same with the photographs. These are those of
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
import torch

from desktop.base.errors import LightloomError, SourceNotFoundError, UsageError
from training.common import sheets
from training.common.data import HELD
from training.common.people import PERSON, TRUE_MASK, read_people
from training.detector.evaluate import exported
from training.detector.judge import SCORE
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
_SAMPLE: Final = Path("assets/sample")
_COLORS: Final = {"person": (255, 196, 0), "face": (0, 220, 255)}
_GROUND: Final = 56
"""Gray level of the ground that boxes are drawn on where the photograph is not shown."""
_QUALITY: Final = 76
NETWORKS: Final = {"detector": "detector", "mask": "person_mask", "styles": "style"}
"""By the sheets' name that of the network, or what the networks' names begin with."""


@dataclass(frozen=True)
class Photograph:
    """A photograph of COCO: its number there, and which sheets show it."""

    coco: int
    sheets: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name in packs of people."""
        return f"coco_{self.coco:012d}"


@dataclass(frozen=True)
class Shown:
    """An image (H, W, 3) uint8 RGB of a sheet, with the true corners (M, 4) of its persons and their mask (H, W)
    in 0..1, where they are known, and what it is called. `own`: the project made it, so that each sheet may show
    it.
    """

    image: np.ndarray
    title: str = ""
    persons: np.ndarray | None = None
    mask: np.ndarray | None = None
    own: bool = False


Drawn = Callable[[Shown], np.ndarray]
"""From an image to what a sheet shows of it, (H, W, 3) uint8 RGB of the same size."""


def listed(path: Path = LIST) -> list[Photograph]:
    """Return the photographs of a list."""
    table = tomllib.loads(path.read_text("utf-8"))
    return [Photograph(row["coco"], tuple(row["sheets"])) for row in table["picture"]]


def images(people: Path, photographs: Sequence[Photograph]) -> list[Shown]:
    """Return photographs of a pack with what is known of them.

    Raises:
        SourceNotFoundError: the pack lacks one.
    """
    held = read_people([people], HELD, torch.device("cpu"), masks=True)
    numbers = {name: number for number, name in enumerate(held.pictures.names)}
    if missing := [str(each.coco) for each in photographs if each.name not in numbers]:
        raise SourceNotFoundError(
            f"{people.name} lacks {', '.join(missing)} of COCO; name a pack that holds them back with --people."
        )

    def shown(photograph: Photograph) -> Shown:
        number = numbers[photograph.name]
        height, width = (int(n) for n in held.pictures.sizes[number])
        has_mask = int(held.mask_kind[number]) == TRUE_MASK
        return Shown(
            np.ascontiguousarray(held.pictures.canvas[number, :, :height, :width].permute(1, 2, 0)),
            str(photograph.coco),
            held.boxes[number][held.flags[number] == PERSON].numpy(),
            held.masks[number, :height, :width].numpy() / np.float32(255) if has_mask else None,
        )

    return [shown(each) for each in photographs]


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


def outlined(ground: np.ndarray, boxes: np.ndarray, color: tuple[int, int, int]) -> None:
    """Draw (M, 4) corners into an image."""
    for left, top, right, bottom in boxes.round().astype(int).tolist():
        cv2.rectangle(ground, (left, top), (right, bottom), color, 2, cv2.LINE_AA)


def ground_of(shown: Shown, with_image: bool) -> np.ndarray:
    """Return what boxes are drawn on: the image, or a plain ground of its size."""
    return shown.image.copy() if with_image or shown.own else np.full_like(shown.image, _GROUND)


def boxes_drawn(path: Path, with_image: bool) -> Drawn:
    """Return a detector as a function that draws its boxes of persons and faces, its input turned for portrait
    images.
    """
    runs = {(kind, turned): exported(path, kind, turned) for kind in KINDS for turned in (False, True)}

    def draw(shown: Shown) -> np.ndarray:
        drawn = ground_of(shown, with_image)
        for kind in KINDS:
            run, size = runs[kind, shown.image.shape[0] > shown.image.shape[1]]
            found = looked(run, np.ascontiguousarray(shown.image[..., ::-1]), *size, SCORE)
            outlined(drawn, found.boxes, _COLORS[kind])
        return drawn

    return draw


def boxes_known(with_image: bool) -> Drawn:
    """Return a function that draws the true boxes of persons."""

    def draw(shown: Shown) -> np.ndarray:
        drawn = ground_of(shown, with_image)
        if shown.persons is not None:
            outlined(drawn, shown.persons, _COLORS["person"])
        return drawn

    return draw


def silhouette(mask: np.ndarray) -> np.ndarray:
    """Return a mask (H, W) in 0..1 as an image, white where a person is."""
    return np.repeat((mask * 255).round().astype(np.uint8)[..., None], 3, axis=2)


def person_drawn(path: Path, with_image: bool) -> Drawn:
    """Return a person mask as a function that cuts persons out, or shows their silhouettes."""
    look = student_look(path)

    def draw(shown: Shown) -> np.ndarray:
        mask = mask_of(look, shown.image)
        return cut_out(shown.image, mask) if with_image or shown.own else silhouette(mask)

    return draw


def mask_known(with_image: bool) -> Drawn:
    """Return a function that shows the true masks as `person_drawn` does a network's; what has none is as boxes are
    drawn on.
    """

    def draw(shown: Shown) -> np.ndarray:
        if shown.mask is None:
            return ground_of(shown, with_image)
        return cut_out(shown.image, shown.mask) if with_image or shown.own else silhouette(shown.mask)

    return draw


def compared(shown: Sequence[Shown], columns: Mapping[str, Drawn]) -> np.ndarray:
    """Return a sheet: what each column draws of each image, under its title. Two images share a row, the widest
    with the narrowest.
    """
    blocks = []
    for each in shown:
        drawn = [sheets.of_height(draw(each), HEIGHT) for draw in columns.values()]
        names = [f"{each.title} {name}" if number == 0 else name for number, name in enumerate(columns)]
        blocks.append(sheets.row([sheets.captioned(*pair) for pair in zip(drawn, names, strict=True)]))
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


def layered(ground: np.ndarray, *layers: tuple[str, int, int]) -> np.ndarray:
    """Return an image with layers of the built-in sample at (left, top)."""
    made = ground.astype(np.float32)
    for name, left, top in layers:
        layer = cv2.imread(str(_SAMPLE / f"{name}.webp"), cv2.IMREAD_UNCHANGED)
        assert layer is not None  # a file of the project
        place = made[top : top + layer.shape[0], left : left + layer.shape[1]]
        layer = layer[: place.shape[0], : place.shape[1]]
        share = layer[..., 3:].astype(np.float32) / 255 if layer.shape[2] == 4 else np.float32(1)
        place[:] = layer[..., 2::-1] * share + place * (1 - share)
    return made.round().astype(np.uint8)


def drawing() -> Shown:
    """Return the drawn portrait of the built-in sample on white."""
    return Shown(layered(np.full((300, 280, 3), 255, np.uint8), ("head", 0, 0)), "drawing", own=True)


def scenes() -> list[np.ndarray]:
    """Return the scenes of the built-in sample that show styles, (480, 640, 3) uint8 RGB."""
    empty = np.zeros((730, 1920, 3), np.uint8)
    coast = layered(empty, ("sky", 0, 0), ("sea", 0, 480), ("lighthouse", 0, 60), ("boat", 900, 150))
    air = layered(empty, ("sky", 0, 0), ("meadow", 0, 350), ("balloon", 620, 20), ("balloon_far", 1000, 120))
    portrait = layered(air[:480, 400:1040], ("head", 190, 180))
    return [coast[170:650, 60:700], coast[170:650, 740:1380], air[:480, 500:1140], portrait]


def make(name: str, people: Path, revision: str, docs: Path, out: Path, folder: Path) -> list[Path]:
    """Write the sheets of one kind and return their paths: with photographs into `out`, without into `docs`.
    `folder` takes the networks of the revision.
    """
    photographs, stem = listed(), NETWORKS[name]

    def shown(sheet: str) -> list[Shown]:
        return images(people, [each for each in photographs if sheet in each.sheets])

    made: dict[Path, np.ndarray] = {}
    first = shown(name)
    if name == "styles":
        before = {f"before: {each}": f"style_{each}" for each in STYLES_BEFORE}
        files = {title: network_before(revision, each, folder) for title, each in before.items()}
        files |= {f"now: {each}": MODELS / f"style_{each}.onnx" for each in STYLES}
        made[docs / "styles.jpg"] = styles_compared(scenes(), files)
        made[out / "styles.jpg"] = styles_compared([each.image for each in first], files)
    else:
        draw, truth = (boxes_drawn, boxes_known) if name == "detector" else (person_drawn, mask_known)
        files = {"before": network_before(revision, stem, folder), "now": MODELS / f"{stem}.onnx"}
        limits = [*shown(f"{name} limits"), drawing()]
        for place, ending, with_image in ((docs, "png", False), (out, "jpg", True)):
            columns: dict[str, Drawn] = {"image": lambda each: each.image} if with_image else {}
            columns |= {"truth": truth(with_image)}
            now = {"now": draw(files["now"], with_image)}
            both = {"before": draw(files["before"], with_image), **now}
            made[place / f"{stem}.{ending}"] = compared(first, columns | both)
            made[place / f"{stem}_limits.{ending}"] = compared(limits, columns | now)
    for path, image in made.items():
        sheets.write(path, image, _QUALITY)
    return list(made)


def main(arguments: list[str] | None = None) -> int:
    """Print the files written; exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m training.sheet", description=__doc__.splitlines()[0])
    parser.add_argument("sheets", nargs="+", choices=tuple(NETWORKS))
    parser.add_argument(
        "--before", required=True, metavar="REVISION", help="git revision with the networks before"
    )
    parser.add_argument("--people", type=Path, default=Path("out/training/people.npz"), help="pack of people")
    parser.add_argument(
        "--docs", type=Path, default=Path("docs/contact-sheets"), help="folder for sheets without photographs"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("out/contact-sheets"), help="folder for sheets with photographs"
    )
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in options.sheets:
                for path in make(
                    name, options.people, options.before, options.docs, options.out, Path(folder)
                ):
                    print(path)
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
