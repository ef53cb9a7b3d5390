"""Products on the matrices that a subgroup multiplies at once (tensor cores): tiles of `conv_matrix`, and which of them the rule takes.

WebGPU has them in Dawn only, as an experimental feature:
https://dawn.googlesource.com/dawn/+/refs/heads/main/docs/dawn/features/subgroup_matrix.md. Factors are float16, sums float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from desktop.compute.gpu.matrices import MatrixConfiguration
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

UNIT: Final = 16
"""Rows, columns and depth of a matrix."""

SUBGROUP: Final = 32
CONFIGURATION: Final = MatrixConfiguration("f16", "f32", UNIT, UNIT, UNIT, SUBGROUP)
"""What the kernel is written for: NVIDIA's; others have not been seen."""

DIRECTIVES: Final = (
    "requires buffer_view;",
    "enable subgroups;",
    "enable chromium_experimental_subgroup_matrix;",
)
_GAP: Final = 8
"""Halves between two rows of staged memory, so that rows begin in different banks."""


@dataclass(frozen=True)
class Matrices:
    """A workgroup of `conv_matrix`: `rows` pixels by `columns` channels, `depth` numbers at a time.

    A subgroup has `part`, rows and columns of the tile; `slices` of them share it, each with its share of `depth`.
    """

    rows: int
    columns: int
    depth: int
    part: tuple[int, int]
    slices: int = 1
    kernel: ClassVar[str] = "conv_matrix"

    def __str__(self) -> str:
        shared = f" slices {self.slices}" if self.slices > 1 else ""
        return f"{self.kernel} {self.rows}x{self.columns}x{self.depth} parts {self.part[0]}x{self.part[1]}{shared}"

    @property
    def parts(self) -> tuple[int, int]:
        """Parts one below the other, and side by side."""
        return self.rows // self.part[0], self.columns // self.part[1]

    @property
    def threads(self) -> int:
        """Of a workgroup."""
        down, across = self.parts
        return SUBGROUP * down * across * self.slices

    @property
    def staged(self) -> int:
        """Halves of one of the two buffers."""
        return self.rows * (self.depth + _GAP) + self.depth * (self.columns + _GAP)

    @property
    def memory(self) -> int:
        """Bytes of workgroup memory: two buffers; the sums lie where they were."""
        sums = self.slices * self.parts[0] * UNIT * (self.columns + 4) * 4
        return ceil_div(max(4 * self.staged, sums), 16) * 16

    def groups(self, rows: int, blocks: int) -> tuple[int, int]:
        """Workgroups along columns and rows."""
        return ceil_div(blocks * 4, self.columns), ceil_div(rows, self.rows)

    def wastes(self, rows: int, blocks: int) -> float:
        """What is computed over what is asked for."""
        across, down = self.groups(rows, blocks)
        return across * self.columns * down * self.rows / (rows * blocks * 4)

    def numbers(
        self, rows: int, blocks: int, depth: int, x: Operand, *, loops: bool = False
    ) -> dict[str, int]:
        """The template's, for `rows` x `blocks` vec4s with `depth` vec4s to sum over; `loops`: without matrices, to check indices."""
        down, across = self.parts
        step, octets = self.depth // 8, depth // 2
        return {
            "LOOPS": int(loops),
            "MEMORY": self.memory,
            "HALVES": self.memory // 2,
            "FLOATS": self.memory // 4,
            "OCTETS": self.memory // 16,
            "THREADS": self.threads,
            "PARTS": down * across,
            "PARTS_ACROSS": across,
            "DOWN": self.part[0] // UNIT,
            "ACROSS": self.part[1] // UNIT,
            "SLICES": self.slices,
            "STEP": step,
            "TURNS": self.depth // self.slices // UNIT,
            "TILE_ROWS": self.rows,
            "TILE_OCTETS": self.columns // 8,
            "LOADS_X": self.rows * step // self.threads,
            "LOADS_W": self.depth * self.columns // 8 // self.threads,
            "X_STRIDE": self.depth + _GAP,
            "W_STRIDE": self.columns + _GAP,
            "W_AT": self.rows * (self.depth + _GAP),
            "STAGED": self.staged,
            "SUMS_STRIDE": self.columns + 4,
            "DEPTH": octets,
            "END": ceil_div(octets, step) * step + step,
            "EVEN": int(octets % step == 0),
            "IN_OCTETS": x.blocks // 2,
            "OUT_OCTETS": blocks // 2,
            "OUT_BLOCKS": blocks,
            "PIXELS": rows,
        }


# Largest first, each with how many times over its workgroups have to fill the GPU for the rule to take it.
_RULE: Final = (
    (1.0, Matrices(128, 128, 32, (64, 64))),
    (1.0, Matrices(64, 128, 32, (32, 64))),
    (0.75, Matrices(64, 64, 32, (32, 32))),
    (0.75, Matrices(64, 64, 64, (32, 32), slices=2)),
    (0.5, Matrices(32, 64, 64, (32, 32), slices=2)),
    (0.0, Matrices(32, 32, 128, (32, 32), slices=4)),
)
_OTHERS: Final = (
    Matrices(128, 128, 32, (64, 32)),
    Matrices(128, 64, 32, (64, 32)),
    Matrices(64, 64, 64, (32, 32)),
    Matrices(64, 32, 64, (32, 32), slices=2),
    Matrices(32, 64, 64, (32, 16), slices=2),
    Matrices(16, 64, 128, (16, 64), slices=4),
    Matrices(32, 32, 64, (16, 32), slices=2),
    Matrices(32, 128, 64, (32, 32), slices=2),
)


def takes(x: Operand, blocks: int, target: Target) -> bool:
    """True where inputs and weights are whole octets of float16, on a device with the matrices."""
    octets = (x.blocks, x.stride, x.start, blocks)
    return target.matrices and not any(n % 2 for n in octets)


def _fits(tile: Matrices, rows: int, blocks: int, depth: int, target: Target) -> bool:
    within = tile.memory <= target.workgroup_memory and max(tile.groups(rows, blocks)) <= target.max_groups
    return within and depth * 4 >= tile.depth and tile.wastes(rows, blocks) <= 2.0


def choose_matrices(rows: int, blocks: int, depth: int, target: Target) -> Matrices | None:
    """The rule's tile for `rows` x `blocks` vec4s with `depth` vec4s to sum over; None where matrices would mostly multiply nothing."""
    for times, tile in _RULE:
        across, down = tile.groups(rows, blocks)
        enough = across * down >= times * target.workgroups
        if enough and tile.wastes(rows, blocks) <= 1.5 and _fits(tile, rows, blocks, depth, target):
            return tile
    return None


def other_matrices(rows: int, blocks: int, depth: int, target: Target) -> list[Matrices]:
    """Those that are worth measuring."""
    tiles = [*(tile for _, tile in _RULE), *_OTHERS]
    return [tile for tile in tiles if _fits(tile, rows, blocks, depth, target)]


def loader(x: Operand) -> str:
    """`load_x`: an octet of a pixel."""
    index = f"pixel * {x.stride // 2}u + {x.start // 2}u + octet"
    return f"fn load_x(pixel: u32, octet: u32) -> vec4<u32> {{\n  return x[{index}];\n}}"
