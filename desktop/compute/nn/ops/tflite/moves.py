"""Operators that only move, repeat or omit numbers; images are channels first, so that transposes cancel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.lowering.operator import axis_of, refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import Spelling


def _is_picture(s: Spelling, index: int) -> bool:
    """True for computed floats with four dimensions, of which the last may be channels."""
    return len(s.shape(index)) == 4 and s.known(index) is None and s.dtype(index) == "float32"


def _order(rank: int, picture: bool) -> list[int]:
    """Return for each axis of the moved tensor its place in the file's."""
    return [0, rank - 1, *range(1, rank - 1)] if picture else list(range(rank))


def _moved_by(s: Spelling, index: int, move: Callable[[str, list[int]], str]) -> str:
    """Apply `move` to an input; it gets the tensor and, for each of its axes, the file's axis."""
    rank, picture = len(s.shape(index)), _is_picture(s, index)
    name = s.moved(index)
    found = move(s.first(name) if picture else name, _order(rank, picture))
    return s.last(found) if picture else found


def _reshape(s: Spelling) -> None:
    if s.has(1) and s.known(1) is None:
        s.give(s.add("Reshape", s.moved(0), s.add("Cast", s.input(1), to=code_of("int64")), allowzero=1))
        return
    shape = s.integers(1) if s.has(1) else [int(n) for n in s.option("NewShape", [])]
    s.give(s.add("Reshape", s.moved(0), s.int64(*shape), allowzero=1))


def _squeeze(s: Spelling) -> None:
    axes = [int(n) for n in s.option("SqueezeDims", [])]
    shape = s.shape(0)
    kept = {axis_of(s.node, a, len(shape)) for a in axes} or {at for at, n in enumerate(shape) if n == 1}
    require(all(shape[at] == 1 for at in kept), s.node, "an axis that is longer than one")
    rest = [n for at, n in enumerate(shape) if at not in kept]
    s.give(s.add("Reshape", s.moved(0), s.int64(*rest), allowzero=1))


def _expand_dims(s: Spelling) -> None:
    rank = len(s.shape(0)) + 1
    axis = axis_of(s.node, s.integers(1)[0], rank)
    s.give(s.add("Unsqueeze", s.moved(0), s.int64(axis)))


def _transpose(s: Spelling) -> None:
    s.give(s.add("Transpose", s.moved(0), perm=s.integers(1)))


def _concatenation(s: Spelling) -> None:
    rank = len(s.shape(0))
    axis = axis_of(s.node, int(s.option("Axis", 0)), rank)
    names = [s.moved(index) for index in range(s.count)]
    found = s.add("Concat", *names, axis=axis)
    s.give_real(
        found, activation=int(s.option("FusedActivationFunction", 0))
    ) if s.out_grid() is None else s.give(found)


def _pack(s: Spelling) -> None:
    axis = axis_of(s.node, int(s.option("Axis", 0)), len(s.shape(0)) + 1)
    parts = [s.add("Unsqueeze", s.moved(index), s.int64(axis)) for index in range(s.count)]
    s.give(s.add("Concat", *parts, axis=axis))


def _unpack(s: Spelling) -> None:
    shape = s.shape(0)
    axis = axis_of(s.node, int(s.option("Axis", 0)), len(shape))
    require(shape[axis] == s.results, s.node, "another number of results than its axis is long")
    rest = [n for at, n in enumerate(shape) if at != axis]
    for index, part in enumerate(_parts(s, s.moved(0), axis, [1] * s.results)):
        s.give(s.add("Reshape", part, s.int64(*rest), allowzero=1), index)


def _parts(s: Spelling, name: str, axis: int, sizes: Sequence[int]) -> tuple[str, ...]:
    if len(sizes) == 1:
        return (name,)
    return s.add_many("Split", len(sizes), name, s.int64(*sizes), axis=axis)


