"""Draws the layers of the built-in sample into assets/sample: `python -m training.sample_art`. Needs OpenCV.

All of it is drawn by this file. Each layer is a WebP whose Y, U and V are BT.709 in limited range, as the
sample's frames want them, beside straight alpha. (A viewer takes WebP for BT.601 and shows other greens.)
Lengths are pixels of a frame of 720 rows. Drawing is done at twice that size and averaged down.

What the classifier in the box says of each thing was looked at while it was drawn: shading and proportions
are those at which it is sure, and at which a person is too; tests/cpu/test_sources_sample.py holds the
drawing to the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Color = tuple[float, float, float]
Points = Iterable[tuple[float, float]]

FOLDER: Final = Path(__file__).resolve().parents[1] / "assets" / "sample"
_OVER: Final = 2
_PERIOD: Final = 1920
# ITU-R BT.709, item 3.2 and 3.3: luma and color difference of R'G'B' in 0..1.
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722])
_CB: Final = np.array([-0.2126, -0.7152, 0.9278]) / 1.8556
_CR: Final = np.array([0.7874, -0.7152, -0.0722]) / 1.5748


def smooth(low: float, high: float, x: Floats) -> Floats:
    """Return 0 below `low`, 1 above `high` (or the reverse), and a smooth step between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def noise(height: int, width: int, cell: float, seed: int, octaves: int = 4) -> Floats:
    """Return value noise in 0..1 that repeats after `width`."""
    pick = np.random.default_rng(seed)
    total, weight = np.zeros((height, width)), 0.0
    for octave in range(octaves):
        columns = max(2, round(width / cell * 2**octave))
        rows = max(2, round(height / cell * 2**octave) + 1)
        grid = np.tile(pick.random((rows, columns)), (1, 3))
        total += (
            0.5**octave
            * cv2.resize(grid, (3 * width, height), interpolation=cv2.INTER_CUBIC)[:, width : 2 * width]
        )
        weight += 0.5**octave
    return total / weight


class Drawing:
    """R'G'B' in 0..255, premultiplied, and alpha; coordinates are the layer's pixels.

    Args:
        width: pixels.
        height: pixels.
        wraps: whether what leaves on the right comes back on the left.
    """

    def __init__(self, width: int, height: int, *, wraps: bool = False) -> None:
        self.width, self.height, self._wraps = width, height, wraps
        self.rgb: Floats = np.zeros((height * _OVER, width * _OVER, 3))
        self.alpha: Floats = np.zeros((height * _OVER, width * _OVER))
        rows, columns = np.mgrid[0 : height * _OVER, 0 : width * _OVER]
        self.y: Floats = (rows + 0.5) / _OVER
        self.x: Floats = (columns + 0.5) / _OVER

    def put(self, color: Floats | Color, mask: Floats) -> None:
        """Paint where `mask` (0..1) says."""
        paint = np.clip(np.asarray(color, float), 0, 255)
        self.rgb = self.rgb * (1 - mask[..., None]) + paint * mask[..., None]
        self.alpha = self.alpha * (1 - mask) + mask

    def area(self, points: Points) -> Floats:
        """Return the mask of a polygon."""
        corners = np.round(np.array(list(points)) * _OVER * 16).astype(np.int32)
        mask = np.zeros(self.alpha.shape, np.uint8)
        shifts = (-self.width, 0, self.width) if self._wraps else (0,)
        for shift in shifts:
            cv2.fillPoly(mask, [corners + np.array([shift * _OVER * 16, 0])], (255,), cv2.LINE_AA, 4)
        return mask / 255

    def polygon(self, points: Points, color: Floats | Color) -> None:
        """Fill a polygon."""
        self.put(color, self.area(points))

    def rectangle(self, x: float, y: float, width: float, height: float, color: Floats | Color) -> None:
        """Fill a rectangle."""
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], color)

    def ellipse(self, x: float, y: float, rx: float, ry: float, color: Color) -> None:
        """Fill an ellipse about (x, y)."""
        turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        self.polygon([(x + rx * math.cos(a), y + ry * math.sin(a)) for a in turn], color)

    def line(self, points: Points, color: Color, thickness: float) -> None:
        """Draw a line."""
        corners = np.round(np.array(list(points)) * _OVER * 16).astype(np.int32)
        mask = np.zeros(self.alpha.shape, np.uint8)
        for shift in (-self.width, 0, self.width) if self._wraps else (0,):
            moved = [corners + np.array([shift * _OVER * 16, 0])]
            cv2.polylines(mask, moved, False, (255,), max(1, round(thickness * _OVER)), cv2.LINE_AA, 4)
        self.put(color, mask / 255)

    def save(self, name: str, quality: int = 88) -> None:
        """Average down, convert, and write the layer."""
        size = (self.width, self.height)
        alpha = cv2.resize(self.alpha, size, interpolation=cv2.INTER_AREA)
        rgb = cv2.resize(self.rgb, size, interpolation=cv2.INTER_AREA)
        # Where nothing is, the nearest colors: an edge that is scaled or compressed gets no dark seam.
        spread, weight = rgb.copy(), alpha.copy()
        for sigma in (1.5, 4.0, 12.0, 40.0):
            empty = (alpha < 1e-3)[..., None]
            far = cv2.GaussianBlur(rgb, (0, 0), sigma)
            share = cv2.GaussianBlur(alpha, (0, 0), sigma)
            use = empty[..., 0] & (weight < 1e-3) & (share > 1e-3)
            spread[use], weight[use] = far[use], share[use]
        write_webp(
            FOLDER / f"{name}.webp", spread / np.maximum(weight, 1e-6)[..., None] / 255, alpha, quality
        )


