"""The kernels that dawn.py measures: matrix products and convolutions on subgroup matrices, as WGSL for Tint.

A convolution is an implicit matrix product: rows are output pixels, columns output channels, depth is kernel
taps x input channels. A workgroup computes a tile of it, each of its subgroups (32 threads) a part of the
tile in matrices of 16x16. All operands are float16, sums float32; a bias is added and the result written as
float16.

https://dawn.googlesource.com/dawn/+/refs/heads/main/docs/dawn/features/subgroup_matrix.md has the matrices,
https://github.com/gpuweb/gpuweb/blob/main/proposals/buffer-view.md the views of workgroup memory as several
types.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

UNIT: Final = 16
"""Rows, columns and depth of a matrix: what NVIDIA's driver lists for float16 with float32 sums."""

SUBGROUP: Final = 32
MEMORY: Final = 48 << 10
"""Bytes of workgroup memory that NVIDIA's Vulkan driver gives."""


@dataclass(frozen=True)
class Shape:
    """A convolution, channels last; a matrix product is one with a window of 1x1 and a picture a row.

    Attributes:
        batch: pictures.
        size: height and width of the input, of `channels`.
        columns: output channels.
        output: height and width of the result.
        before: padding above and to the left, modulo 2^32.
    """

    batch: int
    size: tuple[int, int]
    channels: int
    columns: int
    output: tuple[int, int]
    kernel: tuple[int, int] = (1, 1)
    strides: tuple[int, int] = (1, 1)
    dilations: tuple[int, int] = (1, 1)
    before: tuple[int, int] = (0, 0)

    @classmethod
    def product(cls, rows: int, depth: int, columns: int) -> Shape:
        """Return a product of (rows, depth) by (depth, columns)."""
        return cls(rows, (1, 1), depth, columns, (1, 1))

    @classmethod
    def convolution(cls, side: int, channels: int, columns: int, kernel: int = 3, stride: int = 1) -> Shape:
        """Return a convolution of a square picture, padded so that a stride of 1 keeps its size."""
        output, before = (side - 1) // stride + 1, kernel // 2
        return cls(
            *(1, (side, side), channels, columns, (output, output)),
            *((kernel, kernel), (stride, stride), (1, 1), (before, before)),
        )

    @property
    def rows(self) -> int:
        """Output pixels."""
        return self.batch * math.prod(self.output)

    @property
    def depth(self) -> int:
        """Kernel taps x input channels."""
        return math.prod(self.kernel) * self.channels

    @property
    def flops(self) -> int:
        """2 x multiply-adds."""
        return 2 * self.rows * self.depth * self.columns

    @property
    def is_pointwise(self) -> bool:
        """True where row and input pixel are the same."""
        return self.kernel == self.strides == (1, 1) and self.before == (0, 0)

    def __str__(self) -> str:
        product = f"{self.rows}x{self.depth}x{self.columns}"
        if self.is_pointwise:
            return product
        kernel, stride = "x".join(map(str, self.kernel)), "x".join(map(str, self.strides))
        return f"{product} kernel {kernel} stride {stride}"


