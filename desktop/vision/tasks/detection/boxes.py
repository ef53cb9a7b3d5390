"""Tables, grids of anchors and box encodings, as `Decoder.boxes` (NumPy) and `Decoder.shader` (WGSL)."""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.compute.nn.session import TensorInfo
from desktop.vision.tasks.task import Size

STRIDES: Final = (8, 16, 32)
"""Strides of the grids of most detectors."""
# exp(20) pixels exceeds any image, and is far from overflow: an untrusted file may contain any number.
_LARGEST: Final = 20.0


def table(output: TensorInfo) -> tuple[int, int] | None:
    """Return the last two dimensions of [1, a, b], 0 if free; None for any other shape."""
    shape = output.shape
    return (shape[1], shape[2]) if len(shape) == 3 and shape[0] in (0, 1) else None


def cells(size: Size, strides: tuple[int, ...]) -> int:
    """Return the number of cells of all grids of an input; 0 if its size is free."""
    return sum(-(-size[0] // s) * -(-size[1] // s) for s in strides) if all(size) else 0


# Strides of known YOLO networks: the usual ones, with small or large objects (P2, P6), and the tiny ones.
_PYRAMIDS: Final = ((8, 16, 32), (4, 8, 16, 32), (8, 16, 32, 64), (16, 32))


def fits_pyramid(anchors: int, size: Size, per_cell: int) -> bool:
    """Return True if a YOLO network has this number of anchors for an input size, or either is free."""
    if not anchors or not all(size):
        return True
    return any(anchors == per_cell * cells(size, strides) for strides in _PYRAMIDS)


def grid(anchors: np.ndarray, size: Size, strides: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return (x, y) of the anchors' cells, row by row, float64 (n, 2), and their strides, (n, 1)."""
    corner, stride = np.zeros((len(anchors), 2)), np.ones((len(anchors), 1))
    first = 0
    for s in strides:
        across, down = -(-size[0] // s), -(-size[1] // s)
        inside = (anchors >= first) & (anchors < first + across * down)
        cell = anchors[inside] - first
        corner[inside] = np.stack((cell % across, cell // across), 1)
        stride[inside] = s
        first += across * down
    return corner, stride


Grids = tuple[tuple[int, int], ...]
"""(stride, anchors a cell) of each grid."""

NO_POINTS: Final = "fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f { return v; }"
"""WGSL of a family without key points."""


def grid_shader(grids: Grids) -> str:
    """Return WGSL of `fn cell_of(anchor: u32, size: vec2f) -> vec3f`: cell x and y, stride; see `grid`."""
    lines = ["fn cell_of(anchor: u32, size: vec2f) -> vec3f {", "    var at = anchor;"]
    for stride, each in grids:
        lines += [
            "    {",
            f"        let across = u32(ceil(size.x / {stride}.0));",
            f"        let count = across * u32(ceil(size.y / {stride}.0)) * {each}u;",
            "        if at < count {",
            f"            let cell = at / {each}u;",
            f"            return vec3f(f32(cell % across), f32(cell / across), {stride}.0);",
            "        }",
            "        at -= count;",
            "    }",
        ]
    return "\n".join([*lines, "    return vec3f(0.0, 0.0, 1.0);", "}"])


def corner_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (left, top, right, bottom) in pixels; see `Decoder.boxes`."""
    return values


def corners_shader(size: Size) -> str:
    """Return WGSL of a family whose four numbers are the corners, in pixels."""
    return f"fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f {{ return v; }}\n{NO_POINTS}"


def box_shader(*lines: str) -> str:
    """Return WGSL of `box_of` with these lines, in which `middle` and `extent` are set."""
    head = ["fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f {"]
    tail = ["    return vec4f(middle - extent / 2.0, middle + extent / 2.0);", "}"]
    return "\n".join([*head, *(f"    {line}" for line in lines), *tail])


def corners(center: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """Return left, top, right, bottom (n, 4) of boxes by their middles and sizes (n, 2)."""
    return np.concatenate((center - extent / 2, center + extent / 2), axis=1)


def pixel_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (x, y, w, h) in pixels, (x, y) being the center; see `Decoder.boxes`."""
    return corners(values[:, :2], values[:, 2:])


def pixel_boxes_shader(size: Size) -> str:
    """Return `pixel_boxes` in WGSL."""
    return f"{box_shader('let middle = v.xy;', 'let extent = v.zw;')}\n{NO_POINTS}"


def share_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (x, y, w, h) as fractions of the input, (x, y) being the center; see `Decoder.boxes`."""
    return corners(values[:, :2], values[:, 2:]) * np.array((*size, *size))


def share_boxes_shader(size: Size) -> str:
    """Return `share_boxes` in WGSL."""
    return f"{box_shader('let middle = v.xy * size;', 'let extent = v.zw * size;')}\n{NO_POINTS}"


def grid_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (dx, dy, log w, log h) in cells, as also in YuNet; see `Decoder.boxes`."""
    corner, stride = grid(anchors, size, STRIDES)
    extent = np.exp(np.minimum(values[:, 2:], _LARGEST)) * stride
    return corners((corner + values[:, :2]) * stride, extent)


def grid_boxes_shader(size: Size) -> str:
    """Return `grid_boxes` in WGSL."""
    box = box_shader(
        "let cell = cell_of(anchor, size);",
        "let middle = (cell.xy + v.xy) * cell.z;",
        f"let extent = exp(min(v.zw, vec2f({_LARGEST}))) * cell.z;",
    )
    return "\n".join((grid_shader(tuple((stride, 1) for stride in STRIDES)), box, NO_POINTS))
