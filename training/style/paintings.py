"""Style pictures: two painted by the project itself, and paintings in the public domain.

Each painter renders one made-up landscape (`Scene`) in a technique of its own: `ink` (pen hatching over a
wash) and `oil` (bristle strokes along a flow field, lit as impasto). Everything is drawn from one seeded
generator, in NumPy and OpenCV: the same seed gives the same picture. The paintings of `Artwork` lie in the
folder of shared material.

    python -m training.style.paintings OUT_FOLDER [--size 768]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import SourceDamagedError, SourceNotFoundError

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
SIZE = 768
PAINTINGS = Path("../shared/train/styles")


@dataclass(frozen=True)
class Scene:
    """Subject of a painting, before any technique. All arrays are H x W (x 3) float32.

    tone: lightness, 0..1. flow: direction of strokes, radians. region: 0 for the sky, then ridges from far to
    near, 1..5; float only for OpenCV's sake. color: RGB 0..1. light: 1 in the sun's disc, falling around it.
    """

    tone: F32
    flow: F32
    region: F32
    color: F32
    light: F32


def noise(rng: np.random.Generator, size: int, cells: float, octaves: int = 4, gain: float = 0.5) -> F32:
    """Fractal value noise, size x size, about 0..1; `cells` is the lattice of the coarsest octave."""
    total = np.zeros((size, size), np.float32)
    weight, norm = 1.0, 0.0
    for octave in range(octaves):
        n = max(2, min(size, round(cells * 2**octave)) + 3)
        lattice = rng.random((n, n), dtype=np.float32)
        big = cv2.resize(lattice, (size + size // 4,) * 2, interpolation=cv2.INTER_CUBIC)
        total += weight * big[size // 8 : size // 8 + size, size // 8 : size // 8 + size]
        norm += weight
        weight *= gain
    return np.clip((total / norm - 0.5) * 1.6 + 0.5, 0, 1).astype(np.float32)


def rgb(*codes: str) -> F32:
    """Colors written rrggbb -> N x 3, 0..1."""
    return np.array([[int(c[i : i + 2], 16) / 255 for i in (0, 2, 4)] for c in codes], np.float32)


def ramp(palette: F32, t: F32) -> F32:
    """Colors of a palette (N x 3) at positions t in 0..1, linearly between neighbors; shape t.shape + (3,)."""
    x = np.clip(t, 0, 1) * (len(palette) - 1)
    i = np.clip(x.astype(np.int32), 0, len(palette) - 2)
    f = (x - i)[..., None]
    return (palette[i] * (1 - f) + palette[i + 1] * f).astype(np.float32)


def mix(a: F32, b: F32, t: F32) -> F32:
    """a where t is 0, b where t is 1; t is H x W or broadcasts."""
    t = t[..., None] if t.ndim == 2 and a.ndim == 3 else t
    return (a * (1 - t) + b * t).astype(np.float32)


def smoothstep(low: float, high: float, x: F32) -> F32:
    t = np.clip((x - low) / (high - low), 0, 1)
    return (t * t * (3 - 2 * t)).astype(np.float32)


def paint_scene(rng: np.random.Generator, size: int, sky: F32, land: list[F32]) -> Scene:
    """A sun over ridges and a river plain; `sky` is a palette from the horizon up, `land` one per ridge, far
    to near.
    """
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    sun = np.array([0.68, 0.24], np.float32)
    dx, dy = x - sun[0], y - sun[1]
    distance = np.sqrt(dx * dx + dy * dy)
    swirl = noise(rng, size, 2.5, 3)
    light = np.exp(-np.maximum(distance - 0.085, 0) * 9).astype(np.float32)
    height = np.clip(1 - y * 1.7 + 0.35 * (swirl - 0.5), 0, 1).astype(np.float32)
    clouds = smoothstep(0.45, 0.75, noise(rng, size, 3.5, 5))
    color = mix(mix(ramp(sky, height), sky[0] * 0.4 + 0.6, clouds * 0.45), sky[-1] * 0 + sky[0], light * 0.8)
    color[distance < 0.085] = np.clip(sky[0] * 0.3 + np.array([0.72, 0.66, 0.45], np.float32), 0, 1)
    tone = 0.45 + 0.35 * clouds + 0.45 * light - 0.25 * height
    # Around the sun the strokes run in circles, elsewhere along the noise's contours.
    gy, gx = np.gradient(cv2.GaussianBlur(swirl, (0, 0), size / 40))
    around = np.arctan2(dx, -dy)
    flow = np.where(light > 0.3, around, np.arctan2(gx, -gy)).astype(np.float32)
    region = np.zeros((size, size), np.float32)
    count = len(land)
    for index, palette in enumerate(land):
        base = 0.42 + 0.50 * (index / count) ** 1.05
        rough = 0.20 * (1 - index / count) + 0.05
        profile = noise(rng, size, 2.5 + index, 6)[size // 2]
        ridge = base + rough * (0.5 - profile)
        below = y > ridge[None, :]
        depth = np.clip((y - ridge[None, :]) / 0.28, 0, 1).astype(np.float32)
        patch = noise(rng, size, 4 + 3 * index, 5)
        slope = np.gradient(cv2.GaussianBlur(profile[None, :], (0, 0), size / 60)[0]) * size * rough
        shade = 0.55 * patch + 0.3 * (1 - depth) + 0.12 * np.tanh(slope)[None, :]
        color[below] = ramp(palette, np.clip(shade * 1.25 - 0.1, 0, 1).astype(np.float32))[below]
        tone[below] = (0.12 + 0.75 * shade)[below] * (0.95 - 0.10 * index)
        angle = np.arctan(-slope)[None, :] * 0.8 + (patch - 0.5) * 2.2 + (0.5 if index % 2 else -0.35)
        flow[below] = np.broadcast_to(angle, (size, size))[below]
        region[below] = index + 1
    return Scene(np.clip(tone, 0, 1).astype(np.float32), flow, region, np.clip(color, 0, 1), light)


def borders(region: F32) -> U8:
    """255 on the lines between regions, one pixel wide."""
    edge = np.zeros(region.shape, np.uint8)
    edge[1:] |= (region[1:] != region[:-1]).astype(np.uint8)
    edge[:, 1:] |= (region[:, 1:] != region[:, :-1]).astype(np.uint8)
    return edge * np.uint8(255)


def to_u8(picture: NDArray[Any]) -> U8:
    return (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)


# ---------------------------------------------------------------- ink


def trace(flow: F32, starts: F32, steps: int, step: float) -> F32:
    """Streamlines of a direction field from N starts (x, y): N x steps x 2, all traced at once."""
    size = flow.shape[0]
    points = np.empty((len(starts), steps, 2), np.float32)
    at = starts.astype(np.float32).copy()
    for i in range(steps):
        points[:, i] = at
        ix = np.clip(at.astype(np.int32), 0, size - 1)
        angle = flow[ix[:, 1], ix[:, 0]]
        at += np.float32(step) * np.stack([np.cos(angle), np.sin(angle)], 1)
    return points


def jittered(rng: np.random.Generator, size: int, spacing: float, jitter: float = 0.8) -> F32:
    """Points (x, y) of a jittered grid over size x size, shuffled."""
    n = int(size / spacing) + 1
    gy, gx = np.mgrid[0:n, 0:n].astype(np.float32)
    points: F32 = np.stack([gx, gy], -1).reshape(-1, 2) * np.float32(spacing)
    points += (rng.random(points.shape, dtype=np.float32) - 0.5) * np.float32(spacing * jitter)
    np.clip(points, 0, size - 1, out=points)
    return points[rng.permutation(len(points))]


def ink(rng: np.random.Generator, size: int = SIZE) -> U8:
    """Pen and wash: cross-hatching whose density is the tone, dark outlines, two washes on warm paper."""
    blue = rgb("f3ead6", "c9d4d0", "86a6b4", "3f6d8a", "274a6a")
    scene = paint_scene(rng, size, blue, [rgb("2d4558", "a8bcc0", "efe6d2")] * 5)
    scale = 2  # pen lines are drawn twice as large and averaged down: OpenCV's own antialiasing is coarser
    big = size * scale
    page = np.full((big, big), 255, np.uint8)
    # Ranks instead of values: the share of white paper is then the same whatever the noise gave.
    dark = 1 - (np.argsort(np.argsort(scene.tone.ravel())) / scene.tone.size).reshape(size, size)
    for layer, turn in enumerate((0.0, 0.95, -0.75, 1.6)):
        threshold = (0.34, 0.58, 0.76, 0.88)[layer]
        points = jittered(rng, size, 10.0 + layer)
        ix = points.astype(np.int32)
        points = points[dark[ix[:, 1], ix[:, 0]] > threshold]
        lines = trace(scene.flow + np.float32(turn), points, 9, 3.4)
        wobble = rng.normal(0, 0.35, lines.shape).astype(np.float32)
        weight = dark[
            np.clip(lines[:, 4, 1].astype(int), 0, size - 1), np.clip(lines[:, 4, 0].astype(int), 0, size - 1)
        ]
        for line, w in zip((lines + wobble) * scale * 16, weight, strict=True):
            width = 1 + int((w - threshold) * 4 + rng.random() * 0.9)
            cv2.polylines(page, [line.astype(np.int32)], False, 0, max(1, min(width, 4)), cv2.LINE_AA, 4)
    contour = cv2.resize(borders(scene.region), (big, big), interpolation=cv2.INTER_LINEAR)
    contour = cv2.dilate(contour, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    broken = noise(rng, big, 40, 2)
    page[(contour > 0) & (broken > 0.3)] = 0
    for radius in (0.085, 0.12, 0.165):
        cv2.circle(page, (int(0.68 * big), int(0.24 * big)), int(radius * big), 0, 3, cv2.LINE_AA)
    strokes = cv2.resize(page, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    spots = rng.random((size, size)) < 0.00025
    splash = cv2.GaussianBlur(cv2.dilate(spots.astype(np.float32), np.ones((3, 3))), (0, 0), 0.8)
    paper = 1 - 0.05 * noise(rng, size, 180, 2)[..., None] - 0.03 * noise(rng, size, 6, 3)[..., None]
    # A wash pools: darker along its border, granulated inside.
    wet = smoothstep(0.50, 0.60, dark + 0.55 * (noise(rng, size, 5, 5) - 0.5))
    edge = np.clip(cv2.GaussianBlur(wet, (0, 0), 7) - cv2.GaussianBlur(wet, (0, 0), 2), 0, 1) * wet * 3
    grain = 0.75 + 0.5 * noise(rng, size, 120, 2)
    sepia, indigo = rgb("b9854a")[0], rgb("3c6488")[0]
    page_color = rgb("f6edd9")[0] * paper
    warm = smoothstep(0.45, 0.75, noise(rng, size, 3, 3))
    page_shape = (size, size, 3)
    wash = mix(np.broadcast_to(indigo, page_shape), np.broadcast_to(sepia, page_shape), warm)
    coverage = np.clip((0.5 * wet + edge) * grain, 0, 0.9)
    picture = page_color * (1 - coverage[..., None] * (1 - wash))
    line = np.clip(strokes - splash, 0, 1)[..., None]
    return to_u8(picture * (rgb("1a1720")[0] * (1 - line) + line))


# ---------------------------------------------------------------- stained glass


def brushes(rng: np.random.Generator, count: int, length: int = 96, width: int = 30) -> list[tuple[F32, F32]]:
    """Bent bristle strokes: pairs of coverage and paint height, `length` x `length`, along x."""
    made = []
    y, x = np.mgrid[0:length, 0:length].astype(np.float32)
    for _ in range(count):
        bend = rng.normal(0, 0.0032)
        across = (y - length / 2 - bend * (x - length / 2) ** 2 + bend * 300) / (width / 2)
        along = x / length
        hair = cv2.GaussianBlur(rng.random(400).astype(np.float32)[None], (0, 0), 1.3)[0]
        hair = np.clip((hair - hair.mean()) / hair.std() * 0.26 + 0.55, 0, 1)
        bristle = hair[np.clip(((across + 1) * 46).astype(np.int32), 0, 399)]
        ragged = 0.10 * hair[np.clip(((across + 1) * 30 + 150).astype(np.int32), 0, 399)]
        body = smoothstep(1.0, 0.82, np.abs(across)) * smoothstep(0.02, 0.08, along - ragged)
        body *= smoothstep(0.99, 0.86, along + ragged * 2.2)
        dry = smoothstep(0.30 + 0.0, 0.62, bristle + 0.75 * (1 - along))
        made.append(
            (
                np.clip(body * dry, 0, 1),
                (body * (0.35 + 0.65 * bristle) * (0.75 + 0.5 * along)).astype(np.float32),
            )
        )
    return made


def stamp(
    canvas: F32, relief: F32, brush: tuple[F32, F32], at: F32, angle: float, scale: float, color: F32
) -> None:
    """Paint one stroke of a brush centered at (x, y) into canvas (RGB) and relief, in place."""
    length = brush[0].shape[0]
    half = int(length * scale * 0.72) + 1
    x0, y0 = max(int(at[0]) - half, 0), max(int(at[1]) - half, 0)
    x1, y1 = min(int(at[0]) + half, canvas.shape[1]), min(int(at[1]) + half, canvas.shape[0])
    matrix = cv2.getRotationMatrix2D((length / 2, length / 2), -np.degrees(angle), scale)
    matrix[:, 2] += (float(at[0]) - x0 - length / 2, float(at[1]) - y0 - length / 2)
    cover = cv2.warpAffine(brush[0], matrix, (x1 - x0, y1 - y0))
    height = cv2.warpAffine(brush[1], matrix, (x1 - x0, y1 - y0))
    streak = (0.86 + 0.26 * height)[..., None]
    canvas[y0:y1, x0:x1] += cover[..., None] * (color * streak - canvas[y0:y1, x0:x1])
    relief[y0:y1, x0:x1] += cover * (height * scale - relief[y0:y1, x0:x1])


def oil(rng: np.random.Generator, size: int = SIZE) -> U8:
    """Oil: layers of ever smaller bristle strokes along the flow, broken color, lit from the upper left."""
    sky = rgb("fff2b0", "f6c445", "9cc3c0", "4f8fc4", "2a5cae", "16286e")
    land = [
        rgb("1b2f6b", "3c66a8", "8fb6d0"), rgb("1c3f5e", "3b7f86", "a9c79a"), rgb("22451f", "6b9136", "d7c94b"),
        rgb("5b3a12", "c8862a", "f4d25a"), rgb("12301f", "3f7a35", "c9b53a"),
    ]  # fmt: skip
    scene = paint_scene(rng, size, sky, land)
    canvas = np.broadcast_to(rgb("7a5530")[0], (size, size, 3)).astype(np.float32).copy()
    relief = np.zeros((size, size), np.float32)
    kinds = brushes(rng, 24)
    smooth = cv2.GaussianBlur(scene.color, (0, 0), 2)
    for spacing, scale, share in ((22.0, 0.95, 1.0), (13.0, 0.58, 0.9), (9.5, 0.40, 0.55)):
        for at in jittered(rng, size, spacing):
            if rng.random() > share:
                continue
            ix, iy = int(at[0]), int(at[1])
            color = smooth[iy, ix] * (1 + rng.normal(0, 0.10)) + rng.normal(0, 0.045, 3)
            if rng.random() < 0.10:  # broken color: now and then a complementary or a light stroke
                color = 0.55 * color + 0.45 * (rgb("f4e3b0", "e0783a", "24408e", "79b0a0")[rng.integers(4)])
            angle = float(scene.flow[iy, ix]) + rng.normal(0, 0.16)
            stamp(
                canvas,
                relief,
                kinds[rng.integers(24)],
                at,
                angle,
                scale * rng.uniform(0.85, 1.15),
                color.astype(np.float32),
            )
    weave = 0.04 * noise(rng, size, 250, 1)
    gy, gx = np.gradient(cv2.GaussianBlur(relief + weave, (0, 0), 0.7))
    shade = np.clip(-(gx + gy) * 1.5, -0.22, 0.30)
    return to_u8(canvas + shade[..., None] * 0.9)


# ---------------------------------------------------------------- risograph


@dataclass(frozen=True)
class Style:
    """A style drawn here: the app's title and sentence for it, its painter, the seed of its picture."""

    title: str
    help: str
    painter: Callable[..., U8]
    seed: int


