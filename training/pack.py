"""Packs of pictures for a training: small enough to travel to a machine with a GPU.

    python -m training.pack mask           pictures with people, backgrounds, people clips held back -> out/training/mask.npz
    python -m training.pack detector       pictures with boxes, all held back -> out/training/detector.npz
    python -m training.pack classifier     photographs and clips' frames, for both; after the detector's -> out/training/classifier.npz
    python -m training.pack people         pictures with boxes and masks, a folder's -> out/training/people.npz
    python -m training.pack diffusion      photographs and pictures of people, smaller, 60 held back -> out/training/diffusion.npz
    python -m training.pack teacher        the classifier's teacher in half precision -> out/training/teacher.onnx

`common/data.py` says what a pack is. The evaluation pictures (`images/eval`) are never read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
import onnx
from onnx import numpy_helper

from desktop.base.errors import SourceDamagedError, SourceNotFoundError
from training.common.data import HELD, TRAIN, Picture, write_pack
from training.common.people import NO_MASK, TAUGHT_MASK, TRUE_MASK
from training.detector.truth import Judged, judged, read_judged, table
from training.mask.teacher import coverage

SIDE: Final = 256
"""Shorter side of a packed picture in pixels; smaller pictures keep their size."""
PEOPLE_SIDE: Final = 320
"""The same of the pictures of people: the detector is to find small faces in them."""
DIFFUSION_SIDE: Final = 192
"""The same for the denoiser, whose views are of 128 pixels."""
PHOTOGRAPHS_SIDE: Final = 192
"""The same of further photographs, whose views are of 160 pixels."""
_PHOTOGRAPHS_LONGEST: Final = 288
_NEAR: Final = 6
"""Bits of 64 in which the fingerprints of near copies differ at most."""
_LONGEST: Final = 416
"""Longer sides are cut to this around the center: panoramas would pad the tensor of all pictures."""
_TEST_PATTERNS: Final = frozenset({"testsrc2.mp4", "var_fps_video.mp4", "h265_video.mp4", "h265_10bits.mp4"})
PEOPLE_CLIPS: Final = ("asl_walk.mkv", "flv_sample.flv", "flipping_a_pancake.mkv")
"""The clips of the shared folder that show people (found with the teacher, then looked at)."""
_PANCAKE_TRAINING: Final = 0.6
"""Of the third people clip this share, from its start, trains; the rest, and all of the first two clips, is
held back.
"""
_MOST_PEOPLE: Final = 460
_MOST_BACKGROUNDS: Final = 90


def fitted(pixels: np.ndarray, side: int = SIDE, longest: int = _LONGEST) -> np.ndarray:
    """Return a (height, width, 3) picture with its shorter side reduced to `side` and its longer one cut to
    `longest` pixels.
    """
    height, width = pixels.shape[:2]
    ratio = side / min(height, width)
    if ratio < 1:
        size = (max(side, round(width * ratio)), max(side, round(height * ratio)))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    top, left = (max(0, n - longest) // 2 for n in pixels.shape[:2])
    return pixels[top : top + longest, left : left + longest]


def frames(clip: Path, most: int, difference: float = 6.0) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (number, BGR picture) of at most `most` frames that differ from the one before by `difference`
    gray levels on average.
    """
    last: np.ndarray | None = None
    kept: list[tuple[int, np.ndarray]] = []
    with av.open(str(clip)) as container:
        container.streams.video[0].thread_type = "AUTO"
        for number, frame in enumerate(container.decode(video=0)):
            if number % 3:
                continue
            small = frame.reformat(width=32, height=32, format="gray").to_ndarray().astype(np.float32)
            if last is not None and np.abs(small - last).mean() < difference:
                continue
            last = small
            kept.append((number, fitted(frame.to_ndarray(format="bgr24"))))
    step = max(1.0, len(kept) / most)
    for place in range(min(most, len(kept))):
        yield kept[int(place * step)]


def _files(folder: Path) -> list[Path]:
    found = (
        sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
        if folder.is_dir()
        else []
    )
    if not found:
        raise SourceNotFoundError(
            f"{folder.name} holds no pictures; give the folder of shared material with --shared."
        )
    return found


def _read(path: Path, side: int = SIDE) -> np.ndarray:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise SourceDamagedError(f"{path.name} cannot be decoded; take it out of the folder.")
    return fitted(pixels, side)


def held_back(names: list[str], count: int = 100) -> frozenset[str]:
    """Return `count` of the names that carry a class index, chosen by their hash: the same ones for ever."""
    indexed = [name for name in names if name.startswith("imagenet_")]
    return frozenset(sorted(indexed, key=lambda name: hashlib.sha256(name.encode()).digest())[:count])


