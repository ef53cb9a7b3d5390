"""softmax(scale * Q K^T + masks) V in one dispatch that never stores the scores.

The softmax is incremental over tiles of keys (Milakov and Gimelshein 2018; FlashAttention: Dao et al. 2022).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

import numpy as np

from desktop.compute.nn.ir.graph import Detail, Node
from desktop.compute.nn.ir.views import Axis
from desktop.compute.nn.kernels.subgroup_matrix import DIRECTIVES, SUBGROUP, UNIT
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import require
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

WIDEST: Final = 256
"""Largest head size: a thread of the tiled kernel then holds 32 vec4s of results, and registers end."""

MOST_MASKS: Final = 2
"""With Q, K, V and the result this stays within WebGPU's 8 storage buffers a stage."""

Blank = Literal["undefined", "masked", "never"]
"""Cases in which a NaN row of the softmax (one of -inf alone) becomes zeros: always, if it is all masked, or
never.
"""


@dataclass(frozen=True)
class MatrixStack:
    """A stack of matrices in a row-major tensor.

    Attributes:
        first: the first element.
        batch: steps along the batch's dimensions, 0 where it is stretched.
    """

    first: int
    batch: tuple[int, ...]
    row: int
    column: int

    def has_vectors(self, width: int) -> bool:
        """True if rows of `width` numbers are whole vec4s."""
        return self.column == 1 and not any(n % 4 for n in (width, self.first, self.row, *self.batch))


@dataclass(frozen=True)
class Mask:
    """Numbers from a row-major tensor, times `factor`, that are added to the scores; see `MatrixStack`.

    `rows` and `columns` are steps along queries and keys; several runs for relative positions of pixels.
    """

    first: int
    batch: tuple[int, ...]
    rows: Axis
    columns: Axis
    factor: float


@dataclass(frozen=True)
class Attention(Detail):
    """Shapes of an attention, and the layout of its operands.

    Attributes:
        batch: dimensions over images and heads.
        queries, keys: sequence lengths; `head`: size of a query and key; `width`: size of a value and result.
        scale, gain: factors of the scores and of the results.
        query, key, value, result: (queries, head), (keys, head), (keys, width), (queries, width).
        masks: (queries, keys) each; inputs 3 and on.
        seen: row r has weights for the first r + seen keys only (1 for a causal mask); None for all keys.
    """

    batch: tuple[int, ...]
    queries: int
    keys: int
    head: int
    width: int
    scale: float
    gain: float
    query: MatrixStack
    key: MatrixStack
    value: MatrixStack
    result: MatrixStack
    masks: tuple[Mask, ...]
    blank: Blank
    seen: int | None = None

    @property
    def multiply_adds(self) -> int:
        """Of both products, for the keys that a row sees."""
        pairs = self.queries * self.keys
        if self.seen is not None:
            pairs = sum(min(self.keys, row + self.seen) for row in range(self.queries))
        return math.prod(self.batch) * pairs * (self.head + self.width)


@dataclass(frozen=True)
class _Tile:
    """Assignment of rows to threads: `rows` each; `staged`: 8 * `rows` to 64, through workgroup memory."""

    rows: int
    staged: bool

    @property
    def height(self) -> int:
        """Rows that are computed together."""
        return 8 * self.rows if self.staged else self.rows

    @property
    def keys(self) -> int:
        """Keys at a time."""
        return 32 if self.staged else 4

    @property
    def is_group(self) -> bool:
        """True where a workgroup computes these rows, not a thread."""
        return self.staged