def _split(s: Spelling) -> None:
    shape = s.shape(1)
    axis = axis_of(s.node, s.integers(0)[0], len(shape))
    require(s.results > 0 and shape[axis] % s.results == 0, s.node, "an axis that cannot be split evenly")
    for index, part in enumerate(_parts(s, s.moved(1), axis, [shape[axis] // s.results] * s.results)):
        s.give(part, index)


def _split_v(s: Spelling) -> None:
    shape, sizes = s.shape(0), s.integers(1)
    axis = axis_of(s.node, s.integers(2)[0], len(shape))
    rest = shape[axis] - sum(n for n in sizes if n >= 0)
    sizes = [rest if n < 0 else n for n in sizes]
    require(
        len(sizes) == s.results and sum(sizes) == shape[axis] and rest >= 0, s.node, "parts that do not fit"
    )
    for index, part in enumerate(_parts(s, s.moved(0), axis, sizes)):
        s.give(part, index)


def _sliced(s: Spelling, begin: Sequence[int], end: Sequence[int], steps: Sequence[int]) -> str:
    def move(name: str, order: list[int]) -> str:
        wanted = [
            (at, axis)
            for at, axis in enumerate(order)
            if (begin[axis], end[axis], steps[axis]) != (0, s.shape(0)[axis], 1)
        ]
        if not wanted:
            return name
        rows = [[numbers[axis] for _, axis in wanted] for numbers in (begin, end)]
        strides = s.int64(*(steps[axis] for _, axis in wanted))
        return s.add(
            "Slice", name, s.int64(*rows[0]), s.int64(*rows[1]), s.int64(*(at for at, _ in wanted)), strides
        )

    return _moved_by(s, 0, move)


def _slice(s: Spelling) -> None:
    shape, begin, size = s.shape(0), s.integers(1), s.integers(2)
    require(len(begin) == len(size) == len(shape), s.node, "a part that does not fit its input")
    end = [n if count < 0 else first + count for n, first, count in zip(shape, begin, size, strict=True)]
    fits = all(0 <= b <= e <= n for b, e, n in zip(begin, end, shape, strict=True))
    require(fits, s.node, "a part that does not fit its input")
    s.give(_sliced(s, begin, end, [1] * len(shape)))


def _strided_slice(s: Spelling) -> None:
    """Begin, end and step of each axis, which bits of masks leave out, make longer, add or drop."""
    shape = s.shape(0)
    begin, end, steps = (s.integers(index) for index in (1, 2, 3))
    masks = [int(s.option(f"{n}Mask", 0)) for n in ("Begin", "End", "Ellipsis", "NewAxis", "ShrinkAxis")]
    require(len(begin) == len(end) == len(steps), s.node, "a part that does not fit its input")
    added = sum(1 for at in range(len(begin)) if masks[3] >> at & 1 and not masks[2] >> at & 1)
    firsts: list[int] = []
    lasts: list[int] = []
    strides: list[int] = []
    result: list[int] = []
    axis = 0
    for at in range(len(begin)):
        if masks[2] >> at & 1:
            for _ in range(len(shape) - (len(begin) - 1 - added)):
                require(axis < len(shape), s.node, "more axes than its input has")
                firsts, lasts, strides = [*firsts, 0], [*lasts, shape[axis]], [*strides, 1]
                result.append(shape[axis])
                axis += 1
            continue
        if masks[3] >> at & 1:
            result.append(1)
            continue
        require(axis < len(shape) and steps[at] != 0, s.node, "a part that does not fit its input")
        first, last, step = _range_of(
            shape[axis], begin[at], end[at], steps[at], [m >> at & 1 for m in masks]
        )
        count = max(-(-(last - first) // step), 0)
        firsts, lasts, strides = (
            [*firsts, first],
            [*lasts, last if last >= 0 else -(1 << 31)],
            [*strides, step],
        )
        if not masks[4] >> at & 1:
            result.append(count)
        axis += 1
    for n in shape[axis:]:
        firsts, lasts, strides = [*firsts, 0], [*lasts, n], [*strides, 1]
        result.append(n)
    found = _sliced(s, firsts, lasts, strides)
    same = not masks[3] and not masks[4]
    s.give(found if same else s.add("Reshape", found, s.int64(*result), allowzero=1))


def _range_of(size: int, begin: int, end: int, step: int, masks: Sequence[int]) -> tuple[int, int, int]:
    """First and last element (exclusive; -1 before the first) and step of an axis."""
    low, high = (0, size) if step > 0 else (-1, size - 1)

    def bounded(n: int) -> int:
        return min(max(n + size if n < 0 else n, low), high)

    if masks[4]:
        first = min(max(begin + size if begin < 0 else begin, 0), max(size - 1, 0))
        return first, first + 1, 1
    first = (low if step > 0 else high) if masks[0] else bounded(begin)
    last = (high if step > 0 else low) if masks[1] else bounded(end)
    return first, last, step


def _pads(s: Spelling) -> list[tuple[int, int]]:
    pads = s.fixed(1)
    fits = pads.ndim == 2 and pads.shape == (len(s.shape(0)), 2) and pads.min(initial=0) >= 0
    require(bool(fits), s.node, "pads that do not fit its input")
    return [(int(before), int(after)) for before, after in pads]


def _pad(s: Spelling) -> None:
    pads, value = _pads(s), ""
    if s.has(2):
        grid = s.out_grid()
        value = s.add("Reshape", s.integer_input(2) if grid is not None else s.real(2), s.int64())
        if grid is not None and s.known(2) is not None:
            value = s.constant(np.float32(int(s.fixed(2).reshape(-1)[0]) - grid.zero))
        elif s.known(2) is not None:
            value = s.constant(s.fixed(2).reshape(()))

    def move(name: str, order: list[int]) -> str:
        turned = s.int64(*(pads[axis][0] for axis in order), *(pads[axis][1] for axis in order))
        return s.add("Pad", name, turned, *([value] if value else []))

    s.give(_moved_by(s, 0, move))


def _mirror_pad(s: Spelling) -> None:
    """Mode 0 mirrors at the last element, mode 1 behind it, which ONNX does not have."""
    pads, shape = _pads(s), s.shape(0)
    symmetric = int(s.option("Mode", 0)) == 1
    fits = all(
        max(pair) <= n - (0 if symmetric else 1) for pair, n in zip(pads, shape, strict=True) if max(pair)
    )
    require(fits, s.node, "pads that are longer than its input")

    def move(name: str, order: list[int]) -> str:
        if not symmetric:
            turned = s.int64(*(pads[axis][0] for axis in order), *(pads[axis][1] for axis in order))
            return s.add("Pad", name, turned, mode="reflect")
        for at, axis in enumerate(order):
            if max(pads[axis]):
                table = np.pad(np.arange(shape[axis]), pads[axis], mode="symmetric")
                name = s.add("Gather", name, s.constant(table), axis=at)
        return name

    s.give(_moved_by(s, 0, move))


def _gather(s: Spelling) -> None:
    require(int(s.option("BatchDims", 0)) >= 0, s.node, "batch dimensions that are none")
    refuse_unless(int(s.option("BatchDims", 0)) == 0, s.node, "batch dimensions")
    axis = axis_of(s.node, int(s.option("Axis", 0)), len(s.shape(0)))
    s.give(s.add("Gather", s.moved(0), s.input(1), axis=axis))


def _embedding(s: Spelling) -> None:
    table = s.real(1)
    s.give_real(s.add("Gather", table, s.input(0), axis=0))


def _gather_nd(s: Spelling) -> None:
    s.give(s.add("GatherND", s.moved(0), s.add("Cast", s.input(1), to=code_of("int64"))))


def _scatter_nd(s: Spelling) -> None:
    """Updates that meet are added."""
    shape = s.integers(2)
    fits = all(n >= 0 for n in shape) and math.prod(shape) < 1 << 28
    require(fits, s.node, f"a result of shape {shape}")
    zeros = s.constant(np.zeros(shape, s.dtype(1)))
    indices = s.add("Cast", s.input(0), to=code_of("int64"))
    s.give(s.add("ScatterND", zeros, indices, s.moved(1), reduction="add"))


def _tile(s: Spelling) -> None:
    s.give(s.add("Tile", s.moved(0), s.int64(*s.integers(1))))


def _broadcast_to(s: Spelling) -> None:
    s.give(s.add("Expand", s.moved(0), s.int64(*s.integers(1))))


def _fill(s: Spelling) -> None:
    s.give(s.add("Expand", s.moved(1), s.int64(*s.integers(0))))


def _reverse(s: Spelling) -> None:
    axes = [axis_of(s.node, n, len(s.shape(0))) for n in s.integers(1)]
    count = len(axes)
    bounds = (s.int64(*[-1] * count), s.int64(*[-(1 << 31)] * count))
    s.give(s.add("Slice", s.moved(0), *bounds, s.int64(*axes), s.int64(*[-1] * count)))


def _reverse_sequence(s: Spelling) -> None:
    time, batch = int(s.option("SeqDim", 0)), int(s.option("BatchDim", 0))
    lengths = s.add("Cast", s.input(1), to=code_of("int64"))
    s.give(s.add("ReverseSequence", s.moved(0), lengths, time_axis=time, batch_axis=batch))


def _depth_to_space(s: Spelling) -> None:
    s.give(
        s.last(
            s.add("DepthToSpace", s.first(s.moved(0)), blocksize=int(s.option("BlockSize", 1)), mode="DCR")
        )
    )


def _space_to_depth(s: Spelling) -> None:
    s.give(s.last(s.add("SpaceToDepth", s.first(s.moved(0)), blocksize=int(s.option("BlockSize", 1)))))


def _space_to_batch(s: Spelling) -> None:
    """(n, h, w, c) padded, cut into blocks, whose places are made the outermost part of the batch."""
    shape, block, pads = s.shape(0), s.integers(1), s.fixed(2)
    count = len(block)
    fits = pads.shape == (count, 2) and 1 + count <= len(shape) and min(block) > 0 and int(pads.min()) >= 0
    require(bool(fits), s.node, "blocks that do not fit its input")
    rest = shape[1 + count :]
    tail = len(rest)
    sizes = [int(n + before + after) for n, (before, after) in zip(shape[1 : 1 + count], pads, strict=True)]
    require(
        all(n % b == 0 for n, b in zip(sizes, block, strict=True)), s.node, "blocks that do not fit its input"
    )
    rows = s.int64(0, *map(int, pads[:, 0]), *[0] * tail, 0, *map(int, pads[:, 1]), *[0] * tail)
    padded = s.add("Pad", s.moved(0), rows)
    split = [part for n, b in zip(sizes, block, strict=True) for part in (n // b, b)]
    cut = s.add("Reshape", padded, s.int64(shape[0], *split, *rest))
    perm = [*(2 + 2 * i for i in range(count)), 0, *(1 + 2 * i for i in range(count))]
    turned = s.add("Transpose", cut, perm=[*perm, *range(1 + 2 * count, 1 + 2 * count + tail)])
    batch = shape[0] * math.prod(block)
    s.give(
        s.add("Reshape", turned, s.int64(batch, *(n // b for n, b in zip(sizes, block, strict=True)), *rest))
    )


def _batch_to_space(s: Spelling) -> None:
    """The reverse, with borders cut off."""
    shape, block, crops = s.shape(0), s.integers(1), s.fixed(2)
    count = len(block)
    fits = crops.shape == (count, 2) and 1 + count <= len(shape) and min(block) > 0 and int(crops.min()) >= 0
    require(bool(fits) and shape[0] % math.prod(block) == 0, s.node, "blocks that do not fit its input")
    batch, rest = shape[0] // math.prod(block), shape[1 + count :]
    cut = s.add("Reshape", s.moved(0), s.int64(*block, batch, *shape[1:]))
    perm = [count, *(at for i in range(count) for at in (count + 1 + i, i))]
    turned = s.add("Transpose", cut, perm=[*perm, *range(2 * count + 1, 2 * count + 1 + len(rest))])
    sizes = [n * b for n, b in zip(shape[1 : 1 + count], block, strict=True)]
    joined = s.add("Reshape", turned, s.int64(batch, *sizes, *rest))
    ends = [n - int(after) for n, (_, after) in zip(sizes, crops, strict=True)]
    starts = [int(before) for before, _ in crops]
    require(all(a < b for a, b in zip(starts, ends, strict=True)), s.node, "borders that leave nothing")
    axes = s.int64(*range(1, 1 + count))
    s.give(s.add("Slice", joined, s.int64(*starts), s.int64(*ends), axes))


def _shape(s: Spelling) -> None:
    s.give(s.constant(np.array(s.shape(0), s.option("dtypes")[0])))


def _rank(s: Spelling) -> None:
    s.give(s.constant(np.array(len(s.shape(0)), np.int32)))


def _range(s: Spelling) -> None:
    start, limit, delta = (s.fixed(index).reshape(()) for index in range(3))
    require(bool(delta != 0), s.node, "a step of zero")
    count = max(math.ceil((float(limit) - float(start)) / float(delta)), 0)
    require(count < 1 << 26, s.node, f"a result of {count} numbers")
    s.give(s.constant((start + np.arange(count) * delta).astype(start.dtype)))


def _broadcast_args(s: Spelling) -> None:
    s.give(
        s.constant(
            np.array(np.broadcast_shapes(tuple(s.integers(0)), tuple(s.integers(1))), s.fixed(0).dtype)
        )
    )


def _one_hot(s: Spelling) -> None:
    depth = s.integers(1)[0]
    require(0 < depth < 1 << 20, s.node, f"a depth of {depth}")
    on, off = s.fixed(2).reshape(-1), s.fixed(3).reshape(-1)
    indices = s.add("Cast", s.input(0), to=code_of("int64"))
    values = s.constant(np.concatenate([off[:1], on[:1]]))
    s.give(s.add("OneHot", indices, s.int64(depth), values, axis=int(s.option("Axis", -1))))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "RESHAPE": _reshape,
    "SQUEEZE": _squeeze,
    "EXPAND_DIMS": _expand_dims,
    "TRANSPOSE": _transpose,
    "CONCATENATION": _concatenation,
    "PACK": _pack,
    "UNPACK": _unpack,
    "SPLIT": _split,
    "SPLIT_V": _split_v,
    "SLICE": _slice,
    "STRIDED_SLICE": _strided_slice,
    "PAD": _pad,
    "PADV2": _pad,
    "MIRROR_PAD": _mirror_pad,
    "GATHER": _gather,
    "EMBEDDING_LOOKUP": _embedding,
    "GATHER_ND": _gather_nd,
    "SCATTER_ND": _scatter_nd,
    "TILE": _tile,
    "BROADCAST_TO": _broadcast_to,
    "BROADCAST_ARGS": _broadcast_args,
    "FILL": _fill,
    "REVERSE_V2": _reverse,
    "REVERSE_SEQUENCE": _reverse_sequence,
    "DEPTH_TO_SPACE": _depth_to_space,
    "SPACE_TO_DEPTH": _space_to_depth,
    "SPACE_TO_BATCH_ND": _space_to_batch,
    "BATCH_TO_SPACE_ND": _batch_to_space,
    "SHAPE": _shape,
    "RANK": _rank,
    "RANGE": _range,
    "ONE_HOT": _one_hot,
}