def fingerprint(pixels: np.ndarray) -> np.ndarray:
    """Return 64 bits, whether each of 8 x 8 areas is darker than its right neighbor: near copies differ in
    few.
    """
    gray = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (9, 8), interpolation=cv2.INTER_AREA)
    return np.asarray(gray[:, 1:] > gray[:, :-1])


def resembles(pixels: np.ndarray, others: list[np.ndarray]) -> bool:
    """Tell whether a picture or its mirror image is a near copy of one of those whose fingerprints are given."""
    if not others:
        return False
    mine, seen = fingerprint(pixels), np.stack(others)
    apart = np.minimum((mine ^ seen).sum(axis=(1, 2)), (mine[:, ::-1] ^ ~seen).sum(axis=(1, 2)))
    return bool(apart.min() <= _NEAR)


def classifier_pictures(shared: Path, per_clip: int, held_people: list[Judged]) -> Iterator[Picture]:
    """Yield the photographs, 100 of those with a class index held back, and frames of the clips that are no
    test pattern.

    `held_people`: what the detector's training must not see; near copies of them are left out too.
    """
    files = _files(shared / "train/natural")
    held, seen = held_back([path.name for path in files]), [fingerprint(item.pixels) for item in held_people]
    for path in files:
        pixels = _read(path)
        if path.name in held or not resembles(pixels, seen):
            yield Picture(path.stem, pixels, HELD if path.name in held else TRAIN)
    for path in _files(shared / "train/people"):
        pixels = _read(path, PEOPLE_SIDE)
        if not resembles(pixels, seen):
            yield Picture(f"people_{path.stem}", pixels)
    for clip in sorted((shared / "video/files").iterdir()):
        if clip.name not in _TEST_PATTERNS:
            for number, pixels in frames(clip, per_clip):
                yield Picture(f"{clip.stem}_{number:04d}", pixels)


def photographs(folder: Path, shared: Path, number: int, parts: int) -> Iterator[Picture]:
    """Yield each `parts`-th photograph of a folder, but for near copies of the evaluation pictures and those
    held back.
    """
    natural = _files(shared / "train/natural")
    held = held_back([path.name for path in natural])
    judged_on = [*_files(shared / "images/eval"), *(path for path in natural if path.name in held)]
    seen = [fingerprint(_read(path)) for path in judged_on]
    for path in _files(folder)[number::parts]:
        pixels = _read(path)
        if not resembles(pixels, seen):
            yield Picture(path.stem, fitted(pixels, PHOTOGRAPHS_SIDE, _PHOTOGRAPHS_LONGEST))


def diffusion_pictures(shared: Path) -> Iterator[Picture]:
    """Yield photographs, 60 of those with a class index held back, and every third picture of people, as a
    denoiser trains on them.
    """
    files = _files(shared / "train/natural")
    held = held_back([path.name for path in files], 60)
    for path in files:
        yield Picture(path.stem, _read(path, DIFFUSION_SIDE), HELD if path.name in held else TRAIN)
    for path in _files(shared / "train/people")[::3]:
        yield Picture(f"people_{path.stem}", _read(path, DIFFUSION_SIDE))


def mask_pictures(shared: Path) -> Iterator[Picture]:
    """Yield photographs that the teacher finds people in (`person_...`), backgrounds, and the people clips'
    frames.
    """
    score = coverage(shared / "models/segment/obs_selfie_segmentation.onnx")
    people = backgrounds = 0
    for path in sorted(
        _files(shared / "train/natural"), key=lambda p: hashlib.sha256(p.name.encode()).digest()
    ):
        pixels = _read(path)
        share = score(pixels)
        if 0.03 <= share <= 0.9 and people < _MOST_PEOPLE:
            people += 1
            yield Picture(f"person_{path.stem}", pixels)
        elif share < 0.005 and backgrounds < _MOST_BACKGROUNDS:
            backgrounds += 1
            yield Picture(f"background_{path.stem}", pixels)
    for name in PEOPLE_CLIPS:
        clip = shared / "video/files" / name
        yield from _people(clip, whole=name != PEOPLE_CLIPS[2])


def _people(clip: Path, whole: bool) -> Iterator[Picture]:
    """Yield every second frame of a clip with people (neighbors are wanted: flicker is measured on them)."""
    with av.open(str(clip)) as container:
        shown = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    first_held = 0 if whole else int(_PANCAKE_TRAINING * len(shown))
    for number, pixels in enumerate(shown):
        part = HELD if number >= first_held else TRAIN
        if number % 2 == 0:
            yield Picture(f"clip_{clip.stem}_{number:04d}", fitted(pixels), part)