@dataclass(frozen=True)
class Variant:
    """A way to compute.

    Attributes:
        rows, columns: of a workgroup's tile; `depth` a step.
        part: rows and columns of a subgroup's part of it.
        slices: subgroups that share a part, each with its own range of each step's depth.
        buffers: 2: a step is staged while the one before is multiplied, with one barrier a step instead of
            two.
        staging: 'view': workgroup memory written as u32 vectors and read as float16 (buffer_view); 'halves':
            written half by half, for compilers without views; 'none': matrices are loaded from storage.
        load: float16 values that a thread loads at once, 8 or 4.
        gap: float16 values between two rows of staged memory, so that rows begin in different banks.
    """

    rows: int
    columns: int
    depth: int
    part: tuple[int, int]
    slices: int = 1
    buffers: int = 1
    staging: str = "view"
    load: int = 8
    gap: int = 8

    def __str__(self) -> str:
        parts = f"{self.part[0]}x{self.part[1]}" + (f"/{self.slices}" if self.slices > 1 else "")
        extra = "" if (self.load, self.gap) == (8, 8) else f" load {self.load} gap {self.gap}"
        return f"{self.staging} {self.rows}x{self.columns}x{self.depth} {parts} x{self.buffers}{extra}"

    @property
    def down(self) -> int:
        """Parts one below the other."""
        return self.rows // self.part[0]

    @property
    def across(self) -> int:
        """Parts side by side."""
        return self.columns // self.part[1]

    @property
    def threads(self) -> int:
        """Of a workgroup."""
        return SUBGROUP * self.down * self.across * self.slices

    @property
    def left_stride(self) -> int:
        """From a row of the staged left factor to the next, in float16 values."""
        return self.depth + self.gap

    @property
    def right_stride(self) -> int:
        """From a row of the staged right factor to the next, in float16 values."""
        return self.columns + self.gap

    @property
    def staged(self) -> int:
        """Float16 values of one buffer."""
        return self.rows * self.left_stride + self.depth * self.right_stride if self.staging != "none" else 0

    @property
    def sums(self) -> int:
        """Float32 values that are written at once: of each part a row of matrices."""
        return self.slices * self.down * UNIT * (self.columns + 4)

    @property
    def memory(self) -> int:
        """Bytes of workgroup memory; through views, sums lie where factors were."""
        staged, sums = 2 * self.staged * self.buffers, 4 * self.sums
        return -(-max(staged, sums) // 16) * 16 if self.staging == "view" else staged + sums

    def groups(self, shape: Shape) -> tuple[int, int]:
        """Workgroups along columns and rows."""
        return -(-shape.columns // self.columns), -(-shape.rows // self.rows)

    def takes(self, shape: Shape) -> bool:
        """True where it computes a shape, without more than half of its work in vain."""
        even = shape.channels % self.load == shape.columns % self.load == 0
        if self.staging == "none":
            even = shape.is_pointwise and shape.channels % self.depth == 0 == shape.columns % UNIT
        across, down = self.groups(shape)
        covered = across * self.columns * down * self.rows
        return even and covered <= 2 * max(shape.rows, UNIT) * max(shape.columns, UNIT)


def _variants() -> tuple[Variant, ...]:
    large = [
        *(Variant(128, 128, 32, (64, 64), buffers=n) for n in (1, 2)),
        *(Variant(128, 128, 32, (64, 32), buffers=n) for n in (1, 2)),
        *(Variant(*tile, 32, (64, 64)) for tile in ((128, 256), (256, 128))),
        Variant(128, 128, 64, (64, 64)),
        Variant(128, 128, 64, (64, 32)),
    ]
    small = [
        Variant(128, 64, 32, (64, 32), buffers=2),
        Variant(64, 128, 32, (32, 64), buffers=2),
        *(Variant(64, 64, depth, (32, 32), buffers=2) for depth in (32, 64)),
        Variant(64, 64, 64, (32, 32), slices=2),
        Variant(64, 32, 64, (32, 32), slices=2, buffers=2),
        Variant(32, 64, 64, (32, 32), slices=2, buffers=2),
        Variant(32, 32, 128, (32, 32), slices=4, buffers=2),
        Variant(16, 64, 128, (16, 64), slices=4, buffers=2),
    ]
    others = [
        Variant(128, 128, 32, (64, 64), buffers=2, gap=0),
        Variant(128, 128, 32, (64, 64), buffers=2, load=4),
        Variant(64, 64, 32, (32, 32), buffers=2, load=4),
        Variant(128, 128, 32, (64, 64), staging="halves"),
        Variant(64, 64, 32, (32, 32), staging="halves"),
        Variant(128, 128, 32, (64, 64), staging="none"),
        Variant(64, 64, 32, (32, 32), staging="none"),
    ]
    return (*large, *small, *others)


VARIANTS: Final = _variants()


def shader(shape: Shape, variant: Variant, *, plain: bool = False) -> str:
    """Return the WGSL of a kernel with the entry point `main`.

    Bindings of group 0: input (batch, height, width, channels), weights (kernel height, kernel width,
    channels, columns), both float16, the bias in float32, the result (rows, columns) in float16.

    Args:
        plain: with loops in place of matrices, each subgroup 32 consecutive threads, to check the indices on
            any adapter.
    """
    lines = [
        "requires buffer_view;" if variant.staging == "view" else "",
        "enable f16;",
        "" if plain else "enable subgroups;\nenable chromium_experimental_subgroup_matrix;",
        *_constants(shape, variant),
        *_variables(variant),
        _plain(variant) if plain else _MATRICES,
        *_main(shape, variant, plain),
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _constants(shape: Shape, variant: Variant) -> list[str]:
    load = variant.load
    numbers = {
        "ROWS": shape.rows,
        "COLUMNS": shape.columns,
        "DEPTH": shape.depth // load if variant.staging != "none" else shape.depth,
        "CHANNELS": shape.channels // load,
        "ROW_LOADS": shape.columns // load,
        "KERNEL_W": shape.kernel[1],
        "THREADS": variant.threads,
        "PARTS": variant.down * variant.across,
        "ACROSS": variant.across,
        "STEP": variant.depth // load if variant.staging != "none" else variant.depth,
        "TILE_LOADS": variant.columns // load,
        "STAGED": variant.staged,
        "SUMS_STRIDE": variant.columns + 4,
        "LEFT_STRIDE": variant.left_stride if variant.staging != "none" else shape.depth,
        "RIGHT_STRIDE": variant.right_stride if variant.staging != "none" else shape.columns,
        "RIGHT_AT": variant.rows * variant.left_stride,
    }
    for name, pair in (
        *(("IN", shape.size), ("OUT", shape.output), ("STRIDE", shape.strides)),
        *(("DILATION", shape.dilations), ("PAD", shape.before)),
    ):
        numbers |= {f"{name}_{'HW'[axis]}": pair[axis] % 2**32 for axis in (0, 1)}
    return [f"const {name} = {value}u;" for name, value in numbers.items()]


def _variables(variant: Variant) -> list[str]:
    kind = "f16" if variant.staging == "none" else f"vec{variant.load // 2}<u32>"
    memory = [
        f"@group(0) @binding(0) var<storage, read> x: array<{kind}>;",
        f"@group(0) @binding(1) var<storage, read> w: array<{kind}>;",
        "@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;",
        "@group(0) @binding(3) var<storage, read_write> y: array<vec4<f16>>;",
        f"alias Load = {kind};",
    ]
    if variant.staging == "view":
        return [*memory, f"var<workgroup> tile: buffer<{variant.memory}>;"]
    halves = f"var<workgroup> halves: array<f16, {variant.staged * variant.buffers}>;"
    floats = f"var<workgroup> floats: array<f32, {variant.sums}>;"
    return [*memory, *([halves] if variant.staged else []), floats]


_MATRICES: Final = f"""alias Left = subgroup_matrix_left<f16, {UNIT}, {UNIT}>;
alias Right = subgroup_matrix_right<f16, {UNIT}, {UNIT}>;
alias Sum = subgroup_matrix_result<f32, {UNIT}, {UNIT}>;"""


def _views(variant: Variant) -> list[str]:
    if variant.staging != "view":
        return []
    halves, words = variant.memory // 2, variant.memory // 4
    return [
        f"let halves = bufferView<array<f16, {halves}>>(&tile, 0);",
        f"let loads = bufferView<array<Load, {halves // variant.load}>>(&tile, 0);",
        f"let floats = bufferView<array<f32, {words}>>(&tile, 0);",
        f"let quads = bufferView<array<vec4<f32>, {words // 4}>>(&tile, 0);",
    ]


def _plain(variant: Variant) -> str:
    """Matrices by loops: a factor is where it lies, a sum 8 values a thread."""
    views = "\n  ".join(line for line in _views(variant) if " halves " in line or " floats " in line)
    left, right = ("x", "w") if variant.staging == "none" else 2 * ("halves",)
    each = SUBGROUP // UNIT
    return f"""const ACROSS_PART = {variant.part[1] // UNIT}u;
var<private> thread: u32;
var<private> sums: array<array<f32, {UNIT // each}>, {math.prod(variant.part) // UNIT**2}>;
fn multiply_add(left: u32, right: u32, sum: u32) {{
  {views}
  for (var e = 0u; e < {UNIT // each}u; e++) {{
    let column = thread % {each}u * {UNIT // each}u + e;
    var total = 0.0;
    for (var k = 0u; k < {UNIT}u; k++) {{
      total += f32({left}[left + thread / {each}u * LEFT_STRIDE + k]) * f32({right}[right + k * RIGHT_STRIDE + column]);
    }}
    sums[sum][e] += total;
  }}
}}
fn put(at: u32, sum: u32) {{
  {views}
  for (var e = 0u; e < {UNIT // each}u; e++) {{
    floats[at + thread / {each}u * SUMS_STRIDE + thread % {each}u * {UNIT // each}u + e] = sums[sum][e];
  }}
}}"""


def _main(shape: Shape, variant: Variant, plain: bool) -> list[str]:
    subgroup = "" if plain else ", @builtin(subgroup_id) subgroup: u32"
    matrices = [f"{i}_{j}" for i in range(variant.part[0] // UNIT) for j in range(variant.part[1] // UNIT)]
    start = f"lane / {SUBGROUP}u;\n  thread = lane % {SUBGROUP}u" if plain else ""
    return [
        f"@compute @workgroup_size({variant.threads})",
        f"fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32{subgroup}) {{",
        f"let subgroup = {start};" if plain else "",
        "let slice = subgroup / PARTS;",
        "let below = subgroup / ACROSS % (PARTS / ACROSS);",
        "let beside = subgroup % ACROSS;",
        *_views(variant),
        *(f"var sum_{each} = Sum();" for each in matrices if not plain),
        *(_straight(variant, plain) if variant.staging == "none" else _staged(shape, variant, plain)),
        *_drain(variant, plain),
        "}",
    ]


# -- the product ---------------------------------------------------------------------------------------------


def _straight(variant: Variant, plain: bool) -> list[str]:
    left = f"(group.y * {variant.rows}u + below * {variant.part[0]}u) * DEPTH + depth"
    right = f"depth * COLUMNS + group.x * {variant.columns}u + beside * {variant.part[1]}u"
    return [
        "for (var depth = 0u; depth < DEPTH; depth += STEP) {",
        *_multiply(variant, ("&x", left), ("&w", right), plain),
        "}",
    ]


def _staged(shape: Shape, variant: Variant, plain: bool) -> list[str]:
    double = variant.buffers > 1
    base = "phase + " if double else ""
    memory = "halves" if variant.staging == "view" else "&halves"
    left = f"{base}below * {variant.part[0]}u * LEFT_STRIDE"
    right = f"{base}RIGHT_AT + beside * {variant.part[1]}u"
    return [
        *_places(shape, variant),
        "var depth = 0u;",
        *_fetch(shape, variant),
        "var phase = 0u;" if double else "",
        "loop {",
        "" if double else "workgroupBarrier();",
        *_put_factors(variant),
        "workgroupBarrier();",
        "depth += STEP;",
        "if (depth < DEPTH) {",
        *_fetch(shape, variant),
        "}",
        *_multiply(variant, (memory, left), (memory, right), plain),
        "if (depth >= DEPTH) { break; }",
        "phase = STAGED - phase;" if double else "",
        "}",
    ]


def _counts(variant: Variant) -> tuple[int, int]:
    """Number of loads of each thread for the tiles of the left and of the right factor."""
    left = variant.rows * variant.depth // variant.load
    right = variant.depth * variant.columns // variant.load
    assert left % variant.threads == right % variant.threads == 0, variant
    return left // variant.threads, right // variant.threads


def _places(shape: Shape, variant: Variant) -> list[str]:
    """Rows and columns that a thread loads."""
    left, right = _counts(variant)
    lines = [
        "let part = lane % STEP;",
        "let tile_column = lane % TILE_LOADS;",
        "let column = min(group.x * TILE_LOADS + tile_column, ROW_LOADS - 1u);",
        *(f"var a_{n}: Load;" for n in range(left)),
        *(f"var b_{n}: Load;" for n in range(right)),
        *(f"let line_{n} = lane / TILE_LOADS + {n}u * (THREADS / TILE_LOADS);" for n in range(right)),
    ]
    for n in range(left):
        lines += [
            f"let row_{n} = lane / STEP + {n}u * (THREADS / STEP);",
            f"let source_{n} = min(group.y * {variant.rows}u + row_{n}, ROWS - 1u);",
        ]
        if not shape.is_pointwise:
            lines += [
                f"let image_{n} = source_{n} / (OUT_H * OUT_W) * (IN_H * IN_W);",
                f"let top_{n} = source_{n} / OUT_W % OUT_H * STRIDE_H - PAD_H;",
                f"let left_{n} = source_{n} % OUT_W * STRIDE_W - PAD_W;",
            ]
    return lines


def _fetch(shape: Shape, variant: Variant) -> list[str]:
    """Load a step's factors into registers."""
    left, right = _counts(variant)
    whole = shape.depth % variant.depth == 0
    lines = ["{", "let k = depth + part;"]
    if not shape.is_pointwise:
        lines += [
            "let tap = k / CHANNELS;",
            "let down = tap / KERNEL_W * DILATION_H;",
            "let across = tap % KERNEL_W * DILATION_W;",
        ]
    for n in range(left):
        if shape.is_pointwise:
            value = f"x[source_{n} * CHANNELS + {'k' if whole else 'min(k, CHANNELS - 1u)'}]"
            lines.append(f"a_{n} = {value if whole else f'select(Load(), {value}, k < DEPTH)'};")
            continue
        at = f"(image_{n} + (top_{n} + down) * IN_W + left_{n} + across) * CHANNELS + k % CHANNELS"
        inside = f"k < DEPTH && top_{n} + down < IN_H && left_{n} + across < IN_W"
        lines += [f"a_{n} = Load();", f"if ({inside}) {{ a_{n} = x[{at}]; }}"]
    for n in range(right):
        line = f"depth * {variant.load}u + line_{n}"
        line = line if whole else f"min({line}, DEPTH * {variant.load}u - 1u)"
        lines.append(f"b_{n} = w[({line}) * ROW_LOADS + column];")
    return [*lines, "}"]


def _put_factors(variant: Variant) -> list[str]:
    """Write what was fetched into workgroup memory."""
    left, right = _counts(variant)
    load, base = variant.load, "phase + " if variant.buffers > 1 else ""
    places = [(f"a_{n}", f"({base}row_{n} * LEFT_STRIDE) / {load}u + part") for n in range(left)]
    places += [
        (f"b_{n}", f"({base}RIGHT_AT + line_{n} * RIGHT_STRIDE) / {load}u + tile_column")
        for n in range(right)
    ]
    if variant.staging == "view":
        return [f"loads[{at}] = {name};" for name, at in places]
    lines = []
    for name, at in places:
        lines += ["{", f"let at = ({at}) * {load}u;"]
        for word in range(load // 2):
            lines.append(f"let pair_{word} = bitcast<vec2<f16>>({name}[{word}]);")
            lines += [f"halves[at + {2 * word + half}u] = pair_{word}[{half}];" for half in (0, 1)]
        lines.append("}")
    return lines


def _multiply(variant: Variant, left: tuple[str, str], right: tuple[str, str], plain: bool) -> list[str]:
    """Add a step's products to the sums; `left` and `right` are the memory and the first element of a
    subgroup's part.
    """
    depth = variant.depth // variant.slices
    lines = ["{", f"let left_at = {left[1]} + slice * {depth}u;"]
    lines.append(f"let right_at = {right[1]} + slice * {depth}u * RIGHT_STRIDE;")
    down, across = variant.part[0] // UNIT, variant.part[1] // UNIT
    if plain:
        lines += [
            f"for (var step = 0u; step < {depth // UNIT}u; step++) {{",
            f"for (var m = 0u; m < {down * across}u; m++) {{",
            f"multiply_add({_left('m / ACROSS_PART', 'step')}, {_right('m % ACROSS_PART', 'step')}, m);",
            *("}", "}"),
        ]
    for step in range(0 if plain else depth // UNIT):
        lines.append("{")
        for i in range(down):
            lines.append(
                f"let left_{i} = subgroupMatrixLoad<Left, row_major>({left[0]}, {_left(f'{i}u', f'{step}u')}, LEFT_STRIDE);"
            )
        for j in range(across):
            lines.append(
                f"let right_{j} = subgroupMatrixLoad<Right, row_major>({right[0]}, {_right(f'{j}u', f'{step}u')}, RIGHT_STRIDE);"
            )
            lines += [
                f"sum_{i}_{j} = subgroupMatrixMultiplyAccumulate(left_{i}, right_{j}, sum_{i}_{j});"
                for i in range(down)
            ]
        lines.append("}")
    return [*lines, "}"]


def _left(i: str, step: str) -> str:
    return f"left_at + {i} * {UNIT}u * LEFT_STRIDE + {step} * {UNIT}u"


def _right(j: str, step: str) -> str:
    return f"right_at + {step} * {UNIT}u * RIGHT_STRIDE + {j} * {UNIT}u"


# -- the result ----------------------------------------------------------------------------------------------


def _drain(variant: Variant, plain: bool) -> list[str]:
    """Through workgroup memory, a row of each part's matrices at a time: add the slices and the bias, write
    float16.
    """
    memory = "floats" if variant.staging == "view" else "&floats"
    down, across = variant.part[0] // UNIT, variant.part[1] // UNIT
    at = f"(subgroup / ACROSS) * {UNIT}u * SUMS_STRIDE + beside * {variant.part[1]}u"
    lines = [f"for (var i = 0u; i < {down}u; i++) {{"] if plain else []
    for i in range(1 if plain else down):
        lines.append("workgroupBarrier();")
        if plain:
            lines.append(
                f"for (var j = 0u; j < {across}u; j++) {{ put({at} + j * {UNIT}u, i * {across}u + j); }}"
            )
        for j in range(0 if plain else across):
            lines.append(
                f"subgroupMatrixStore<row_major>({memory}, {at} + {j}u * {UNIT}u, sum_{i}_{j}, SUMS_STRIDE);"
            )
        lines += ["workgroupBarrier();", *_write(variant, "i" if plain else f"{i}u")]
    return [*lines, "}"] if plain else lines


def _write(variant: Variant, i: str) -> list[str]:
    quads = variant.columns // 4
    lines = [
        f"for (var e = lane; e < {variant.down * UNIT * quads}u; e += THREADS) {{",
        f"let line = e / {quads}u;",
        f"let row = group.y * {variant.rows}u + line / {UNIT}u * {variant.part[0]}u + {i} * {UNIT}u + line % {UNIT}u;",
        f"let block = group.x * {quads}u + e % {quads}u;",
        "if (row < ROWS && block < COLUMNS / 4u) {",
        "var v = bias[block];",
    ]
    for part in range(variant.slices):
        at = f"({part * variant.down * UNIT}u + line) * SUMS_STRIDE + e % {quads}u * 4u"
        singles = ", ".join(f"floats[{at} + {n}u]" for n in range(4))
        lines.append(f"v += {f'quads[({at}) / 4u]' if variant.staging == 'view' else f'vec4({singles})'};")
    return [*lines, "y[row * (COLUMNS / 4u) + block] = vec4<f16>(v);", "}", "}"]