@dataclass(frozen=True)
class _Matrices:
    """A tile of 16 * `subgroups` rows and `keys` keys on subgroup matrices; `shares` subgroups share 16 rows.

    Sizes are counted in 16-bit floats, except `scores`, `shared` and `S_STRIDE` (32-bit ones).
    """

    subgroups: int
    head: int
    width: int
    keys: int
    shares: int = 1
    is_group: ClassVar[bool] = True

    @property
    def height(self) -> int:
        """Rows that are computed together."""
        return UNIT * self.subgroups

    @property
    def is_even(self) -> bool:
        """True where all that share rows have as many matrices of keys, and of values."""
        return self.keys // UNIT % self.shares == 0 and ceil_div(self.width, UNIT) % self.shares == 0

    @property
    def threads(self) -> int:
        """Of a workgroup."""
        return SUBGROUP * self.subgroups * self.shares

    @property
    def memory(self) -> int:
        """Bytes of workgroup memory. Queries lie where scores will be."""
        return self.numbers()["MEMORY"]

    def numbers(self, *, loops: bool = False) -> dict[str, int]:
        """Return the template's numbers; `loops`: without matrices, to check indices."""
        head, width = ceil_div(self.head, UNIT), ceil_div(self.width, UNIT)
        beside = SUBGROUP // UNIT * self.shares
        key_stride, value_stride, weight_stride = (n + 8 for n in (head * UNIT, width * UNIT, self.keys))
        score_stride = max(self.keys, width * UNIT) + _SCORE_GAP  # a tile's sums take the place of its scores
        value_at = self.keys * key_stride
        scores_at = value_at + self.keys * value_stride
        weights_at = scores_at + self.height * score_stride * 2
        behind = weights_at + self.height * weight_stride
        query_at = behind if loops else scores_at
        behind = max(behind, query_at + self.height * key_stride)
        shared = self.threads * 4 if loops else 0
        memory = ceil_div(behind * 2 + shared, 16) * 16
        return {
            "LOOPS": int(loops),
            "THREADS": self.threads,
            "SHARES": self.shares,
            "EXCHANGES": beside.bit_length() - 1,
            "ROW_THREADS": beside,
            "TILE_KEYS": self.keys,
            "ALL_KEY_UNITS": self.keys // UNIT,
            "KEY_UNITS": self.keys // UNIT // self.shares,
            "KEY_FOURS": self.keys // 4 // beside,
            "HEAD_UNITS": head,
            "VALUE_UNITS": width // self.shares,
            "HEAD_FOURS": head * 4,
            "ROW_FOURS": width * 4,
            "FILL": self.keys * (head * 4 - ceil_div(self.head, 4)),
            "OWN_FOURS": width * 4 // beside,
            "LOADS_K": ceil_div(self.keys * ceil_div(self.head, 4), self.threads),
            "LOADS_V": ceil_div(self.keys * ceil_div(self.width, 4), self.threads),
            "Q_STRIDE": key_stride,
            "K_STRIDE": key_stride,
            "V_STRIDE": value_stride,
            "S_STRIDE": score_stride,
            "W_STRIDE": weight_stride,
            "Q_SPAN": (UNIT - 1) * key_stride + head * UNIT,
            "K_SPAN": (self.keys // self.shares - 1) * key_stride + head * UNIT,
            "V_SPAN": (self.keys - 1) * value_stride + width * UNIT // self.shares,
            "S_SPAN": (UNIT - 1) * score_stride + self.keys // self.shares,
            "A_SPAN": (UNIT - 1) * score_stride + width * UNIT // self.shares,
            "W_SPAN": (UNIT - 1) * weight_stride + self.keys,
            "Q_AT": query_at,
            "V_AT": value_at,
            "SCORES_AT": scores_at // 2,
            "WEIGHTS_AT": weights_at,
            "SHARED_AT": ceil_div(behind, 2),
            "MEMORY": memory,
            "HALVES": memory // 2,
            "FLOATS": memory // 4,
            "FOURS": memory // 8,
            "QUADS": memory // 16,
        }


@dataclass(frozen=True)
class _Packed:
    """`across` x `down` threads with `rows` rows each, whose products are 16-bit."""

    across: int
    down: int
    rows: int
    head: int
    width: int
    is_group: ClassVar[bool] = True

    @property
    def height(self) -> int:
        """Rows that are computed together."""
        return self.down * self.rows

    @property
    def keys(self) -> int:
        """Keys at a time."""
        return 4 * self.across

    @property
    def threads(self) -> int:
        """Of a workgroup."""
        return self.across * self.down

    @property
    def chunks(self) -> int:
        """Number of vec4s of a value per thread."""
        return ceil_div(ceil_div(self.width, 4), self.across)

    @property
    def staged(self) -> int:
        """Vec4s of keys, and then of values, in workgroup memory."""
        return self.keys * max(ceil_div(self.head, 4), self.across)

    @property
    def memory(self) -> int:
        """Bytes of workgroup memory."""
        queries = ceil_div(self.head, 4) * (self.height + 1)
        return 8 * (queries + self.staged) + 12 * self.height * self.across

    def numbers(self) -> dict[str, int]:
        """The template's."""
        depth = ceil_div(self.head, 4)
        turn = max(n for n in range(1, _MOST_TURN + 1) if depth % n == 0)
        value_turn = max(n for n in range(1, _MOST_VALUE_TURN + 1) if self.across % n == 0)
        return {
            "PACKED": 1,
            "ACROSS": self.across,
            "DOWN": self.down,
            "ROWS": self.rows,
            "THREADS": self.threads,
            "TILE_KEYS": self.keys,
            "STAGED": self.staged,
            "CHUNKS": self.chunks,
            "TURN": turn,
            "TURNS": depth // turn,
            "VALUE_TURN": value_turn,
            "VALUE_TURNS": self.across // value_turn,
            "LOADS_K": ceil_div(self.keys * depth, self.threads),
            "LOADS_V": ceil_div(self.keys * self.across, self.threads),
        }


_MOST_TURN: Final = 12  # vec4s of a head whose products are added up in 16 bits: 24 in each half of a pair
_MOST_VALUE_TURN: Final = 5  # of 4 keys

_RESIDENT: Final = 8704  # bytes of workgroup memory for Q, beside 7.2 KiB for the rest; WebGPU grants 16 KiB


def _choose_tile(how: Attention, target: Target) -> _Tile:
    """Choose the tile: fewer rows where the GPU would get too few tiles, though keys are read more often."""
    if target.is_software:
        # With more rows llvmpipe compiles for ten seconds what then runs in two thirds of the time.
        return _Tile(2 if how.head + how.width <= 128 else 1, staged=False)
    tiles = ceil_div(how.queries, 32) * math.prod(how.batch)
    return _Tile(4 if tiles >= 2 * target.workgroups and how.width <= 128 else 2, staged=True)


def _choose_packed(how: Attention, target: Target) -> _Packed | None:
    """Choose the tile with 16-bit products; None if none fits a thread or a workgroup's memory.

    Also None where there is little to compute, as 32-bit sums are more exact. Takes 0.38 to 0.52 of the
    32-bit kernel's time on an H100.
    """
    if how.multiply_adds < _LEAST_PACKED:
        return None
    blocks = ceil_div(how.width, 4)
    # As many threads side by side as possible of which none is idle: the values' vec4s, or a part of them.
    across = min((16, 12, 10, 9, 8), key=lambda n: (ceil_div(blocks, n) * n, ceil_div(blocks, n), n))
    heads = math.prod(how.batch)
    tiles = (
        (pace * ceil_div(ceil_div(how.queries, tile.height) * heads, target.workgroups), tile)
        for (down, rows), pace in _PACES.items()
        for tile in (_Packed(across, down, rows, how.head, how.width),)
        if rows * tile.chunks <= _MOST_SUMS and tile.memory <= target.workgroup_memory
    )
    return min(tiles, key=lambda each: each[0], default=(0.0, None))[1]


_LEAST_PACKED: Final = 1 << 18
"""Multiply-adds, for which an H100 takes a hundredth of what a dispatch does."""
_PACES: Final = {
    (16, 4): 1.65,
    (12, 4): 1.35,
    (10, 4): 1.2,
    (8, 4): 1.05,
    (16, 2): 1.0,
    (12, 2): 0.82,
    (10, 2): 0.73,
    (8, 2): 0.64,
    (8, 1): 0.54,
}
"""(threads down, rows of each) -> a workgroup's relative time, fitted on an H100 to two transformers."""
_MOST_SUMS: Final = 16  # vec4s of a thread

_WIDEST_MATRICES: Final = 160
"""Head sizes up to which sums and queries stay in a subgroup's registers."""
_SHARES: Final = (4, 2, 1)
"""Subgroups that have 16 rows together; fewer where heads are no even number of matrices.

With four, ViT-B/16 takes 0.829 ms instead of 0.867 on an H200.
"""
_KEY_PACES: Final = {64: 1.0, 32: 1.08, 16: 1.17}
"""Keys of a tile -> relative time per key, from two measurements on an H200 (32 is interpolated)."""
_LEAST_SAVED: Final = 0.1
"""Part of the time that another tile than the largest has to save, as the paces are rough."""
_MOST_THREADS: Final = 256
"""Limit of a workgroup that every adapter has."""
_SCORE_GAP: Final = 8
"""Floats between rows of scores: with 4, threads conflict in the banks of workgroup memory."""


def _tile_keys(how: Attention) -> tuple[int, ...]:
    """Return the keys of a tile, the best first.

    The last tile is filled up with keys that do not count: of the 77 of a text, two tiles of 64 fill up 51
    and five of 16 only 3 (4096 rows, 8 heads of 40: 99.7 us instead of 136 on an H200). Where subgroups can
    share rows the largest is kept, since each of them needs keys of its own.
    """
    times = {tile: pace * ceil_div(how.keys, tile) * tile for tile, pace in _KEY_PACES.items()}
    largest, best = max(times), min(times, key=lambda tile: times[tile])
    can_share = ceil_div(how.width, UNIT) % 2 == 0
    saves = times[best] < (1.0 - _LEAST_SAVED) * times[largest]
    first = best if saves and not can_share else largest
    return tuple(tile for tile in times if tile <= first)


def _choose_matrices(how: Attention, target: Target) -> _Matrices | None:
    """None where the adapter has none, or a subgroup's matrices would mostly hold nothing."""
    if not target.matrices or max(how.head, how.width) > _WIDEST_MATRICES or how.queries < UNIT:
        return None
    heads = math.prod(how.batch)
    tiles = (
        _Matrices(n, how.head, how.width, keys, shares)
        for n in (4, 2, 1)
        for keys in _tile_keys(how)
        for shares in _SHARES
    )
    return next(
        (
            tile
            for tile in tiles
            if tile.is_even
            and tile.threads <= _MOST_THREADS
            and tile.memory <= target.workgroup_memory
            and (tile.subgroups == 1 or ceil_div(how.queries, tile.height) * heads * 2 >= target.workgroups)
        ),
        None,
    )


def attend(lowering: Lowering, node: Node) -> None:
    """Add the dispatch; raise `ModelUnsupportedError` for a node that no pass made."""
    how = node.detail(Attention)
    require(how is not None, node, "it says nothing of its heads")
    assert how is not None
    given = [lowering.nchw(name) for name in node.inputs[:3]]
    half = all(operand.dtype == "float16" for operand in given)
    target = lowering.target
    matrices = _choose_matrices(how, target) if half else None
    packed = _choose_packed(how, target) if half and not target.is_software and matrices is None else None
    tile = matrices or packed or _choose_tile(how, target)
    row_tiles = ceil_div(how.queries, tile.height)
    count = row_tiles * math.prod(how.batch)
    groups = count if tile.is_group else ceil_div(count, 64)
    width = min(groups, 4096)
    views = {"q": how.query, "k": how.key, "v": how.value}
    widths = {"q": how.head, "k": how.head, "v": how.width}
    reads = {
        name: _row_view(operand, view.has_vectors(widths[name]))
        for (name, view), operand in zip(views.items(), given, strict=True)
    }
    reads |= {f"m{i}": _row_view(_mask(lowering, name), False) for i, name in enumerate(node.inputs[3:])}
    vectors = how.result.has_vectors(how.width)
    result = _row_view(lowering.values.result(node.outputs[0], NCHW), vectors)
    in_half = matrices is not None or packed is not None
    code = [_loader(name, view, widths[name], in_half) for name, view in views.items()]
    code += [_mask_loader(how), _storer(how)]
    numbers = _numbers(how, tile, target)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "attention",
                numbers
                | {"COUNT": count, "ROW_TILES": row_tiles, "WIDTH": width if tile.is_group else width * 64},
                floats={
                    "SCALE": how.scale * (math.log2(math.e) if numbers["PLAIN"] else 1.0),
                    "GAIN": how.gain,
                    **{f"M{i}_FACTOR": mask.factor for i, mask in enumerate(how.masks)},
                },
                code="\n".join(code),
                directives=DIRECTIVES if matrices else (),
                own_indices=True,
            ),
            reads,
            result,
            (width, ceil_div(groups, max(width, 1)), 1),
        )
    )