def people_pictures(folder: Path) -> tuple[list[Picture], dict[str, np.ndarray]]:
    """Return the pictures that a folder's `people.json` lists, and what is known of them as arrays for a pack
    (training/common/people.py).

    `people.json`: {"pictures": [{"file", "part": 0 or 1, "known": whether every person has a box, "boxes":
    [[left, top, right, bottom, `PERSON` or `CROWD`], ...], "mask": an image file, "none" where no person is, or
    null, "taught": whether the mask is a network's; false if it is left out}]}.
    """
    index = folder / "people.json"
    if not index.exists():
        raise SourceNotFoundError(
            f"{folder} has no people.json; give the folder of the pictures with --folder."
        )
    pictures, rows, masks, kinds, known = [], [], [], [], []
    for number, entry in enumerate(json.loads(index.read_text())["pictures"]):
        file = folder / entry["file"]
        pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if pixels is None:
            raise SourceDamagedError(f"{file.name} cannot be decoded; take it out of {index.name}.")
        pictures.append(Picture(file.stem, pixels, entry["part"]))
        rows += [[number, *box] for box in entry["boxes"]]
        known.append(entry["known"])
        is_file = entry["mask"] not in (None, "none")
        masks.append(np.fromfile(folder / entry["mask"], np.uint8) if is_file else np.zeros(0, np.uint8))
        kind = TAUGHT_MASK if entry.get("taught", False) else TRUE_MASK
        kinds.append(NO_MASK if entry["mask"] is None else kind)
    return pictures, {
        "boxes": np.array(rows, np.float32).reshape(-1, 6),
        "known": np.array(known, np.uint8),
        "mask_data": np.concatenate(masks),
        "mask_ends": np.cumsum([len(mask) for mask in masks]).astype(np.int64),
        "mask_kind": np.array(kinds, np.uint8),
    }


def halved(source: Path, target: Path) -> int:
    """Write an fp16 copy of an fp32 network and return its size in bytes; the training computes the teacher
    in fp16 anyway.
    """
    model = onnx.load(str(source))
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    del model.graph.value_info[:]
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    onnx.checker.check_model(model, full_check=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(target))
    return target.stat().st_size


def written(
    path: Path, pictures: Iterable[Picture], quality: int, more: Mapping[str, np.ndarray] | None = None
) -> None:
    """Write a pack and print its size."""
    size = write_pack(path, pictures, quality, more)
    print(f"{path}: {len(np.load(path)['names'])} pictures, {size / 1e6:.1f} MB", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Write the pack that the command line names and print its size."""
    parser = argparse.ArgumentParser(prog="python -m training.pack", description=__doc__.splitlines()[0])
    parser.add_argument(
        "kind",
        choices=("classifier", "mask", "detector", "people", "diffusion", "photographs", "teacher"),
    )
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="folder of shared material")
    parser.add_argument("--out", type=Path, default=Path("out/training"), help="folder for the packs")
    parser.add_argument("--quality", type=int, default=76, help="WebP quality, 1 to 100")
    parser.add_argument("--per-clip", type=int, default=60, help="frames of a clip, at most")
    parser.add_argument("--folder", type=Path, help="of the photographs, or of the pictures of people")
    parser.add_argument("--parts", type=int, default=1, help="packs that the photographs are divided into")
    options = parser.parse_args(arguments)
    if options.kind == "photographs":
        if options.folder is None:
            parser.error("give the photographs' --folder")
        for number in range(options.parts):
            written(
                options.out / f"photographs_{number + 1}.npz",
                photographs(options.folder, options.shared, number, options.parts),
                options.quality,
            )
        return 0
    if options.kind == "teacher":
        size = halved(
            options.shared / "models/classify/mobilenet_v2_1.0_224_f32.onnx", options.out / "teacher.onnx"
        )
        print(f"{options.out / 'teacher.onnx'}: {size / 1e6:.1f} MB")
        return 0
    path = options.out / f"{options.kind}.npz"
    more: Mapping[str, np.ndarray] = {}
    if options.kind == "classifier":
        held = read_judged(options.out / "detector.npz")
        pictures = classifier_pictures(options.shared, options.per_clip, held)
    elif options.kind == "detector":
        models = options.shared / "models"
        held = judged(
            options.shared, models / "detect/yolox_nano_zoo.onnx", models / "face/yunet_n_dynamic.onnx"
        )
        pictures, more = (Picture(item.name, item.pixels, HELD) for item in held), table(held)
    elif options.kind == "people":
        if options.folder is None:
            parser.error("give the pictures' --folder")
        found, more = people_pictures(options.folder)
        pictures = iter(found)
    elif options.kind == "diffusion":
        pictures = diffusion_pictures(options.shared)
    else:
        pictures = mask_pictures(options.shared)
    written(path, pictures, options.quality, more)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
