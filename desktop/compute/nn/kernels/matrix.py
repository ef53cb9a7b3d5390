"""Lower convolutions and matrix products to dispatches, and pack weights; `tiles.py` chooses kernels.

All are implicit matrix products: rows are output pixels, columns output channels in vec4s, depth is kernel
taps x input channels. `conv_tiled` stages tiles in workgroup memory; `conv_sliced`, for small products,
splits the depth between threads; `depthwise` is for one channel a group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Detail, Node
from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.patches import Patches, choose_patches, other_patches
from desktop.compute.nn.kernels.subgroup_matrix import (
    DIRECTIVES,
    Feed,
    Matrices,
    choose_matrices,
    estimate_matrices,
    is_of_octets,
    other_matrices,
    takes,
)
from desktop.compute.nn.kernels.tiles import (
    NARROW,
    OTHER_NARROW,
    Neighbors,
    Tile,
    choose_staged,
    choose_tile,
    estimate,
    other_tiles,
)
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.tuning import Decision
from desktop.compute.nn.lowering.workgroups import ceil_div, spread


def weights_constant(
    lowering: Lowering, weights: np.ndarray, dtype: str = "", pairs: int = 0
) -> tuple[int, str]:
    """Return storage and WGSL element type of weights (M, C, taps...): (taps * C, M), both padded to 4.

    A row is one depth step. `dtype`: if not the network's; `pairs`: pairs of taps to which a line is padded.
    """
    m, c, *taps = weights.shape
    dtype = dtype or lowering.target.dtype
    line = 2 * pairs or taps[-1]

    def fill(padded: np.ndarray) -> None:
        padded[..., : taps[-1], :c, :m] = np.moveaxis(weights, (1, 0), (-2, -1))

    shape = (*taps[:-1], line, ceil_div(c, 4) * 4, ceil_div(m, 4) * 4)
    storage = lowering.memory.filled(shape, dtype, fill)
    return storage, "vec4<f16>" if dtype == "float16" else "vec4<f32>"


def pack_bias(bias: np.ndarray | None, channels: int, dtype: str = "float32") -> np.ndarray:
    """Return the bias padded with zeros to a multiple of 4 channels; zeros without a bias."""
    padded = np.zeros(ceil_div(channels, 4) * 4, dtype)
    if bias is not None:
        padded[:channels] = bias
    return padded


@dataclass(frozen=True)
class IntegerDetail(Detail):
    """Detail of a node on integers of a quantized network; the input's are from `lowest` to `highest`."""

    lowest: int
    highest: int

    @property
    def largest(self) -> int:
        """Return the largest magnitude of the input's integers."""
        return max(abs(self.lowest), abs(self.highest))


def is_wide(node: Node, weights: np.ndarray, bias: np.ndarray | None) -> bool:
    """Return True if integer sums may exceed 2^24, float32's exact limit, so that i32 has to be used."""
    whole = node.detail(IntegerDetail)
    if whole is None:
        return False
    sums = np.abs(weights.reshape(weights.shape[0], -1).astype(np.float64)).sum(1) * whole.largest
    return bool((sums + (0 if bias is None else np.abs(bias.astype(np.float64)))).max() >= 1 << 24)


def dtype_of_weights(lowering: Lowering, node: Node) -> str:
    """Return the network's floating-point type, or float32 for weights in full precision."""
    return "float32" if lowering.values.is_exact(node.input(1)) else lowering.target.dtype


def bias_constant(
    lowering: Lowering, bias: np.ndarray | None, channels: int, wide: bool = False
) -> tuple[int, str]:
    """Return the storage and WGSL element type of a bias, which has the type of the kernel's sums."""
    dtype = "int32" if wide else "float32"
    return lowering.memory.constant(pack_bias(bias, channels, dtype), dtype=dtype), f"vec4<{dtype[0]}32>"