def _tile_numbers(tile: _Tile | _Packed | _Matrices, depth: int) -> dict[str, int]:
    if isinstance(tile, _Matrices):
        return {"MATRICES": 1, "PACKED": 0, **tile.numbers()}
    if isinstance(tile, _Packed):
        return {"MATRICES": 0, **tile.numbers()}
    resident = depth * (tile.height + 1) * 16 <= _RESIDENT and tile.rows == 2
    return {
        "MATRICES": 0,
        "PACKED": 0,
        "TILED": int(tile.staged),
        "RESIDENT": int(resident),
        "ROWS": tile.rows,
        "Q_TILE": (depth if resident else 8) * (tile.height + 1),
    }


def _numbers(how: Attention, tile: _Tile | _Packed | _Matrices, target: Target) -> dict[str, int]:
    depth, blocks = ceil_div(how.head, 4), ceil_div(how.width, 4)
    numbers = {
        "CHUNKS": ceil_div(blocks, 8),
        **_tile_numbers(tile, depth),
        "HEIGHT": tile.height,
        # Without masks exp2 needs no guards: it gives -inf no weight and keeps NaN, but not on llvmpipe.
        "PLAIN": int(not how.masks and not target.is_software),
        "EVEN": int(how.keys % tile.keys == 0),
        "SEVERAL": int(how.keys > tile.keys),
        "QUERIES": how.queries,
        "KEYS": how.keys,
        "HEAD_BLOCKS": depth,
        "VALUE_BLOCKS": blocks,
        "UNROLL": math.gcd(depth, 8),
        "ZERO_MASKED": int(how.blank != "never"),
        "ZERO_UNDEFINED": int(how.blank == "undefined"),
        "BATCH": len(how.batch),
        "MASKS": len(how.masks),
        "CAUSAL": int(how.seen is not None),
        "SEEN": how.seen or 0,
        # Threads side by side read numbers side by side.
        "K_ACROSS": int(how.key.row == 1),
        "V_ACROSS": int(how.value.row == 1),
    }
    numbers |= {f"BATCH_SIZE_{i}": n for i, n in enumerate(reversed(how.batch))}
    views = {"Q": how.query, "K": how.key, "V": how.value, "Y": how.result}
    numbers |= {f"{name}_ROW": view.row for name, view in views.items()}
    origins = [(name, view.first, view.batch) for name, view in views.items()]
    origins += [(f"M{i}", mask.first, mask.batch) for i, mask in enumerate(how.masks)]
    for name, first, batch in origins:
        numbers[f"{name}_FIRST"] = first
        numbers |= {f"{name}_BATCH_{i}": step for i, step in enumerate(reversed(batch))}
    return numbers


