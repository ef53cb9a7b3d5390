"""The picture of the built-in sample: a landscape that passes by, drawn once into layers and put together for every frame.

All of it is drawn by this file. The layers are made at twice the size and averaged down, so edges are anti-aliased; they are
kept as BT.709 limited luma and half-size chroma, so that a frame costs some blends by OpenCV (which lets go of the
interpreter's lock) and no colour conversion. Composing in RGB and converting each frame was rejected: twice the time, and
OpenCV's conversion takes one chroma sample out of four instead of their mean.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from desktop.compute.kept import kept

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Color = tuple[int, int, int]
Points = list[tuple[float, float]]
Corners = Points | NDArray[np.float64]

_OVERSAMPLING = 2
# Layers of larger pictures are drawn at each start: those of this size take 21 MB.
_LARGEST_KEPT: Final = 1280 * 720
_CIRCLE = np.array([(math.cos(a), math.sin(a)) for a in (2 * math.pi * k / 72 for k in range(72))])
# ITU-R BT.709, item 3.2 and 3.3: luma and colour difference of R'G'B' in 0..1.
_LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
_CB = np.array([-0.2126, -0.7152, 0.9278], np.float32) / 1.8556
_CR = np.array([0.7874, -0.7152, -0.0722], np.float32) / 1.5748

_GREEN: Color = (0, 190, 64)
_SKIN: tuple[Color, ...] = ((255, 224, 196), (234, 188, 150), (198, 134, 96), (141, 85, 54), (84, 52, 36))
_BALLOONS: tuple[tuple[Color, ...], ...] = (
    ((230, 36, 44), (250, 200, 30), (28, 120, 220), (245, 245, 240)),
    ((130, 40, 190), (240, 120, 30), (20, 180, 170), (250, 235, 90)),
)
_BARS: tuple[Color, ...] = ((235, 235, 235), (230, 220, 20), (20, 215, 225), (25, 200, 45),
                            (215, 40, 205), (225, 30, 35), (30, 50, 220), (16, 16, 16))  # fmt: skip


@dataclass(frozen=True)
class Layer:
    """Something to put on a frame: luma (H, W), chroma (H/2, W/2, 2), and the weights of both, float32 in 0..1.

    From the chroma row `solid` on every weight is 1: those rows are copied, at a tenth of the cost of blending.
    """

    y: NDArray
    uv: NDArray
    y_weight: NDArray
    uv_weight: NDArray
    solid: int

    def cut(self, x: int, width: int) -> Layer:
        """Return `width` columns from the (even) column `x` on."""
        half = slice(x // 2, x // 2 + width // 2)
        full = slice(x // 2 * 2, x // 2 * 2 + width)
        return Layer(
            self.y[:, full], self.uv[:, half], self.y_weight[:, full], self.uv_weight[:, half], self.solid
        )


class Drawing:
    """An RGBA canvas measured in units of 1/360 of the frame's height.

    The colour is premultiplied: anti-aliased drawing on black leaves it so.

    Args:
        width: in pixels, even.
        height: in pixels, even.
        unit: pixels of a unit.
    """

    def __init__(self, width: int, height: int, unit: float) -> None:
        self.width, self.height, self._unit = width, height, unit * _OVERSAMPLING
        size = (height * _OVERSAMPLING, width * _OVERSAMPLING)
        self.rgb: Bytes = np.zeros((*size, 3), np.uint8)
        self.alpha: Bytes = np.zeros(size, np.uint8)

    def _corners(self, points: Corners) -> NDArray[np.int32]:
        # 4 fractional bits: cv2 takes fixed point coordinates.
        return np.rint(np.asarray(points) * self._unit * 16).astype(np.int32)

    def polygon(self, points: Corners, color: Color) -> None:
        """Fill a polygon."""
        corners = [self._corners(points)]
        cv2.fillPoly(self.rgb, corners, color, cv2.LINE_AA, 4)
        cv2.fillPoly(self.alpha, corners, (255,), cv2.LINE_AA, 4)

    def rectangle(self, x: float, y: float, width: float, height: float, color: Color) -> None:
        """Fill a rectangle."""
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], color)

    def ellipse(self, x: float, y: float, rx: float, ry: float, color: Color) -> None:
        """Fill an ellipse with the centre (x, y)."""
        self.polygon(_CIRCLE * (rx, ry) + (x, y), color)

    def line(self, points: Corners, color: Color, thickness: float) -> None:
        """Draw a line through the points."""
        corners = [self._corners(points)]
        pixels = max(1, round(thickness * self._unit))
        cv2.polylines(self.rgb, corners, False, color, pixels, cv2.LINE_AA, 4)
        cv2.polylines(self.alpha, corners, False, (255,), pixels, cv2.LINE_AA, 4)

    def text(self, x: float, y: float, words: str, color: Color, height: float, weight: float = 1.0) -> None:
        """Write on the baseline `y`, capitals `height` high."""
        scale = height * self._unit / 22
        place = (round(x * self._unit), round(y * self._unit))
        thick = max(1, round(weight * self._unit))
        for target, paint in ((self.rgb, color), (self.alpha, (255,))):
            cv2.putText(target, words, place, cv2.FONT_HERSHEY_DUPLEX, scale, paint, thick, cv2.LINE_AA)

    def layer(self) -> Layer:
        """Average down and convert."""
        weight = self.alpha / np.float32(255)
        return to_layer(self.rgb / np.float32(255), weight, self.width, self.height)


def to_layer(paint: NDArray, weight: NDArray, width: int, height: int) -> Layer:
    """Turn premultiplied R'G'B' (H, W, 3) and weights (H, W), both in 0..1, into a layer (BT.709, limited range)."""
    planes = []
    for size in ((width, height), (width // 2, height // 2)):
        mean_weight = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
        mean_paint = cv2.resize(paint, size, interpolation=cv2.INTER_AREA)
        planes.append((mean_paint / np.maximum(mean_weight, 1e-4)[..., None], mean_weight))
    (full, y_weight), (half, uv_weight) = planes
    noise = np.random.default_rng(1).random(full.shape[:2], np.float32)
    y = np.floor(16 + 219 * (full @ _LUMA) + noise)
    # Dithered: a sky of 8 bits would show bands that a sharpening filter then draws out.
    uv = np.floor(
        128 + 224 * np.stack((half @ _CB, half @ _CR), -1) + noise[: half.shape[0], : half.shape[1], None]
    )
    return Layer(
        np.clip(y, 16, 235).astype(np.uint8),
        np.clip(uv, 16, 240).astype(np.uint8),
        np.ascontiguousarray(y_weight, np.float32),
        np.ascontiguousarray(uv_weight, np.float32),
        _solid_from(y_weight, uv_weight),
    )


def _solid_from(y_weight: NDArray, uv_weight: NDArray) -> int:
    rows = (uv_weight.min(1) > 0.999) & (y_weight.min(1).reshape(-1, 2).min(1) > 0.999)
    return len(rows) - int(np.argmin(rows[::-1])) if not rows.all() else 0


def put(y: Bytes, uv: Bytes, layer: Layer, left: int, top: int) -> None:
    """Blend a layer into a frame's planes at (left, top), cut at the edges; the place is rounded down to even."""
    cx, cy = left // 2, top // 2
    for plane, paint, weight, x, row, solid in (
        (y, layer.y, layer.y_weight, cx * 2, cy * 2, layer.solid * 2),
        (uv, layer.uv, layer.uv_weight, cx, cy, layer.solid),
    ):
        x0, y0 = max(x, 0), max(row, 0)
        x1, y1 = min(x + paint.shape[1], plane.shape[1]), min(row + paint.shape[0], plane.shape[0])
        if x0 >= x1 or y0 >= y1:
            continue
        middle = min(max(row + solid, y0), y1)
        columns = slice(x0 - x, x1 - x)
        plane[middle:y1, x0:x1] = paint[middle - row : y1 - row, columns]
        if middle > y0:
            target, inside = plane[y0:middle, x0:x1], slice(y0 - row, middle - row)
            share = weight[inside, columns]
            target[...] = cv2.blendLinear(paint[inside, columns], target, share, 1.0 - share)


def turned(layer: Layer, degrees: float) -> Layer:
    """Return a square layer turned about its centre."""

    def turn(plane: NDArray, fill: tuple[int, ...]) -> NDArray:
        height, width = plane.shape[:2]
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
        return cv2.warpAffine(plane, matrix, (width, height), flags=cv2.INTER_LINEAR, borderValue=fill)

    return Layer(
        turn(layer.y, (16,)),
        turn(layer.uv, (128, 128)),
        turn(layer.y_weight, (0,)),
        turn(layer.uv_weight, (0,)),
        len(layer.uv),
    )


def _even(value: float) -> int:
    return max(2, round(value / 2) * 2)


def _packed(value: Layer | list[Layer] | dict[str, Layer]) -> Any:
    """Layers in Python's plain types."""
    if isinstance(value, dict):
        return {name: _packed(layer) for name, layer in value.items()}
    if isinstance(value, list):
        return [_packed(layer) for layer in value]
    planes = (value.y, value.uv, value.y_weight, value.uv_weight)
    return (*((plane.dtype.str, plane.shape, plane.tobytes()) for plane in planes), value.solid)


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unpacked(layer) for name, layer in value.items()}
    if isinstance(value, list):
        return [_unpacked(layer) for layer in value]
    *planes, solid = value
    y, uv, y_weight, uv_weight = (np.frombuffer(data, dtype).reshape(shape) for dtype, shape, data in planes)
    return Layer(y, uv, y_weight, uv_weight, solid)


def _drawn_by() -> str:
    """What the layers follow from beside their size: this file, which in a bundle is a part of the program's, and the libraries."""
    program = next(path for path in (Path(__file__), Path(sys.executable)) if path.exists()).stat()
    return f"{program.st_mtime_ns} {program.st_size} {cv2.__version__} {np.__version__}"


class Scene:
    """Everything drawn for one size of frame.

    Args:
        width: pixels, even.
        height: pixels, even.
        folder: where the layers are kept, so that the next start need not draw them (0.1 s of CPU time at 640 x 360); None to draw them.
    """

    def __init__(self, width: int, height: int, folder: Path | None = None) -> None:
        self.width, self.height = width, height
        self._unit = height / 360
        self._span = width / self._unit
        if folder is None or width * height > _LARGEST_KEPT:
            self._draw()
            return
        layers = kept(folder, f"sample-{width}x{height}", _drawn_by(), self._drawn)
        vars(self).update({name: _unpacked(packed) for name, packed in layers.items()})

    def _drawn(self) -> dict[str, Any]:
        before = set(vars(self))
        self._draw()
        return {name: _packed(value) for name, value in vars(self).items() if name not in before}

    def _draw(self) -> None:
        self._sky = self._draw_sky()
        self._clouds = self._strip(150, self._draw_clouds)
        self._hills = self._strip(118, self._draw_hills)
        self._meadow = self._strip(100, self._draw_meadow)
        self._weave = self._strip(26, self._draw_weave)
        self._chart = self._draw_chart()
        self._balloons = [self._draw_balloon(hues) for hues in _BALLOONS]
        self._wheel, self._mill = self._draw_wheel(), self._draw_mill()
        self._train = self._draw_train()
        self._portrait, self._head = self._draw_portrait(), self._draw_head()
        self._bird = [self._draw_bird(lift) for lift in (-6.0, -2.0, 3.0, -2.0)]
        self._digits = {sign: self._draw_digit(sign) for sign in "0123456789:."}

    def render(self, phase: float, seconds: float) -> tuple[Bytes, Bytes]:
        """Return luma (H, W) and chroma (H/2, W/2, 2) at `phase` (0..1) of the loop; `seconds` is the time written on it."""
        y, uv = self._sky.y.copy(), self._sky.uv.copy()
        turn = 2 * math.pi * phase
        self._scroll(y, uv, self._clouds, 22, phase)
        self._put(
            y, uv, self._balloons[1], self._span * 0.50 + 26 * math.sin(turn), 62 + 8 * math.sin(2 * turn)
        )
        for k in range(5):
            x = (phase * 2 + 0.06 * k) % 1.0 * (self._span + 60) - 40
            flap = self._bird[int(phase * 240 + k) % 4]
            self._put(y, uv, flap, x, 46 + 11 * abs(k - 2) + 14 * math.sin(2 * turn + k))
        self._scroll(y, uv, self._hills, 150, phase)
        wheel = turned(self._wheel, 360 * 5 * phase)
        for wrap in (0.0, 1.0):
            x = (0.60 + wrap - phase) * self._span
            self._put(y, uv, self._mill, x, 132)
            self._put(y, uv, wheel, x - 23, 102)
        lap = (1.5 * phase + 0.15) % 0.75 / 0.75
        self._put(y, uv, self._train, self._span - lap * (self._span + 280), 222)
        self._scroll(y, uv, self._meadow, 234, 2 * phase)
        self._put(
            y, uv, self._balloons[0], self._span * 0.17 + 40 * math.sin(turn), 48 + 22 * math.cos(2 * turn)
        )
        self._draw_inset(y, uv, turn)
        self._scroll(y, uv, self._weave, 334, phase)
        self._put(y, uv, self._chart, 8, 276)
        self._clock(y, uv, seconds)
        return y, uv

    def _draw_inset(self, y: Bytes, uv: Bytes, turn: float) -> None:
        left = self._span - 150
        self._put(y, uv, self._portrait, left, 24)
        head = turned(self._head, 7 * math.sin(3 * turn))
        # The head is cut by the frame around the green screen.
        px = [_even(v * self._unit) for v in (left + 6, left + 136, 30, 170)]
        inside_y = y[px[2] : px[3], px[0] : px[1]]
        inside_uv = uv[px[2] // 2 : px[3] // 2, px[0] // 2 : px[1] // 2]
        x, top = -5 + 16 * math.sin(turn), 7 + 3 * math.sin(6 * turn)
        put(inside_y, inside_uv, head, round(x * self._unit), round(top * self._unit))

    def _clock(self, y: Bytes, uv: Bytes, seconds: float) -> None:
        words = f"{int(seconds) // 60:02d}:{seconds % 60:05.2f}"
        for place, sign in enumerate(words):
            self._put(y, uv, self._digits[sign], self._span - 84 + 9.5 * place, 306)

    def _put(self, y: Bytes, uv: Bytes, layer: Layer, left: float, top: float) -> None:
        put(y, uv, layer, math.floor(left * self._unit), math.floor(top * self._unit))

    def _scroll(self, y: Bytes, uv: Bytes, strip: Layer, top: float, phase: float) -> None:
        self._put(y, uv, strip.cut(int(phase % 1.0 * self.width), self.width), 0, top)

    def _canvas(self, width: float, height: float) -> Drawing:
        return Drawing(_even(width * self._unit), _even(height * self._unit), self._unit)

    def _strip(self, height: float, draw: Callable[[Drawing], None]) -> Layer:
        drawing = Drawing(self.width, _even(height * self._unit), self._unit)
        draw(drawing)
        one = drawing.layer()
        # Twice the width: any cut of one width is then a view.
        y, uv, y_weight, uv_weight = (
            np.concatenate((part, part), axis=1) for part in (one.y, one.uv, one.y_weight, one.uv_weight)
        )
        return Layer(y, uv, y_weight, uv_weight, one.solid)

    def _draw_sky(self) -> Layer:
        rows = np.linspace(0, 1, self.height, dtype=np.float32)
        stops = [0.0, 0.35, 0.62, 1.0]
        colors = np.array([(24, 74, 160), (92, 158, 214), (250, 206, 150), (255, 226, 190)], np.float32) / 255
        column = np.stack([np.interp(rows, stops, colors[:, k]) for k in range(3)], -1)
        rgb = np.repeat(column[:, None, :], self.width, 1).astype(np.float32)
        x = np.arange(self.width, dtype=np.float32) / self._unit - self._span * 0.40
        away = np.hypot(x[None, :], rows[:, None] * 360 - 128)
        glow = (np.exp(-((away / 95) ** 2)) * 0.65)[..., None]
        rgb = rgb * (1 - glow) + np.array([1.0, 0.93, 0.72], np.float32) * glow
        sun = np.clip((27 - away) * self._unit + 0.5, 0, 1)[..., None]
        rgb = rgb * (1 - sun) + np.array([1.0, 0.98, 0.88], np.float32) * sun
        rgb = self._with_mountains(rgb.astype(np.float32))
        return to_layer(rgb, np.ones(rgb.shape[:2], np.float32), self.width, self.height)

    def _with_mountains(self, rgb: Floats) -> Floats:
        drawing = Drawing(self.width, self.height, self._unit)
        for base, height, hue, seed in ((190, 74, (150, 160, 196), 3), (206, 52, (112, 128, 168), 8)):
            pick = np.random.default_rng(seed)
            xs = np.arange(-20, self._span + 60, 27)
            peaks = base - height * pick.uniform(0.25, 1.0, len(xs))
            ridge = list(zip(xs.tolist(), peaks.tolist(), strict=True))
            drawing.polygon([(-20, 260), *ridge, (self._span + 60, 260)], hue)
            for (ax, ay), (bx, by) in itertools.pairwise(ridge):
                shade = tuple(int(c * 0.86) for c in hue)
                if by > ay:
                    drawing.polygon([(ax, ay), (bx, by), (ax + 6, 260)], (shade[0], shade[1], shade[2]))
                if ay < base - height * 0.62:
                    cap = [(ax - 7, ay + 9), (ax, ay), (ax + 7, ay + 9), (ax + 2, ay + 6), (ax - 2, ay + 11)]
                    drawing.polygon(cap, (240, 244, 252))
        size = (self.width, self.height)
        weight = cv2.resize(drawing.alpha, size, interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
        paint = cv2.resize(drawing.rgb, size, interpolation=cv2.INTER_AREA) / np.float32(255)
        return rgb * (1 - weight) + paint

    def _draw_clouds(self, drawing: Drawing) -> None:
        pick = np.random.default_rng(5)
        for x in np.linspace(0.04, 0.84, 6) * self._span:
            y = pick.uniform(42, 104)
            for _ in range(9):
                dx, dy, r = pick.uniform(-38, 38), pick.uniform(-9, 5), pick.uniform(8, 17)
                for wrap in (-self._span, 0, self._span):
                    drawing.ellipse(x + dx + wrap, y + dy, r * 1.6, r, (255, 250, 244))
        soft = max(3, int(9 * self._unit * _OVERSAMPLING) | 1)
        # Blurred as a ring, so that the strip's ends fit.
        padded = cv2.copyMakeBorder(drawing.alpha, 0, 0, soft, soft, cv2.BORDER_WRAP)
        drawing.alpha[:] = (cv2.GaussianBlur(padded, (soft, soft), 0)[:, soft:-soft] * 0.82).astype(np.uint8)
        drawing.rgb[:] = drawing.alpha[..., None] * np.array((1.0, 0.98, 0.957))

    def _ridge(self, base: float, waves: tuple[tuple[float, int, float], ...]) -> Points:
        xs = np.linspace(0, self._span, 200)
        ys = base + sum(size * np.sin(2 * np.pi * (n * xs / self._span + shift)) for size, n, shift in waves)
        return list(zip(xs.tolist(), np.asarray(ys).tolist(), strict=True))

    def _draw_hills(self, drawing: Drawing) -> None:
        for base, hue, waves in (
            (34, (96, 148, 96), ((14, 2, 0.1), (7, 5, 0.4))),
            (62, (74, 138, 66), ((13, 3, 0.55), (5, 7, 0.2))),
        ):
            drawing.polygon([(0, 140), *self._ridge(base, waves), (self._span, 140)], hue)
        pick = np.random.default_rng(11)
        for x in np.sort(pick.uniform(12, self._span - 12, 34)):
            y, tall = 74 + pick.uniform(-6, 12), pick.uniform(12, 22)
            dark = int(pick.uniform(0, 24))
            drawing.rectangle(x - 1, y - 2, 2, 6, (86, 60, 40))
            drawing.polygon(
                [(x - tall * 0.32, y), (x, y - tall), (x + tall * 0.32, y)], (24 + dark, 84 + dark, 52)
            )

    def _draw_meadow(self, drawing: Drawing) -> None:
        ridge = self._ridge(22, ((6, 2, 0.0), (3, 5, 0.3)))
        drawing.polygon([(0, 110), *ridge, (self._span, 110)], (62, 128, 44))
        pick = np.random.default_rng(7)
        for _ in range(int(self._span * 2)):
            x, depth = pick.uniform(2, self._span - 2), pick.uniform(0, 1) ** 1.5
            y = 30 + 70 * depth
            lean, tall = pick.uniform(-2, 2), 3 + 6 * depth
            green = int(pick.uniform(-30, 40))
            drawing.line([(x, y), (x + lean, y - tall)], (60 + green, 142 + green, 44), 0.7)
        petals: tuple[Color, ...] = (
            (240, 60, 70),
            (250, 214, 40),
            (244, 244, 250),
            (190, 80, 220),
            (60, 110, 240),
        )
        for _ in range(int(self._span * 0.3)):
            x, depth = pick.uniform(4, self._span - 4), pick.uniform(0, 1)
            size = 1.0 + 1.5 * depth
            y = 36 + 60 * depth
            hue = petals[int(pick.integers(len(petals)))]
            for k in range(5):
                angle = 2 * math.pi * k / 5
                drawing.ellipse(
                    x + size * math.cos(angle), y + size * math.sin(angle), size * 0.8, size * 0.8, hue
                )
            drawing.ellipse(x, y, size * 0.6, size * 0.6, (250, 190, 30))

    def _draw_weave(self, drawing: Drawing) -> None:
        threads: tuple[Color, ...] = (
            (214, 40, 57),
            (244, 162, 40),
            (250, 222, 92),
            (42, 157, 143),
            (38, 90, 190),
            (124, 58, 178),
        )
        drawing.rectangle(0, 0, self._span, 30, (28, 22, 30))
        count = max(12, round(self._span / 3.2) // 12 * 12)
        step = self._span / count
        for column in range(-1, count + 1):
            for row in range(8):
                x, y = column * step, row * 3.3
                warp = (column + row) % 2 == 0
                hue = threads[(column // 2 if warp else row) % 6]
                if warp:
                    drawing.rectangle(x + step * 0.14, y - 0.5, step * 0.72, 4.2, hue)
                else:
                    drawing.rectangle(x - step * 0.2, y + 0.4, step * 1.4, 2.4, hue)

    def _draw_chart(self) -> Layer:
        """Detail that shows what a filter does: bars, grey ramp, a zone plate, skin tones, letters."""
        drawing = self._canvas(252, 56)
        drawing.rectangle(0, 0, 252, 56, (20, 20, 26))
        for k, hue in enumerate(_BARS):
            drawing.rectangle(4 + 14 * k, 4, 14, 20, hue)
        for k, hue in enumerate(_SKIN):
            drawing.rectangle(4 + 14 * k, 26, 14, 12, hue)
        for k in range(56):
            level = round(255 * k / 55)
            drawing.rectangle(4 + 2 * k, 40, 2.2, 12, (level, level, level))
        for k in range(3):
            for bar in range(5):
                drawing.rectangle(
                    77 + 14 * k + bar * 2.6 / (k * 0.5 + 1), 26, 1.3 / (k * 0.5 + 1), 12, (240, 240, 240)
                )
        self._draw_zone_plate(drawing, 121, 4, 48)
        drawing.text(176, 20, "LIGHT", (250, 200, 60), 13, 1.3)
        drawing.text(176, 36, "LOOM", (90, 200, 250), 13, 1.3)
        drawing.text(176, 44, "GPU filters and networks", (225, 225, 225), 4.2, 0.4)
        drawing.text(176, 51, "on live video 0123456789", (225, 225, 225), 4.2, 0.4)
        return drawing.layer()

    def _draw_zone_plate(self, drawing: Drawing, x: float, y: float, size: float) -> None:
        scale = self._unit * _OVERSAMPLING
        left, top, side = round(x * scale), round(y * scale), round(size * scale)
        along = np.linspace(-1, 1, side, dtype=np.float32)
        away = along[None, :] ** 2 + along[:, None] ** 2
        # The rim reaches a third of the sampling frequency of the finished frame.
        rings = 0.5 + 0.5 * np.cos(math.pi * away * side / _OVERSAMPLING / 6)
        drawing.rgb[top : top + side, left : left + side] = (rings * 235 + 10).astype(np.uint8)[..., None]

    def _draw_balloon(self, hues: tuple[Color, ...]) -> Layer:
        drawing = self._canvas(92, 136)
        cx, top, radius, bottom = 46.0, 4.0, 42.0, 100.0

        def half_width(t: float) -> float:
            if t < 0.45:
                return radius * math.sqrt(1 - ((0.45 - t) / 0.45) ** 2)
            return radius * math.cos((t - 0.45) / 0.55 * 1.35)

        heights = [k / 40 for k in range(41)]
        gores = 10
        for gore in range(gores):
            left, right = (math.sin(math.pi * (k / gores - 0.5)) for k in (gore, gore + 1))
            side_a = [(cx + left * half_width(t), top + t * (bottom - top)) for t in heights]
            side_b = [(cx + right * half_width(t), top + t * (bottom - top)) for t in reversed(heights)]
            light = 0.62 + 0.38 * math.cos((gore - 3.2) / gores * math.pi * 0.9)
            r, g, b = hues[gore % len(hues)]
            drawing.polygon([*side_a, *side_b], (int(r * light), int(g * light), int(b * light)))
        band = [
            (cx + s * half_width(t) * 1.0, top + t * (bottom - top))
            for s, t in ((-1, 0.46), (1, 0.46), (1, 0.56), (-1, 0.56))
        ]
        drawing.polygon(band, (250, 246, 232))
        for k in range(9):
            x = cx + math.sin(math.pi * (k - 4) / 9) * 39
            drawing.polygon([(x - 3, 50), (x + 3, 50), (x, 57)], hues[k % len(hues)])
        for dx in (-8, -3, 3, 8):
            drawing.line([(cx + dx * 1.15, bottom - 2), (cx + dx, 118)], (70, 50, 40), 0.7)
        drawing.rectangle(cx - 9, 116, 18, 13, (150, 98, 52))
        for k in range(4):
            drawing.line([(cx - 9, 118 + 3 * k), (cx + 9, 118 + 3 * k)], (100, 62, 34), 0.7)
        drawing.rectangle(cx - 10, 115, 20, 2.4, (90, 54, 30))
        return drawing.layer()

    def _draw_mill(self) -> Layer:
        drawing = self._canvas(46, 76)
        drawing.polygon([(15, 20), (31, 20), (36, 74), (10, 74)], (244, 238, 226))
        drawing.polygon([(23, 20), (31, 20), (36, 74), (23, 74)], (214, 204, 190))
        drawing.polygon([(12, 21), (23, 7), (34, 21)], (176, 52, 44))
        drawing.rectangle(19, 58, 8, 16, (104, 64, 40))
        for y in (30, 44):
            drawing.rectangle(20, y, 6, 7, (70, 110, 160))
            drawing.line([(23, y), (23, y + 7)], (240, 240, 240), 0.7)
        return drawing.layer()

    def _draw_wheel(self) -> Layer:
        drawing = self._canvas(92, 92)
        for k in range(4):
            a = math.pi / 2 * k
            ux, uy, vx, vy = math.cos(a), math.sin(a), -math.sin(a), math.cos(a)

            def at(
                along: float, across: float, u: tuple[float, ...] = (ux, uy, vx, vy)
            ) -> tuple[float, float]:
                return 46 + u[0] * along + u[2] * across, 46 + u[1] * along + u[3] * across

            drawing.polygon([at(10, 1), at(43, 1), at(43, 11), at(10, 9)], (246, 240, 226))
            for rung in range(7):
                drawing.line([at(12 + 5 * rung, 0), at(12 + 5 * rung, 10)], (120, 70, 50), 0.8)
            drawing.line([at(0, 0), at(44, 0)], (92, 50, 34), 2.0)
        drawing.ellipse(46, 46, 4, 4, (60, 40, 30))
        return drawing.layer()

    def _draw_train(self) -> Layer:
        drawing = self._canvas(270, 30)
        drawing.rectangle(0, 26, 270, 1.6, (80, 72, 70))
        hues: tuple[Color, ...] = ((28, 120, 200), (240, 176, 30), (30, 160, 110))
        drawing.polygon([(4, 24), (8, 12), (22, 6), (62, 6), (62, 24)], (208, 30, 42))
        drawing.polygon([(10, 13), (22, 8), (28, 8), (28, 14)], (160, 214, 240))
        drawing.rectangle(4, 19, 58, 2, (250, 240, 220))
        for k, hue in enumerate(hues):
            left = 66 + 66 * k
            drawing.rectangle(left, 6, 62, 18, hue)
            drawing.rectangle(left, 5, 62, 2, (240, 240, 240))
            drawing.rectangle(left - 4, 20, 4, 2, (50, 50, 50))
            for window in range(6):
                drawing.rectangle(left + 4 + 9.4 * window, 9, 7, 6.5, (222, 240, 250))
        for k in range(4):
            for wheel in (10, 20, 44, 54):
                drawing.ellipse(4 + 66 * k + wheel, 24.5, 3.2, 3.2, (40, 38, 42))
                drawing.ellipse(4 + 66 * k + wheel, 24.5, 1.3, 1.3, (180, 180, 184))
        return drawing.layer()

    def _draw_bird(self, lift: float) -> Layer:
        drawing = self._canvas(22, 18)
        drawing.polygon([(1, 9 + lift), (7, 7 + lift * 0.4), (11, 9), (15, 7 + lift * 0.4), (21, 9 + lift),
                         (15, 9.5 + lift * 0.3), (11, 12), (7, 9.5 + lift * 0.3)], (36, 34, 48))  # fmt: skip
        return drawing.layer()

    def _draw_portrait(self) -> Layer:
        """A framed, evenly lit green screen, for the chroma key."""
        drawing = self._canvas(142, 152)
        drawing.rectangle(0, 0, 142, 152, (60, 40, 30))
        drawing.rectangle(2, 2, 138, 148, (196, 150, 84))
        drawing.rectangle(5, 5, 132, 142, (60, 40, 30))
        drawing.rectangle(6, 6, 130, 140, _GREEN)
        return drawing.layer()

    def _draw_head(self) -> Layer:
        drawing = self._canvas(140, 140)
        skin, shade, hair = _SKIN[1], _SKIN[2], (72, 40, 28)
        drawing.ellipse(70, 58, 35, 40, hair)
        drawing.polygon([(36, 58), (104, 58), (110, 98), (30, 98)], hair)
        drawing.polygon([(60, 82), (80, 82), (82, 104), (58, 104)], shade)
        drawing.polygon([(16, 150), (26, 112), (54, 100), (86, 100), (114, 112), (124, 150)], (40, 74, 150))
        drawing.polygon([(54, 100), (70, 116), (86, 100), (80, 97), (60, 97)], skin)
        drawing.ellipse(70, 62, 27, 33, skin)
        for x in (43, 97):
            drawing.ellipse(x, 64, 4, 7, skin)
        drawing.polygon(
            [(42, 56), (48, 34), (70, 26), (92, 34), (98, 56), (88, 44), (64, 42), (50, 48)], hair
        )
        for x in (53, 87):
            drawing.ellipse(x, 74, 6, 4, (238, 160, 134))
        for x in (58, 82):
            drawing.ellipse(x, 60, 5, 3.4, (250, 250, 250))
            drawing.ellipse(x, 60, 2.6, 2.9, (60, 110, 70))
            drawing.ellipse(x, 60, 1.2, 1.4, (14, 14, 18))
            drawing.line([(x - 6, 53), (x, 51), (x + 6, 53)], hair, 1.6)
        drawing.line([(71, 62), (67, 73), (72, 74)], shade, 1.2)
        drawing.polygon(
            [(58, 78), (64, 79.5), (70, 80), (76, 79.5), (82, 78), (77, 85), (70, 88), (63, 85)],
            (190, 52, 64),
        )
        drawing.polygon([(61, 79.6), (70, 81), (79, 79.6), (75, 83), (70, 84.4), (65, 83)], (252, 248, 244))
        return drawing.layer()

    def _draw_digit(self, sign: str) -> Layer:
        drawing = self._canvas(12, 16)
        drawing.text(1.6, 12.8, sign, (10, 10, 14), 9, 2.4)
        drawing.text(1, 12.2, sign, (255, 255, 255), 9, 1.0)
        return drawing.layer()