def convolve(lowering: Lowering, convolution: Convolution) -> None:
    """Add the dispatch of a convolution."""
    c = convolution
    wide = is_wide(c.node, c.weights, c.bias)
    feed = feed_of(lowering, c, c.result.blocks)
    decision = _decide(lowering, c, feed, wide)
    tile = decision.chosen
    biases = bias_constant(lowering, c.bias, c.weights.shape[0], wide)
    if isinstance(tile, Patches):
        assert feed is not None
        launch = _launch_of_patches(lowering, c, tile, feed, biases)
    elif isinstance(tile, Matrices):
        assert feed is not None
        launch = launch_of_matrices(lowering, c, tile, feed, biases=biases)
    else:
        launch = launch_of_tile(lowering, c, tile, biases=biases, wide=wide)
    lowering.dispatch(replace(launch, epilogue=c.node.epilogue, decision=decision))


def launch_of_tile(
    lowering: Lowering,
    convolution: Convolution,
    tile: Tile | Neighbors,
    *,
    biases: tuple[int, str] | None = None,
    wide: bool = False,
    shares: int = 1,
) -> Launch:
    """Launch a convolution without subgroup matrices or the node's epilogue; `wide`: see `is_wide`."""
    node, x, result, window = convolution.node, convolution.x, convolution.result, convolution.window
    dtype = dtype_of_weights(lowering, node)
    in_half = _is_picture(lowering, node, x) and _stays_in_range(convolution.weights)
    half = (takes_half(node, x, dtype) or in_half) and tile.kernel == "conv_tiled"
    numbers = {**window.numbers(), **source_numbers(node, window), "IN_BLOCKS": x.blocks, "HALF": int(half)}
    if isinstance(tile, Neighbors):
        groups, own = _narrow(lowering, tile, result, window)
    else:
        rows, blocks = result.pixels // shares, result.blocks
        own = _tiled(
            tile, rows, blocks, window.taps * x.blocks, half, shares, _TURN_OF_PICTURES if in_half else _TURN
        )
        own |= {
            "WIDE": int(wide),
            "POINTWISE": int(convolution.is_pointwise),
            "CLAMPED": int(x.blocks == 1),
            "BIASED": int(biases is not None),
        }
        groups = (*tile.groups(rows, blocks), shares)
    loader = "" if tile.kernel == "conv_sliced" else _loader(x, half)
    return Launch(
        node.name,
        _kernel(tile, numbers | own, _code(node, loader)),
        {"x": x},
        result,
        groups,
        arrays=_arrays(weights_constant(lowering, convolution.weights, dtype), biases),
    )


def launch_of_matrices(
    lowering: Lowering,
    convolution: Convolution,
    tile: Matrices,
    feed: Feed,
    *,
    biases: tuple[int, str] | None = None,
    shares: int = 1,
) -> Launch:
    """Launch a convolution on subgroup matrices, without the node's epilogue.

    Args:
        biases: storage and WGSL element type; None adds nothing.
        shares: workgroups that share the depth; each writes rows of sums of its own.
    """
    node, x, window = convolution.node, convolution.x, convolution.window
    rows, blocks = convolution.result.pixels // shares, convolution.result.blocks
    own = tile.numbers(
        rows,
        blocks,
        feed,
        x,
        pointwise=convolution.is_pointwise,
        biased=biases is not None,
        shares=shares,
        beside=x.storage == convolution.result.storage,
    )
    numbers = {**window.numbers(), **source_numbers(node, window), **own}
    storage, _ = weights_constant(lowering, convolution.weights, pairs=feed.pairs)
    return Launch(
        node.name,
        _kernel(tile, numbers, _code(node, feed.loader(x))),
        {"x": x},
        convolution.result,
        (*tile.groups(rows, blocks), shares),
        arrays=_arrays((storage, "vec4<u32>"), biases),
    )


def _launch_of_patches(
    lowering: Lowering, convolution: Convolution, tile: Patches, feed: Feed, biases: tuple[int, str]
) -> Launch:
    node, x, window = convolution.node, convolution.x, convolution.window
    numbers = {**window.numbers(), **source_numbers(node, window), **tile.numbers(convolution)}
    storage, _ = weights_constant(lowering, convolution.weights)
    return Launch(
        node.name,
        _kernel(tile, numbers, _code(node, feed.loader(x))),
        {"x": x},
        convolution.result,
        tile.workgroups(convolution),
        arrays=_arrays((storage, "vec4<u32>"), biases),
    )