def _row_view(operand: Operand, vectors: bool) -> Operand:
    """Row-major memory as one long row of vec4s, or of numbers, for `read_<name>(index, 0u)`."""
    size = math.prod(operand.shape)
    if vectors:
        return replace(operand, shape=(ceil_div(size, 4), 4), layout=NHWC, stride=1)
    return replace(operand, shape=(size, 1))


def _mask(lowering: Lowering, name: str) -> Operand:
    """Return a mask; finite constants are clamped to float16, as a row of -inf would become NaN."""
    array, dtype = lowering.graph.constants.get(name), lowering.target.dtype
    if array is None or dtype != "float16" or not np.isfinite(array).all():
        return lowering.nchw(name)
    largest = float(np.finfo(dtype).max)
    clipped = np.clip(array.astype(np.float32), -largest, largest)
    return Operand(lowering.memory.constant(clipped), array.shape, dtype, NCHW)


def _loader(name: str, view: MatrixStack, width: int, half: bool) -> str:
    """`load_<name>`: four numbers of the row at `at`, zeros past its end; `half`: as f16, else as f32."""
    number = "f16" if half else "f32"
    head = f"fn load_{name}(at: u32, block: u32) -> vec4<{number}> {{ return "
    if view.has_vectors(width):
        return f"{head}vec4<{number}>({name}[at / 4u + block]); }}"
    lanes = []
    for lane in range(4):
        place = f"block * 4u + {lane}u"
        inside = place if width % 4 == 0 else f"min({place}, {width - 1}u)"  # `select` reads in either case
        value = f"{number}({name}[at + ({inside}) * {view.column}u])"
        lanes.append(value if width % 4 == 0 else f"select({number}(0.0), {value}, {place} < {width}u)")
    return f"{head}vec4<{number}>({', '.join(lanes)}); }}"