@dataclass(frozen=True)
class Artwork:
    """A style learned from a painting in the public domain, which the repository does not hold: the app's title
    and sentence, the file in the folder of paintings, and the share of the picture to learn from (left, top,
    right, bottom in 0..1), without frame and signature.
    """

    title: str
    help: str
    file: str
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)


STYLES: dict[str, Style | Artwork] = {
    "ink": Style("Ink and wash", "Pen hatching over blue and brown washes on paper.", ink, 7),
    "oil": Style("Oil strokes", "Thick bristle strokes that follow the picture's forms.", oil, 5),
    "wave": Artwork(
        "Great wave",
        "A woodblock print in Prussian blue and cream, after Hokusai.",
        "hokusai_great_wave_1831.jpg",
    ),
    "starry": Artwork(
        "Starry night",
        "Swirling strokes in blue and yellow, after van Gogh.",
        "van_gogh_starry_night_1889.jpg",
    ),
    "scream": Artwork(
        "The Scream", "Wavy bands in orange and dark blue, after Munch.", "munch_the_scream_1893.jpg"
    ),
    "abstract": Artwork(
        "Composition", "Bright shapes and black lines, after Kandinsky.", "kandinsky_composition_vii_1913.jpg"
    ),
}


def paint(name: str, size: int = SIZE, folder: Path | None = None) -> U8:
    """The picture of a style: size x size x 3 RGB if it is drawn here, else with a shorter side of `size`.

    `folder` holds the paintings. KeyError for an unknown name.

    Raises:
        SourceNotFoundError: the painting is not there.
        SourceDamagedError: it cannot be decoded.
    """
    style = STYLES[name]
    if isinstance(style, Style):
        return style.painter(np.random.default_rng(style.seed), size)
    path = (folder or PAINTINGS) / style.file
    if not path.is_file():
        raise SourceNotFoundError(f"{style.file} is missing; name the folder of paintings with --paintings.")
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SourceDamagedError(f"{style.file} cannot be decoded; get it again.")
    height, width = picture.shape[:2]
    left, top, right, bottom = style.part
    picture = picture[
        round(top * height) : round(bottom * height), round(left * width) : round(right * width)
    ]
    ratio = size / min(picture.shape[:2])
    smaller = cv2.resize(picture, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(cv2.cvtColor(smaller, cv2.COLOR_BGR2RGB), np.uint8)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=SIZE)
    chosen: Any = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for name in (name for name, style in STYLES.items() if isinstance(style, Style)):
        cv2.imwrite(
            str(chosen.folder / f"{name}.png"), cv2.cvtColor(paint(name, chosen.size), cv2.COLOR_RGB2BGR)
        )


if __name__ == "__main__":
    main()