def rows_between(lowering: Lowering, shape: tuple[int, ...], dtype: str = "float32") -> Operand:
    """Allocate vec4 rows between dispatches; `shape`: (rows, numbers) or (batch, numbers, pixels...)."""
    return replace(lowering.values.scratch(shape, dtype), stride=ceil_div(shape[1], 4))


def _arrays(weights: tuple[int, str], biases: tuple[int, str] | None) -> dict[str, tuple[int, str]]:
    return {"weights": weights} if biases is None else {"weights": weights, "bias": biases}


def feed_of(lowering: Lowering, convolution: Convolution, blocks: int) -> Feed | None:
    """Choose how subgroup matrices read the input for `blocks` vec4s of sums; None if they do not suit."""
    node, x, window = convolution.node, convolution.x, convolution.window
    dtype = dtype_of_weights(lowering, node)
    if not takes(blocks, lowering.target) or dtype != "float16" or _is_exact(node):
        return None
    if takes_half(node, x, dtype) and is_of_octets(x):
        return Feed(window.taps * x.blocks)
    if not _is_picture(lowering, node, x) or window.is_pointwise:
        return None
    pairs = ceil_div(window.kernel[1], 2)
    return Feed(window.layers.kernel * window.kernel[0] * pairs * 2, pairs)


_WORTH_ROUNDING: Final = 1 << 26
"""Multiply-adds of a product from which its input is copied in 16 bits; for fewer the copy's dispatch, 2 us, is not
made up for by the rules' estimates.
"""


def rounded(lowering: Lowering, convolution: Convolution) -> Convolution:
    """Return a large product with its input in 16 bits, as matrices take it, where that is a network's input in 32.

    Adds the dispatch that rounds it, once for all products of the input. Numbers beyond 65504 become infinite, which
    the first runs report. The keys and values of a text, 77 rows of 768, are such products.
    """
    c, x = convolution, convolution.x
    name, (rows, blocks, depth) = c.node.input(0), c.extent
    is_input = c.is_pointwise and x.dtype == "float32" and name in lowering.graph.inputs
    if not is_input or rows * blocks * depth * 16 < _WORTH_ROUNDING or lowering.values.is_exact(name):
        return c
    if feed_of(lowering, replace(c, x=replace(x, dtype="float16")), blocks) is None:
        return c
    return replace(c, x=lowering.in_half(name, x))


@dataclass(frozen=True)
class Products:
    """`items` products of `rows` rows each, with their own weights of `dtype`; `half`: all in 16 bits.

    `kind` is the operation they belong to, for a `Decision`'s key.
    """

    items: int
    rows: int
    half: bool
    dtype: str
    kind: str