def _mask_loader(how: Attention) -> str:
    """`masked`: a score with the masks added."""
    terms = [
        f"read_m{i}(at.m{i} + {_offset('row', mask.rows)} + {_offset('key', mask.columns)}, 0u).x * "
        f"M{i}_FACTOR"
        for i, mask in enumerate(how.masks)
    ]
    return f"fn masked(score: f32, at: Place, row: u32, key: u32) -> f32 {{ return {' + '.join(['score', *terms])}; }}"


def _offset(index: str, axis: Axis) -> str:
    """WGSL expression of how far along an axis an index is."""
    terms, below = [], 1
    for at, (size, step) in reversed(list(enumerate(axis))):
        place = index if below == 1 else f"{index} / {below}u"
        if step:
            terms.append(f"({place}) * {step}u" if at == 0 else f"({place}) % {size}u * {step}u")
        below *= size
    return " + ".join(terms) or "0u"


def _storer(how: Attention) -> str:
    """`store_y`: four numbers of the row that begins at `at`.

    Not through `finish`, which clamps to float16: means are in range already, and a row of NaN must stay NaN.
    """
    head = "fn store_y(at: u32, block: u32, v: vec4<f32>) {\n"
    if how.result.has_vectors(how.width):
        return f"{head}  y[at / 4u + block] = vec4<Element>(v);\n}}"
    lines = []
    for lane in range(4):
        place = f"block * 4u + {lane}u"
        store = f"y[at + ({place}) * {how.result.column}u] = Element(v[{lane}]);"
        lines.append(f"  if ({place} < {how.width}u) {{ {store} }}")
    return head + "\n".join(lines) + "\n}"