def write_webp(path: Path, rgb: Floats, alpha: Floats, quality: int) -> None:
    """Write R'G'B' and alpha in 0..1 as described above; without alpha where all of it is 1."""
    height, width = alpha.shape
    opaque = alpha.min() > 0.999
    half = cv2.resize(rgb, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    # Dithered: a sky of 8 bits would show bands that a sharpening filter then draws out.
    dither = np.random.default_rng(1).random((height, width))
    frame = av.VideoFrame(width, height, "yuv420p" if opaque else "yuva420p")
    planes = [np.clip(np.floor(16 + 219 * (rgb @ _LUMA) + dither), 16, 235)]
    planes += [np.clip(np.round(128 + 224 * (half @ row)), 16, 240) for row in (_CB, _CR)]
    if not opaque:
        planes.append(np.round(alpha * 255))
    for plane, values in zip(frame.planes, planes, strict=True):
        rows = np.zeros((values.shape[0], plane.line_size), np.uint8)
        rows[:, : values.shape[1]] = values
        plane.update(rows.tobytes())
    context = av.CodecContext.create("libwebp", "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt = width, height, frame.format.name
    context.time_base, context.thread_count = Fraction(1, 25), 1
    context.options = {"quality": str(quality), "compression_level": "6"}
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(bytes(p) for given in (frame, None) for p in context.encode(given)))


# -- the landscape -------------------------------------------------------------------------------------------


def draw_sky() -> None:
    """Clouds over a gradient; opaque, as wide as the widest usual frame."""
    d = Drawing(_PERIOD, 480)
    down = np.clip(d.y / 480, 0, 1)[..., None]
    rgb = np.array([58, 124, 202.0]) * (1 - down**0.8) + np.array([214, 232, 244.0]) * down**0.8
    shape = noise(d.alpha.shape[0], d.alpha.shape[1], 620 * _OVER, 21, 6)
    body = smooth(0.50, 0.74, shape)
    lit = 0.90 + 0.10 * smooth(0.4, 0.8, np.roll(shape, (14, 10), (0, 1)))
    cloud = np.array([252, 250, 250.0]) * lit[..., None]
    cover = (body * 0.9 * smooth(0, 120, d.y) * (1 - 0.5 * down[..., 0]))[..., None]
    d.put(rgb * (1 - cover) + cloud * cover, np.ones(d.alpha.shape))
    for base, tall, hue, seed in ((470, 92, (150, 172, 204), 5), (484, 60, (112, 142, 172), 9)):
        ridge = base - tall * noise(4, d.alpha.shape[1], 200 * _OVER, seed, 5)[1] ** 1.5
        shade = 0.88 + 0.24 * noise(d.alpha.shape[0], d.alpha.shape[1], 90 * _OVER, seed + 1, 4)
        d.put(np.array(hue, float) * shade[..., None], smooth(0, 2, d.y - ridge[None]))
    d.save("sky")


def draw_sea() -> None:
    """Waves, opaque, from the horizon (row 470) on; repeats."""
    d = Drawing(_PERIOD, 250)
    rows, columns = d.alpha.shape
    near = d.y / 250
    small = cv2.resize(
        np.tile(np.random.default_rng(2).random((rows // 3, columns // 26)), (1, 3)), (columns * 3, rows),
        interpolation=cv2.INTER_CUBIC,
    )[:, columns : 2 * columns]  # fmt: skip
    wide = noise(rows, columns, 300 * _OVER, 9, 4)
    level = 0.74 + 0.40 * small * (0.5 + 0.5 * near) + 0.22 * wide
    color = np.array([34, 104, 152.0]) * level[..., None] + np.array([8, 42, 38.0]) * near[..., None]
    color += np.array([120, 130, 120.0]) * (smooth(0.80, 1.0, small) * near * 0.7)[..., None]
    d.put(color, np.ones(d.alpha.shape))
    d.save("sea", 84)


def draw_meadow() -> None:
    """Grass and flowers below a wavy edge (row 590); repeats."""
    d = Drawing(_PERIOD, 130, wraps=True)
    turn = 2 * np.pi * d.x / _PERIOD
    ridge = 34 + 12 * np.sin(2 * turn) + 7 * np.sin(5 * turn + 1)
    depth = np.clip((d.y - ridge) / 100, 0, 1)
    base = noise(d.alpha.shape[0], d.alpha.shape[1], 110 * _OVER, 4, 5)
    ground = np.array([70, 122, 40.0]) * (0.62 + 0.7 * base[..., None]) * (1.05 - 0.3 * depth[..., None])
    d.put(ground, smooth(0, 1.5, d.y - ridge))
    pick = np.random.default_rng(7)
    rgb = np.ascontiguousarray(d.rgb, np.float32)
    alpha = np.ascontiguousarray(d.alpha, np.float32)
    for y in np.sort(pick.uniform(30, 140, 9000)):
        x = pick.uniform(0, _PERIOD)
        edge = 34 + 12 * math.sin(4 * math.pi * x / _PERIOD) + 7 * math.sin(10 * math.pi * x / _PERIOD + 1)
        if y < edge + 2:
            continue
        lean, tall, green = pick.uniform(-4, 4), 7 + 9 * (y - edge) / 100, pick.uniform(-34, 46)
        for wrap in (-_PERIOD, 0, _PERIOD):
            points = np.array([(x + wrap, y), (x + wrap + lean, y - tall)])
            ends = [tuple(int(v) for v in np.round(p * _OVER * 16)) for p in points]
            paint = (66 + green, 136 + green, 44 + green * 0.3)
            cv2.line(rgb, ends[0], ends[1], paint, 2, cv2.LINE_AA, 4)
            cv2.line(alpha, ends[0], ends[1], (1.0,), 2, cv2.LINE_AA, 4)
    d.rgb, d.alpha = rgb.astype(float), alpha.astype(float)
    petals = ((236, 58, 66), (250, 210, 44), (246, 246, 250), (186, 84, 216), (70, 116, 236))
    for _ in range(90):
        x, depth_of = pick.uniform(0, _PERIOD), pick.uniform(0, 1)
        size, y = 2.0 + 3.5 * depth_of, 58 + 66 * depth_of
        hue = petals[int(pick.integers(len(petals)))]
        for k in range(6):
            a = 2 * math.pi * k / 6
            d.ellipse(x + size * math.cos(a), y + size * math.sin(a), size * 0.7, size * 0.7, hue)
        d.ellipse(x, y, size * 0.6, size * 0.6, (250, 196, 40))
    d.save("meadow", 84)


# -- what is to be named -------------------------------------------------------------------------------------


def draw_balloon(name: str, radius: float, hues: tuple[Color, ...], gores: int) -> None:
    """A hot-air balloon: a surface of revolution in gores, lit from the upper left."""
    d = Drawing(int(radius * 1.12) * 2, int(radius * 1.48) * 2)
    cx, cy = d.width / 2, radius * 1.06
    v, along = (d.y - cy) / radius, (d.x - cx) / radius
    low = math.sqrt(1 - 0.15**2) * (1 - 0.80 * np.clip((v - 0.15) / 1.2, 0, 1) ** 1.35)
    outline = np.where(v < 0.15, np.sqrt(np.clip(1 - v * v, 0, None)), low)
    u = along / np.maximum(outline, 1e-3)
    soft = 1.0 / radius / np.maximum(outline, 0.05)
    inside = smooth(1.0, -1.0, (np.abs(u) - 1) / soft) * (v > -1) * (v < 1.35)
    gore = np.arcsin(np.clip(u, -1, 1)) / np.pi * gores + 100
    part = gore - np.floor(gore)
    color = np.array(hues)[np.floor(gore).astype(int) % len(hues)]
    zigzag = np.abs(v - 0.05 + 0.20 * np.abs(part - 0.5)) < 0.09
    color = np.where(zigzag[..., None], np.array([250, 250, 245.0]), color)
    around = np.clip(u, -1, 1)
    light = np.clip(0.62 - 0.38 * (0.55 * around + 0.5 * v) + 0.1 * np.sqrt(1 - around**2), 0, 1)
    light = (0.45 + 0.6 * light) * (0.80 + 0.20 * np.sin(part * np.pi))
    d.put(color * light[..., None], inside)
    wide, tall, by = 0.17 * radius, 0.2 * radius, cy + 1.72 * radius
    for side, share in ((-1, 1.0), (1, 1.0), (-1, 0.45), (1, 0.45)):
        top = (cx + side * share * 0.17 * radius, cy + 1.34 * radius)
        d.line([top, (cx + side * share * wide * 0.9, by - tall / 2)], (60, 45, 35), max(0.6, radius * 0.012))
    weave = ((d.x // max(1, radius * 0.03) + d.y // max(1, radius * 0.025)) % 2) * 26
    across = np.clip((d.x - cx + wide) / (2 * wide), 0, 1)
    d.rectangle(
        cx - wide,
        by - tall / 2,
        2 * wide,
        tall,
        (np.array([126, 82, 44.0]) + weave[..., None]) * (1 - 0.35 * across[..., None]),
    )
    d.rectangle(cx - wide - 1, by - tall / 2, 2 * wide + 2, max(1, radius * 0.03), (88, 52, 28))
    d.save(name, 92)


def draw_boat() -> None:
    """A yawl under sail, before the wind."""
    s = 350.0
    d = Drawing(380, 500)
    cx, base = 186.0, 484.0
    hull = [
        (cx - 0.42 * s, base - 0.1 * s),
        (cx + 0.46 * s, base - 0.12 * s),
        (cx + 0.34 * s, base + 0.02 * s),
        (cx - 0.34 * s, base + 0.02 * s),
    ]
    d.polygon(
        hull,
        np.array([248, 248, 246.0]) * (1.0 - 0.2 * np.clip((d.y - base + 0.1 * s) / 40, 0, 1))[..., None],
    )
    stripe = [
        (cx - 0.395 * s, base - 0.03 * s),
        (cx + 0.39 * s, base - 0.03 * s),
        (cx + 0.34 * s, base + 0.02 * s),
        (cx - 0.34 * s, base + 0.02 * s),
    ]
    d.polygon(stripe, (30, 60, 120))
    for x, hue in ((-0.24, (206, 60, 50)), (-0.12, (236, 190, 60))):
        # The crew.
        d.ellipse(cx + x * s, base - 0.13 * s, 0.022 * s, 0.036 * s, hue)
        d.ellipse(cx + x * s, base - 0.18 * s, 0.015 * s, 0.018 * s, (226, 176, 140))
    mast = [
        (cx - 0.012 * s, base - 0.1 * s),
        (cx + 0.008 * s, base - 0.1 * s),
        (cx + 0.004 * s, base - 1.25 * s),
        (cx - 0.004 * s, base - 1.25 * s),
    ]
    d.polygon(mast, (70, 60, 50))
    t = np.linspace(0, 1, 24)
    main = [
        (cx - 0.02 * s - 0.42 * s * k - 0.05 * s * math.sin(math.pi * k), base - 1.2 * s + 1.03 * s * k)
        for k in t
    ]
    cloth = (
        np.array([252, 250, 242.0])
        * (0.84 + 0.16 * np.clip((d.x - cx + 0.4 * s) / (0.5 * s), 0, 1))[..., None]
    )
    cloth = np.where(((d.y - base) % (0.17 * s) < 1.5)[..., None], cloth * 0.92, cloth)
    d.polygon([*main, (cx - 0.02 * s, base - 0.17 * s)], cloth)
    jib = [
        (cx + 0.02 * s + 0.38 * s * k + 0.03 * s * math.sin(math.pi * k), base - 1.1 * s + 0.95 * s * k)
        for k in t
    ]
    d.polygon(
        [*jib, (cx + 0.03 * s, base - 0.2 * s)],
        np.array([238, 242, 246.0])
        * (0.8 + 0.2 * np.clip((cx + 0.4 * s - d.x) / (0.4 * s), 0, 1))[..., None],
    )
    d.line([(cx + 0.45 * s, base - 0.12 * s), (cx, base - 1.22 * s)], (90, 90, 90), 0.7)
    foam = smooth(0.55, 0.8, noise(d.alpha.shape[0], d.alpha.shape[1], 26 * _OVER, 3, 3))
    d.put(
        (236, 244, 248),
        foam
        * smooth(0, 5, d.y - base - 2)
        * smooth(13, 8, d.y - base)
        * smooth(0.44 * s, 0.3 * s, np.abs(d.x - cx)),
    )
    d.save("boat", 92)


def draw_lighthouse() -> None:
    """A lighthouse on its rock."""
    tall = 470.0
    d = Drawing(760, 590)
    cx, base = 380.0, 500.0
    island = (
        478
        + 74 * np.abs((d.x - cx) / 250) ** 1.6
        - 34 * (noise(d.alpha.shape[0], d.alpha.shape[1], 130 * _OVER, 5, 5) - 0.5)
    )
    stone = 0.45 + 1.0 * noise(d.alpha.shape[0], d.alpha.shape[1], 44 * _OVER, 6, 5)
    d.put(np.array([116, 104, 90.0]) * stone[..., None], smooth(0, 2, d.y - island))
    moss = smooth(0.5, 0.7, noise(d.alpha.shape[0], d.alpha.shape[1], 90 * _OVER, 8, 4)) * smooth(
        40, 0, d.y - island
    )
    d.put(np.array([84, 126, 52.0]) * stone[..., None] * 1.1, moss * smooth(0, 2, d.y - island))
    up = (base - d.y) / (tall * 0.78)
    u = (d.x - cx) / np.maximum(1, 0.13 * tall * (1 - 0.38 * up))
    round_ = np.clip(0.95 - 0.45 * np.clip(u, -1, 1) - 0.25 * u * u, 0, 1) + 0.12
    band = np.where(
        (np.floor(up * 5) % 2 == 0)[..., None], np.array([204, 38, 38.0]), np.array([248, 246, 240.0])
    )
    d.put(band * round_[..., None], smooth(1.02, 0.985, np.abs(u)) * (up >= 0) * (up <= 1))
    top = base - tall * 0.78
    d.rectangle(cx - 0.12 * tall, top - 0.02 * tall, 0.24 * tall, 0.02 * tall, (40, 40, 44))
    d.rectangle(cx - 0.065 * tall, top - 0.13 * tall, 0.13 * tall, 0.11 * tall, (252, 238, 170))
    for k in (-0.065, -0.022, 0.022, 0.065):
        d.rectangle(cx + k * tall - 1.5, top - 0.13 * tall, 3, 0.11 * tall, (50, 50, 54))
    for k in np.linspace(-0.115, 0.115, 12):
        d.rectangle(cx + k * tall - 0.8, top - 0.06 * tall, 1.6, 0.04 * tall, (60, 60, 64))
    d.rectangle(cx - 0.12 * tall, top - 0.064 * tall, 0.24 * tall, 2.4, (60, 60, 64))
    roof = ((-0.085, -0.13), (0.085, -0.13), (0.02, -0.2), (0, -0.24), (-0.02, -0.2))
    d.polygon([(cx + x * tall, top + y * tall) for x, y in roof], (176, 30, 34))
    for at, half in ((0.2, 0.014), (0.45, 0.012), (0.65, 0.010)):
        d.rectangle(
            cx - half * tall, base - (at + 0.05) * tall * 0.78, 2 * half * tall, 0.039 * tall, (60, 80, 110)
        )
    d.rectangle(cx - 14, base - 34, 28, 36, (84, 54, 36))
    foam = smooth(0.5, 0.75, noise(d.alpha.shape[0], d.alpha.shape[1], 30 * _OVER, 3, 3))
    d.put((236, 244, 248), foam * smooth(556, 566, d.y) * smooth(586, 576, d.y) * d.alpha)
    d.save("lighthouse", 90)


# -- for filters ---------------------------------------------------------------------------------------------


def draw_screen() -> None:
    """A framed, evenly lit green screen, for the chroma key."""
    d = Drawing(284, 304)
    for inset, hue in ((0, (60, 40, 30)), (4, (196, 150, 84)), (10, (60, 40, 30)), (12, (0, 190, 64))):
        d.rectangle(inset, inset, 284 - 2 * inset, 304 - 2 * inset, hue)
    d.save("screen", 96)


def draw_head() -> None:
    """Someone before the green screen: skin tones, hair, eyes."""
    d = Drawing(280, 300)
    skin, shade, hair = (234, 188, 150), (198, 134, 96), (72, 40, 28)

    def at(points: Points) -> list[tuple[float, float]]:
        return [(2 * x, 2 * y) for x, y in points]

    d.ellipse(140, 116, 70, 80, hair)
    d.polygon(at([(36, 58), (104, 58), (110, 98), (30, 98)]), hair)
    d.polygon(at([(60, 82), (80, 82), (82, 104), (58, 104)]), shade)
    d.polygon(at([(16, 150), (26, 112), (54, 100), (86, 100), (114, 112), (124, 150)]), (40, 74, 150))
    d.polygon(at([(54, 100), (70, 116), (86, 100), (80, 97), (60, 97)]), skin)
    face = 1.0 - 0.22 * np.clip((d.x - 140) / 54, 0, 1) - 0.10 * np.clip((d.y - 124) / 66, 0, 1)
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    d.polygon(
        [(140 + 54 * math.cos(a), 124 + 66 * math.sin(a)) for a in turn],
        np.array(skin, float) * face[..., None],
    )
    for x in (43, 97):
        d.ellipse(2 * x, 128, 8, 14, skin)
    d.polygon(at([(42, 56), (48, 34), (70, 26), (92, 34), (98, 56), (88, 44), (64, 42), (50, 48)]), hair)
    for x in (58, 82):
        d.ellipse(2 * x, 120, 10, 6.8, (250, 250, 250))
        d.ellipse(2 * x, 120, 5.2, 5.8, (60, 110, 70))
        d.ellipse(2 * x, 120, 2.4, 2.8, (14, 14, 18))
        d.line(at([(x - 6, 53), (x, 51), (x + 6, 53)]), hair, 3.2)
    d.line(at([(71, 62), (67, 73), (72, 74)]), shade, 2.4)
    d.polygon(
        at([(58, 78), (64, 79.5), (70, 80), (76, 79.5), (82, 78), (77, 85), (70, 88), (63, 85)]),
        (190, 52, 64),
    )
    d.polygon(at([(61, 79.6), (70, 81), (79, 79.6), (75, 83), (70, 84.4), (65, 83)]), (252, 248, 244))
    d.save("head", 92)


def draw_digits() -> None:
    """The signs of the clock, 24 by 32 each, side by side."""
    signs = "0123456789:."
    d = Drawing(24 * len(signs), 32)
    for k, sign in enumerate(signs):
        for color, shift, weight in (((10, 10, 14), 1.2, 5.0), ((255, 255, 255), 0.0, 2.0)):
            mask = np.zeros(d.alpha.shape, np.uint8)
            place = (round((24 * k + 2 + shift) * _OVER), round((24.4 + shift) * _OVER))
            cv2.putText(
                mask,
                sign,
                place,
                cv2.FONT_HERSHEY_DUPLEX,
                18 * _OVER / 22,
                (255,),
                round(weight * _OVER),
                cv2.LINE_AA,
            )
            d.put(color, mask / 255)
    d.save("digits", 96)


def main() -> None:
    """Draw everything."""
    draw_sky()
    draw_sea()
    draw_meadow()
    draw_balloon("balloon", 132.0, ((214, 40, 44), (250, 200, 50), (240, 120, 30), (250, 235, 96)), 16)
    draw_balloon("balloon_far", 44.0, ((130, 40, 190), (240, 120, 30), (20, 180, 170), (250, 235, 90)), 12)
    draw_boat()
    draw_lighthouse()
    draw_screen()
    draw_head()
    draw_digits()


if __name__ == "__main__":
    main()