def items_share(target: Target, items: int) -> Target:
    """Return the share of the target that each of several products has if they fill a GPU together."""
    return replace(target, workgroups=max(target.workgroups // items, 2))


def multiply_items(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    weights: int,
    products: Products,
) -> None:
    """Add the dispatch of products with no bias. Rows of `x` and `result` are (item, row); `weights`: the
    storage of (item, depth padded to 4, columns padded to 4).
    """
    target = items_share(lowering.target, products.items)
    extent = (products.rows, result.blocks, x.blocks)
    on_matrices = products.half and is_of_octets(x) and takes(result.blocks, target)

    def others() -> list[Tile | Matrices]:
        staged = [tile for tile in other_tiles(*extent, target) if tile.staged]
        return [*(other_matrices(*extent[:2], Feed(x.blocks), target) if on_matrices else ()), *staged]

    key = f"{products.kind} {x.dtype} {products.items}x{products.rows}x{x.channels} to {result.dtype} {result.channels}"
    rule = _rule_of_items(extent, target, on_matrices) or _SMALLEST
    decision: Decision[Tile | Matrices] = lowering.decide(key, rule, others)
    tile = decision.chosen
    across, down = tile.groups(products.rows, result.blocks)
    if isinstance(tile, Matrices):
        feed = Feed(x.blocks)
        own = tile.numbers(products.rows, result.blocks, feed, x, pointwise=True, biased=False)
        loader, element = feed.loader(x), "vec4<u32>"
    else:
        own, loader = _tiled(tile, *extent, products.half) | {"BIASED": 0}, _loader(x, products.half)
        element = f"vec4<{element_type(products.dtype)}>"
    flags = {"WIDE": 0, "POINTWISE": 1, "MAPPED": 0, "VOLUME": 0, "HALF": int(products.half)}
    lowering.dispatch(
        Launch(
            node.name,
            _kernel(tile, flags | own | {"ITEMS": products.items}, loader),
            {"x": x},
            result,
            (across, down, products.items),
            arrays={"weights": (weights, element)},
            decision=decision,
        )
    )


def estimate_items(rows: int, blocks: int, depth: int, target: Target, on_matrices: bool) -> float:
    """Estimate microseconds on an H100 for a product that shares `target`; infinite if no kernel suits."""
    extent = (rows, blocks, depth)
    tile = _rule_of_items(extent, target, on_matrices)
    return math.inf if tile is None else _estimate(tile, extent, target)


def estimate_convolution(convolution: Convolution, target: Target, feed: Feed | None) -> float:
    """Estimate microseconds on an H100 for the rule's kernel, with the depth undivided."""
    return _choose(convolution, target, feed)[1]


def _choose(
    convolution: Convolution, target: Target, feed: Feed | None
) -> tuple[Tile | Matrices | Patches, float]:
    """Return the rule's kernel and its estimated microseconds."""
    rows, blocks, depth = convolution.extent
    tile = _rule_of(convolution.extent, target, feed)
    if feed is None or not isinstance(tile, Matrices):
        return tile, _estimate(tile, (rows, blocks, depth), target)
    own = _estimate(tile, (rows, blocks, feed.depth), target)
    patches = choose_patches(convolution, feed, target)
    return patches if patches is not None and patches[1] < own else (tile, own)


def _rule_of(extent: tuple[int, int, int], target: Target, feed: Feed | None) -> Tile | Matrices:
    matrices = None if feed is None else choose_matrices(*extent[:2], feed, target)
    return matrices or choose_tile(*extent, target)


def _rule_of_items(extent: tuple[int, int, int], target: Target, on_matrices: bool) -> Tile | Matrices | None:
    matrices = choose_matrices(*extent[:2], Feed(extent[2]), target) if on_matrices else None
    return matrices or choose_staged(*extent, target)


def _estimate(tile: Tile | Matrices, extent: tuple[int, int, int], target: Target) -> float:
    if isinstance(tile, Matrices):
        return estimate_matrices(tile, *extent, target)
    return estimate(tile, *extent, target)


_SMALLEST: Final = Tile(8, 8, 1, 4, staged=True)  # 32 x 32


def _kernel(tile: Tile | Neighbors | Matrices | Patches, numbers: dict[str, int], code: str) -> Kernel:
    on_matrices = isinstance(tile, Matrices | Patches)
    octets = frozenset({"x"} if on_matrices and not numbers["PAIRS"] else ())
    directives = DIRECTIVES if on_matrices else ()
    return Kernel(tile.kernel, numbers, code=code, octets=octets, directives=directives, own_indices=True)


def _decide(
    lowering: Lowering, convolution: Convolution, feed: Feed | None, wide: bool
) -> Decision[Tile | Neighbors | Matrices | Patches]:
    c, target = convolution, lowering.target
    dtype = dtype_of_weights(lowering, c.node)
    extent = c.extent
    narrow = _takes_narrow(c, target)

    def others() -> list[Tile | Neighbors | Matrices | Patches]:
        matrices = other_matrices(*extent[:2], feed, target) if feed is not None else []
        patches = other_patches(c, feed, target) if feed is not None else []
        if feed is not None and feed.pairs:
            # Their weights are packed in another way, and all candidates of a decision read the same memory.
            if isinstance(rule, Matrices):
                return [*matrices]
            matrices = []
        return [
            *matrices,
            *patches,
            *(OTHER_NARROW if narrow else ()),
            *other_tiles(*extent, target),
        ]

    rule: Tile | Neighbors | Matrices | Patches = (
        NARROW if is_narrow(c, target) else _choose(c, target, feed)[0]
    )
    exact = _is_exact(c.node)
    more = "" if dtype == target.dtype else f" weights {dtype}"
    found = f"mapped {c.is_mapped:d} exact {exact:d} wide {wide:d}{more}"
    key = conv_key("conv", target, c.x, c.result, c.window, found)
    return lowering.decide(key, rule, others, exact=exact)


def conv_key(
    kind: str, target: Target, x: Operand, result: Operand, window: SlidingWindow, more: str = ""
) -> str:
    """Return the key of a `Decision`: everything about a convolution's shape that affects its time."""

    def sizes(*numbers: int) -> str:
        return "x".join(map(str, numbers))

    return (
        f"{kind} {target.dtype} {x.layout} {x.dtype} {sizes(*x.shape)} to {result.layout} {result.dtype} "
        f"{sizes(*result.shape)} "
        f"kernel {sizes(*window.kernel)} strides {sizes(*window.strides)} dilations "
        f"{sizes(*window.dilations)} "
        f"pads {sizes(*window.before)} {_layers(window)}{more}"
    ).rstrip()


def _layers(window: SlidingWindow) -> str:
    deep = window.layers
    if not window.is_volume:
        return ""
    return f"layers kernel {deep.kernel} stride {deep.stride} dilation {deep.dilation} pad {deep.before} "


_TURN: Final = 8
"""Vec4s of depth that are summed in 16 bits before they are added to the 32-bit sum: 32 products.

With 16, ViT-B/16 takes 1.484 ms instead of 1.434 on an H100; its error is 1.4e-3 instead of 1.8e-3.
"""
_TURN_OF_PICTURES: Final = 4
"""Number of taps for which `_stays_in_range` checks whether a sum can leave the range of 16 bits."""


def _tiled(
    tile: Tile, rows: int, blocks: int, depth: int, half: bool, shares: int = 1, turn: int = _TURN
) -> dict[str, int]:
    numbers = {
        "ACROSS": tile.across,
        "DOWN": tile.down,
        "COLUMNS": tile.columns,
        "ROWS": tile.rows,
        "SLICES": tile.slices,
        "DEPTH": depth,
        "OUT_BLOCKS": blocks,
        "PIXELS": rows,
        "ITEMS": 0,
        "SHARED": int(shares > 1),
        "TILES_DOWN": tile.groups(rows, blocks)[1],
        "SPLIT": int(tile.slices > 1),
        "UNROLL": tile.unroll,
    }
    return numbers | (_staging(tile, half, depth, shares, turn) if tile.staged else {})


def is_narrow(convolution: Convolution, target: Target) -> bool:
    """Return True if the rule computes neighboring pixels in one thread and enough of them fill the GPU."""
    fills = convolution.result.pixels >= target.workgroups * 64 * NARROW.count
    return fills and _takes_narrow(convolution, target)


def _takes_narrow(convolution: Convolution, target: Target) -> bool:
    """Return True for large kernels with few output channels, which would leave most of a tile idle."""
    window = convolution.window
    return (
        not _is_exact(convolution.node)
        and not target.is_software
        and convolution.result.blocks == 1
        and window.strides == window.dilations == (1, 1)
        and not window.is_volume
        and window.kernel[1] >= 3
    )


def _narrow(
    lowering: Lowering, choice: Neighbors, result: Operand, window: SlidingWindow
) -> tuple[tuple[int, int, int], dict[str, int]]:
    """Return the workgroups and numbers of `conv_narrow`."""
    columns = ceil_div(window.output[1], choice.count)
    width, rows = spread(result.batch * window.output[0] * columns)
    numbers = {
        "BATCH": result.batch,
        "COLUMNS": columns,
        "NEIGHBORS": choice.count,
        "SPAN": choice.count + window.kernel[1] - 1,
        "WIDTH": width * 64,
    }
    return (width, rows, 1), numbers


def _is_exact(node: Node) -> bool:
    """Return True for integers of a quantized network, whose sums are exact."""
    return node.detail(IntegerDetail) is not None


def source_numbers(node: Node, window: SlidingWindow) -> dict[str, int]:
    """Return the numbers of the stored input's size, and MAPPED: its `InputMap` finds the pixels."""
    source = node.detail(InputMap)
    height, width = window.input if source is None else source.stored
    return {"STORED_H": height, "STORED_W": width, "MAPPED": int(source is not None)}


def _code(node: Node, loader: str) -> str:
    source = node.detail(InputMap)
    return loader if source is None else f"{source.code()}\n{loader}"


def takes_half(node: Node, x: Operand, dtype: str) -> bool:
    """Return True if products may be 16-bit: not for the integers of a quantized network, which are exact."""
    return dtype == x.dtype == "float16" and x.layout == NHWC and not _is_exact(node)


def _is_picture(lowering: Lowering, node: Node, x: Operand) -> bool:
    """Return True for at most four planes if 16-bit products are allowed; a float32 input is rounded."""
    known = lowering.values.is_exact(node.input(0)) or _is_exact(node)
    return dtype_of_weights(lowering, node) == "float16" and x.blocks == 1 and not known


_LARGEST_GROUP: Final = 0.99
"""Limit of a sum's magnitude, below 1 by more than rounding the weights to 16 bits adds."""


def _stays_in_range(weights: np.ndarray) -> bool:
    """Return True if 16-bit sums of a turn (four taps of weights (M, C, taps...)) can never overflow."""
    taps = np.abs(weights.astype(np.float32)).sum(1).reshape(weights.shape[0], -1)
    turns = np.pad(taps, ((0, 0), (0, -taps.shape[1] % 4))).reshape(len(taps), -1, 4)
    return bool((turns.sum(2) <= _LARGEST_GROUP).all())


_PICTURE_LOADER: Final = """fn load_x(pixel: u32, block: u32) -> vec4<f16> {
  let v = read_x(pixel, block);
  // What is finite stays so.
  let finite = (bitcast<vec4<u32>>(v) & vec4<u32>(0x7fffffffu)) < vec4<u32>(0x7f800000u);
  return vec4<f16>(select(v, clamp(v, vec4<f32>(-65504.0), vec4<f32>(65504.0)), finite));
}"""


def _loader(x: Operand, half: bool) -> str:
    """Return `load_x`: the input in the type of the products; 16-bit storage is not converted to f32."""
    if half and (x.layout, x.dtype) != (NHWC, "float16"):
        return _PICTURE_LOADER
    if half:
        index = f"pixel * {x.stride}u + {x.start}u + block"
        return f"fn load_x(pixel: u32, block: u32) -> vec4<f16> {{\n  return x[{index}];\n}}"
    return "fn load_x(pixel: u32, block: u32) -> vec4<f32> {\n  return read_x(pixel, block);\n}"


def _staging(tile: Tile, half: bool, depth: int, shares: int, most: int) -> dict[str, int]:
    """Return how a staged tile's threads divide a step's loads, and slices the steps (`most` vec4s a turn).

    16-bit tiles take twice the depth in the same memory: 43 TFLOP/s instead of 36 on an H100.
    """
    threads, rows, columns = tile.across * tile.down, tile.down * tile.rows, tile.across * tile.columns
    step = 8 if half else 4
    turn = min(step, most)
    part = ceil_div(depth, step * tile.slices * shares) * step
    return {
        "STEP": step,
        "TURNS": step // turn,
        "TURN": turn,
        "PART": part,
        "EVEN": int(part * tile.slices * shares == depth),
        "TILE_ROWS": rows,
        "TILE_COLUMNS": columns,
        "LOADS_X": ceil_div(rows * step, threads),
        "WHOLE_X": int(rows * step % threads == 0),
        "LOADS_W": ceil_div(columns * step * 4, threads),
    }


def input_for(lowering: Lowering, name: str) -> Operand:
    """Return the input of a convolution in NHWC, except that up to 4 planes (an image) are read in place."""
    operand = lowering.values.any(name)
    return operand if operand.layout == NCHW and operand.channels <= 4 else lowering.nhwc(name)
