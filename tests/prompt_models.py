"""Encoders and decoders of the SAM family with random weights, built node by node as their exports are,
without PyTorch.

The architecture is that of Segment Anything (Kirillov et al., 2023): a ViT whose blocks attend within
windows, some to everything, with decomposed relative positions; a neck of two convolutions; positions as
random Fourier features with an embedding for each label; a decoder whose tokens and picture attend to each
other in turn, two transposed convolutions and a small network for each mask. `PairSize()` is small enough for
tests; `MOBILE` is as large as the decoder of Segment Anything, with an encoder of about MobileSAM's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclass(frozen=True)
class PairSize:
    """How large a pair is: the picture's side, width, depth, heads and window of the encoder, channels of the
    decoder.
    """

    side: int = 128
    width: int = 32
    depth: int = 2
    heads: int = 2
    window: int = 3
    channels: int = 32
    decoder_heads: int = 4
    hidden: int = 64

    @property
    def cells(self) -> int:
        return self.side // 16


MOBILE = PairSize(
    side=1024, width=192, depth=6, heads=6, window=14, channels=256, decoder_heads=8, hidden=2048
)


class _Graph:
    def __init__(self, seed: int) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self._random = np.random.default_rng(seed)
        self._count = 0

    def const(self, value: Any, dtype: Any = np.float32) -> str:
        self._count += 1
        name = f"w{self._count}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def random(self, *shape: int, scale: float | None = None) -> str:
        fan = shape[0] if len(shape) == 2 else int(np.prod(shape[1:]))
        return self.const(self._random.normal(0, 1.0 / np.sqrt(fan) if scale is None else scale, shape))

    def op(self, kind: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        self._count += 1
        name = out or f"t{self._count}"
        self.nodes.append(
            helper.make_node(kind, list(inputs), [name], name=f"{kind}_{self._count}", **attributes)
        )
        return name

    def ints(self, *values: int) -> str:
        return self.const(values, np.int64)

    def reshape(self, x: str, *shape: int) -> str:
        return self.op("Reshape", x, self.ints(*shape))

    def transpose(self, x: str, *perm: int) -> str:
        return self.op("Transpose", x, perm=perm)

    def linear(self, x: str, rows: int, columns: int) -> str:
        return self.op(
            "Add", self.op("MatMul", x, self.random(rows, columns)), self.random(columns, scale=0.1)
        )

    def norm(self, x: str, width: int) -> str:
        scale = self.const(1 + 0.1 * self._random.normal(size=width))
        return self.op("LayerNormalization", x, scale, self.random(width, scale=0.1), axis=-1, epsilon=1e-6)

    def norm2d(self, x: str, width: int) -> str:
        """LayerNorm2d: over the channels of NCHW, as it is traced."""
        mean = self.op("ReduceMean", x, axes=[1], keepdims=1)
        off = self.op("Sub", x, mean)
        variance = self.op("ReduceMean", self.op("Pow", off, self.const(2.0)), axes=[1], keepdims=1)
        whole = self.op("Div", off, self.op("Sqrt", self.op("Add", variance, self.const(1e-6))))
        scale = self.const(1 + 0.1 * self._random.normal(size=(width, 1, 1)))
        return self.op("Add", self.op("Mul", scale, whole), self.random(width, 1, 1, scale=0.1))

    def gelu(self, x: str) -> str:
        erf = self.op("Erf", self.op("Div", x, self.const(np.sqrt(2))))
        return self.op("Mul", self.op("Mul", x, self.op("Add", erf, self.const(1.0))), self.const(0.5))

    def save(self, path: Path, inputs: Sequence[Any], outputs: Sequence[Any]) -> Path:
        graph = helper.make_graph(self.nodes, path.stem, list(inputs), list(outputs), self.weights)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(made)
        onnx.save(made, str(path))
        return path


def _value(name: str, shape: Sequence[int | str], kind: int = TensorProto.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, kind, list(shape))


# -- encoders ------------------------------------------------------------------------------------------------


def encoder(path: Path, size: PairSize = PairSize(), *, seed: int = 1) -> Path:
    """ImageEncoderViT: 'image' [1, 3, side, side] to 'image_embeddings' [1, channels, cells, cells]."""
    graph = _Graph(seed)
    embeddings = _vit(graph, "image", size)
    graph.op("Identity", embeddings, out="image_embeddings")
    n = size.cells
    return graph.save(
        path,
        [_value("image", (1, 3, size.side, size.side))],
        [_value("image_embeddings", (1, size.channels, n, n))],
    )


def encoder_of_pixels(path: Path, size: PairSize = PairSize(), *, seed: int = 1) -> Path:
    """As exported with its preprocessing: 'input_image' [height, width, 3] in 0 to 255, which it normalizes
    and pads.
    """
    graph = _Graph(seed)
    mean, std = graph.const([123.675, 116.28, 103.53]), graph.const([58.395, 57.12, 57.375])
    normal = graph.op("Div", graph.op("Sub", "input_image", mean), std)
    planes = graph.transpose(normal, 2, 0, 1)
    shape = graph.op("Shape", planes)
    sides = graph.op("Slice", shape, graph.ints(1), graph.ints(3), graph.ints(0))
    missing = graph.op("Sub", graph.ints(size.side, size.side), sides)
    pads = graph.op("Concat", graph.ints(0, 0, 0, 0), missing, axis=0)
    padded = graph.op("Unsqueeze", graph.op("Pad", planes, pads, graph.const(0.0)), graph.ints(0))
    graph.op("Identity", _vit(graph, padded, size), out="image_embeddings")
    n = size.cells
    return graph.save(
        path,
        [_value("input_image", ("image_height", "image_width", 3))],
        [_value("image_embeddings", (1, size.channels, n, n))],
    )


def sam2_encoder(path: Path, size: PairSize = PairSize(), *, seed: int = 1) -> Path:
    """With SAM 2's outputs: high_res_feats_0 (stride 4), high_res_feats_1 (stride 8), image_embed (stride
    16).
    """
    graph = _Graph(seed)
    c = size.channels
    for name, stride, channels in (("high_res_feats_0", 4, c // 8), ("high_res_feats_1", 8, c // 4)):
        kernel = graph.random(channels, 3, stride, stride)
        graph.op("Conv", "image", kernel, kernel_shape=[stride] * 2, strides=[stride] * 2, out=name)
    graph.op("Identity", _vit(graph, "image", size), out="image_embed")
    n = size.cells
    return graph.save(
        path,
        [_value("image", (1, 3, size.side, size.side))],
        [
            _value("high_res_feats_0", (1, c // 8, 4 * n, 4 * n)),
            _value("high_res_feats_1", (1, c // 4, 2 * n, 2 * n)),
            _value("image_embed", (1, c, n, n)),
        ],
    )


def efficient_encoder(path: Path, size: PairSize = PairSize(), *, seed: int = 1) -> Path:
    """EfficientSAM's: 'batched_images' [batch, 3, height, width] in 0 to 1, stretched and normalized by the
    network itself.
    """
    graph = _Graph(seed)
    sides = graph.ints(1, 3, size.side, size.side)
    same = graph.op("Resize", "batched_images", "", "", sides, mode="linear")
    mean = graph.const(np.reshape([0.485, 0.456, 0.406], (1, 3, 1, 1)))
    std = graph.const(np.reshape([0.229, 0.224, 0.225], (1, 3, 1, 1)))
    normal = graph.op("Div", graph.op("Sub", same, mean), std)
    graph.op("Identity", _vit(graph, normal, size), out="image_embeddings")
    n = size.cells
    return graph.save(
        path,
        [_value("batched_images", ("batch", 3, "height", "width"))],
        [_value("image_embeddings", (1, size.channels, n, n))],
    )


def _vit(graph: _Graph, image: str, size: PairSize) -> str:
    n, width = size.cells, size.width
    patches = graph.op(
        "Conv",
        *(image, graph.random(width, 3, 16, 16), graph.random(width, scale=0.1)),
        kernel_shape=[16, 16],
        strides=[16, 16],
    )
    x = graph.op("Add", graph.transpose(patches, 0, 2, 3, 1), graph.random(1, n, n, width, scale=0.5))
    for block in range(size.depth):
        # As in ViT-B: most blocks attend within windows, the last of each group to everything.
        window = 0 if block % 3 == 1 else size.window
        y = graph.norm(x, width)
        if window:
            padded = -(-n // window) * window
            more = padded - n
            if more:
                y = graph.op("Pad", y, graph.ints(0, 0, 0, 0, 0, more, more, 0), graph.const(0.0))
            count = padded // window
            y = graph.reshape(y, 1, count, window, count, window, width)
            y = graph.reshape(graph.transpose(y, 0, 1, 3, 2, 4, 5), -1, window, window, width)
        y = _vit_attention(graph, y, window or n, (padded // window) ** 2 if window else 1, size)
        if window:
            y = graph.reshape(y, 1, count, count, window, window, width)
            y = graph.reshape(graph.transpose(y, 0, 1, 3, 2, 4, 5), 1, padded, padded, width)
            if more:
                y = graph.op("Slice", y, graph.ints(0, 0), graph.ints(n, n), graph.ints(1, 2))
        x = graph.op("Add", x, y)
        hidden = graph.gelu(graph.linear(graph.norm(x, width), width, 4 * width))
        x = graph.op("Add", x, graph.linear(hidden, 4 * width, width))
    x = graph.transpose(x, 0, 3, 1, 2)
    c = size.channels
    x = graph.norm2d(graph.op("Conv", x, graph.random(c, width, 1, 1), kernel_shape=[1, 1]), c)
    x = graph.op("Conv", x, graph.random(c, c, 3, 3), kernel_shape=[3, 3], pads=[1] * 4)
    return graph.norm2d(x, c)


def _vit_attention(graph: _Graph, x: str, side: int, batch: int, size: PairSize) -> str:
    heads, width, tokens = size.heads, size.width, side * side
    each, both = width // heads, batch * heads
    qkv = graph.reshape(graph.linear(x, width, 3 * width), batch, tokens, 3, heads, each)
    qkv = graph.reshape(graph.transpose(qkv, 2, 0, 3, 1, 4), 3, both, tokens, each)
    q, k, v = (graph.op("Gather", qkv, graph.const(i, np.int64), axis=0) for i in range(3))
    scaled = graph.op("Mul", q, graph.const(each**-0.5))
    scores = graph.op("MatMul", scaled, graph.transpose(k, 0, 2, 1))
    # rel_pos[q - k + side - 1], by index as `get_rel_pos` has it.
    offsets = np.arange(side)[:, None] - np.arange(side)[None, :] + side - 1
    index = graph.const(offsets, np.int64)
    tables = [
        graph.op("Gather", graph.random(2 * side - 1, each, scale=0.3), index, axis=0) for _ in range(2)
    ]
    grid = graph.reshape(q, both, side, side, each)
    down = graph.op("Einsum", grid, tables[0], equation="bhwc,hkc->bhwk")
    across = graph.op("Einsum", grid, tables[1], equation="bhwc,wkc->bhwk")
    scores = graph.reshape(scores, both, side, side, side, side)
    scores = graph.op("Add", scores, graph.op("Unsqueeze", down, graph.ints(4)))
    scores = graph.op("Add", scores, graph.op("Unsqueeze", across, graph.ints(3)))
    shares = graph.op("Softmax", graph.reshape(scores, both, tokens, tokens), axis=-1)
    y = graph.reshape(graph.op("MatMul", shares, v), batch, heads, side, side, each)
    y = graph.reshape(graph.transpose(y, 0, 2, 3, 1, 4), batch, side, side, width)
    return graph.linear(y, width, width)


# -- decoders ------------------------------------------------------------------------------------------------


def decoder(path: Path, size: PairSize = PairSize(), *, seed: int = 2, masks: int = 4) -> Path:
    """SamOnnxModel: the inputs of Segment Anything's export; 'masks' in the picture's size,
    'iou_predictions', 'low_res_masks'.
    """
    graph, n, c = _Graph(seed), size.cells, size.channels
    dense = _dense(graph, size)
    matrix = _matrix(graph, size)
    tokens = _points(graph, matrix, "point_coords", "point_labels", size)
    low, iou = _two_way(graph, matrix, "image_embeddings", dense, tokens, size, masks)
    graph.op("Identity", low, out="low_res_masks")
    graph.op("Identity", iou, out="iou_predictions")
    # mask_postprocessing: to the frame, the picture's part of it, to the picture's size.
    whole = graph.op("Resize", low, "", "", graph.ints(1, masks, size.side, size.side), mode="linear")
    longest = graph.op("ReduceMax", "orig_im_size", keepdims=0)
    scale = graph.op("Div", graph.const(size.side), longest)
    sides = graph.op("Floor", graph.op("Add", graph.op("Mul", scale, "orig_im_size"), graph.const(0.5)))
    part = graph.op(
        "Slice", whole, graph.ints(0, 0), graph.op("Cast", sides, to=TensorProto.INT64), graph.ints(2, 3)
    )
    size_out = graph.op(
        "Concat", graph.ints(1, masks), graph.op("Cast", "orig_im_size", to=TensorProto.INT64), axis=0
    )
    graph.op("Resize", part, "", "", size_out, mode="linear", out="masks")
    return graph.save(
        path,
        [
            _value("image_embeddings", (1, c, n, n)),
            _value("point_coords", (1, "num_points", 2)),
            _value("point_labels", (1, "num_points")),
            _value("mask_input", (1, 1, 4 * n, 4 * n)),
            _value("has_mask_input", (1,)),
            _value("orig_im_size", (2,)),
        ],
        [
            _value("masks", (1, masks, "height", "width")),
            _value("iou_predictions", (1, masks)),
            _value("low_res_masks", (1, masks, 4 * n, 4 * n)),
        ],
    )


def sam2_decoder(path: Path, size: PairSize = PairSize(), *, seed: int = 2) -> Path:
    """As samexporter's of SAM 2: features of higher resolution, three masks, and a point that is none added
    by the network itself.
    """
    graph, n, c = _Graph(seed), size.cells, size.channels
    coords = graph.op("Concat", "point_coords", graph.const(np.zeros((1, 1, 2))), axis=1)
    labels = graph.op("Concat", "point_labels", graph.const([[-1.0]]), axis=1)
    matrix = _matrix(graph, size)
    tokens = _points(graph, matrix, coords, labels, size)
    fine = ("high_res_feats_0", "high_res_feats_1")
    low, iou = _two_way(graph, matrix, "image_embed", _dense(graph, size), tokens, size, 4, fine)
    clipped = graph.op("Clip", low, graph.const(-32.0), graph.const(32.0))
    graph.op("Slice", clipped, graph.ints(1), graph.ints(4), graph.ints(1), out="masks")
    graph.op("Slice", iou, graph.ints(1), graph.ints(4), graph.ints(1), out="iou_predictions")
    return graph.save(
        path,
        [
            _value("image_embed", (1, c, n, n)),
            _value("high_res_feats_0", (1, c // 8, 4 * n, 4 * n)),
            _value("high_res_feats_1", (1, c // 4, 2 * n, 2 * n)),
            _value("point_coords", ("num_labels", "num_points", 2)),
            _value("point_labels", ("num_labels", "num_points")),
            _value("mask_input", ("num_labels", 1, 4 * n, 4 * n)),
            _value("has_mask_input", ("num_labels",)),
        ],
        [_value("masks", (1, 3, 4 * n, 4 * n)), _value("iou_predictions", (1, 3))],
    )


def efficient_decoder(path: Path, size: PairSize = PairSize(), *, seed: int = 2) -> Path:
    """EfficientSAM's: positions in pixels of the picture, six of them at all times; three masks in the size
    that is asked for.
    """
    graph, n, c = _Graph(seed), size.cells, size.channels
    flipped = graph.op("Gather", "orig_im_size", graph.const([1, 0], np.int64), axis=0)
    sides = graph.op("Cast", flipped, to=TensorProto.FLOAT)
    scaled = graph.op("Div", graph.op("Mul", "batched_point_coords", graph.const(size.side)), sides)
    count = graph.op("Gather", graph.op("Shape", "batched_point_labels"), graph.const([2], np.int64), axis=0)
    missing = graph.op("Sub", graph.ints(6), count)
    none = graph.const(-1.0)
    pads = graph.op("Concat", graph.ints(0, 0, 0, 0, 0, 0), missing, graph.ints(0), axis=0)
    coords = graph.reshape(graph.op("Pad", scaled, pads, none), 1, 6, 2)
    pads = graph.op("Concat", graph.ints(0, 0, 0, 0, 0), missing, axis=0)
    labels = graph.reshape(graph.op("Pad", "batched_point_labels", pads, none), 1, 6)
    matrix = _matrix(graph, size)
    tokens = _points(graph, matrix, coords, labels, size)
    low, iou = _two_way(graph, matrix, "image_embeddings", graph.random(1, c, 1, 1), tokens, size, 3)
    out = graph.op("Concat", graph.ints(1, 3), "orig_im_size", axis=0)
    masks = graph.op("Resize", low, "", "", out, mode="linear")
    graph.op("Unsqueeze", masks, graph.ints(0), out="output_masks")
    graph.op("Unsqueeze", iou, graph.ints(0), out="iou_predictions")
    return graph.save(
        path,
        [
            _value("image_embeddings", ("batch", c, n, n)),
            _value("batched_point_coords", (1, 1, "num_points", 2)),
            _value("batched_point_labels", (1, 1, "num_points")),
            _value("orig_im_size", (2,), TensorProto.INT64),
        ],
        [_value("output_masks", (1, 1, 3, "height", "width")), _value("iou_predictions", (1, 1, 3))],
    )


def _dense(graph: _Graph, size: PairSize) -> str:
    """_embed_masks: a mask of before, downscaled, or an embedding for none."""
    c = size.channels
    x = graph.op("Conv", "mask_input", graph.random(4, 1, 2, 2), kernel_shape=[2, 2], strides=[2, 2])
    x = graph.gelu(graph.norm2d(x, 4))
    x = graph.op("Conv", x, graph.random(16, 4, 2, 2), kernel_shape=[2, 2], strides=[2, 2])
    x = graph.gelu(graph.norm2d(x, 16))
    x = graph.op("Conv", x, graph.random(c, 16, 1, 1), kernel_shape=[1, 1])
    flag = graph.reshape("has_mask_input", -1, 1, 1, 1)
    none = graph.op("Mul", graph.op("Sub", graph.const(1.0), flag), graph.random(1, c, 1, 1))
    return graph.op("Add", graph.op("Mul", flag, x), none)


def _fourier(graph: _Graph, shares: str, matrix: str) -> str:
    """PositionEmbeddingRandom: sine and cosine of 2 pi (2 x - 1) G."""
    around = graph.op("Sub", graph.op("Mul", shares, graph.const(2.0)), graph.const(1.0))
    turned = graph.op("Mul", graph.op("MatMul", around, matrix), graph.const(2 * np.pi))
    return graph.op("Concat", graph.op("Sin", turned), graph.op("Cos", turned), axis=-1)


def _matrix(graph: _Graph, size: PairSize) -> str:
    """G of the Fourier features, which clicks and the picture's cells share."""
    return graph.random(2, size.channels // 2, scale=1.0)


def _points(graph: _Graph, matrix: str, coords: str, labels: str, size: PairSize) -> str:
    """_embed_points: where, and one of five embeddings for what it is."""
    c = size.channels
    shares = graph.op("Div", graph.op("Add", coords, graph.const(0.5)), graph.const(size.side))
    where = _fourier(graph, shares, matrix)
    what = graph.op("Expand", graph.op("Unsqueeze", labels, graph.ints(2)), graph.op("Shape", where))
    is_none = graph.op("Equal", what, graph.const(-1.0))
    is_some = graph.op("Cast", graph.op("Not", is_none), to=TensorProto.FLOAT)
    x = graph.op("Mul", where, is_some)
    none = graph.op("Cast", is_none, to=TensorProto.FLOAT)
    x = graph.op("Add", x, graph.op("Mul", graph.random(1, c, scale=1.0), none))
    for label in range(4):
        chosen = graph.op("Cast", graph.op("Equal", what, graph.const(float(label))), to=TensorProto.FLOAT)
        x = graph.op("Add", x, graph.op("Mul", graph.random(1, c, scale=1.0), chosen))
    return x


def _two_way(
    graph: _Graph,
    matrix: str,
    embeddings: str,
    dense: str,
    points: str,
    size: PairSize,
    masks: int,
    fine: Sequence[str] = (),
) -> tuple[str, str]:
    """MaskDecoder.predict_masks: masks [1, masks, 4 cells, 4 cells] and what they are thought to be worth [1,
    masks].
    """
    n, c = size.cells, size.channels
    tokens = graph.op("Concat", graph.random(1, 1 + masks, c, scale=1.0), points, axis=1)
    middles = (np.arange(n) + 0.5) / n
    grid = np.stack(np.meshgrid(middles, middles), axis=-1)  # x, y
    where = _fourier(graph, graph.const(grid.reshape(1, n * n, 2)), matrix)
    picture = graph.op("Add", embeddings, dense)
    keys = graph.transpose(graph.reshape(picture, 1, c, n * n), 0, 2, 1)
    queries = tokens

    def attend(q: str, k: str, v: str, rate: int) -> str:
        inner = c // rate
        each = inner // size.decoder_heads
        parts = []
        for x in (q, k, v):
            y = graph.reshape(graph.linear(x, c, inner), 1, -1, size.decoder_heads, each)
            parts.append(graph.transpose(y, 0, 2, 1, 3))
        scores = graph.op("MatMul", parts[0], graph.transpose(parts[1], 0, 1, 3, 2))
        shares = graph.op("Softmax", graph.op("Div", scores, graph.const(np.sqrt(each))), axis=-1)
        y = graph.transpose(graph.op("MatMul", shares, parts[2]), 0, 2, 1, 3)
        return graph.linear(graph.reshape(y, 1, -1, inner), inner, c)

    for layer in range(2):
        if layer:
            q = graph.op("Add", queries, tokens)
            queries = graph.op("Add", queries, attend(q, q, queries, 1))
        else:
            queries = attend(queries, queries, queries, 1)
        queries = graph.norm(queries, c)
        placed = graph.op("Add", keys, where)
        queries = graph.op("Add", queries, attend(graph.op("Add", queries, tokens), placed, keys, 2))
        queries = graph.norm(queries, c)
        hidden = graph.op("Relu", graph.linear(queries, c, size.hidden))
        queries = graph.norm(graph.op("Add", queries, graph.linear(hidden, size.hidden, c)), c)
        q = graph.op("Add", queries, tokens)
        keys = graph.norm(graph.op("Add", keys, attend(placed, q, queries, 2)), c)
    last = attend(graph.op("Add", queries, tokens), graph.op("Add", keys, where), keys, 2)
    queries = graph.norm(graph.op("Add", queries, last), c)

    x = graph.reshape(graph.transpose(keys, 0, 2, 1), 1, c, n, n)
    kernel = graph.random(c, c // 4, 2, 2, scale=2.0 / np.sqrt(c))
    x = graph.op(
        "ConvTranspose", x, kernel, graph.random(c // 4, scale=0.1), kernel_shape=[2, 2], strides=[2, 2]
    )
    x = graph.op("Add", x, fine[1]) if fine else x
    x = graph.gelu(graph.norm2d(x, c // 4))
    kernel = graph.random(c // 4, c // 8, 2, 2, scale=2.0 / np.sqrt(c // 4))
    x = graph.op(
        "ConvTranspose", x, kernel, graph.random(c // 8, scale=0.1), kernel_shape=[2, 2], strides=[2, 2]
    )
    x = graph.gelu(graph.op("Add", x, fine[0]) if fine else x)

    def head(token: int, columns: int) -> str:
        y = graph.op("Gather", queries, graph.const(token, np.int64), axis=1)
        y = graph.op("Relu", graph.linear(y, c, c))
        y = graph.op("Relu", graph.linear(y, c, c))
        return graph.linear(y, c, columns)

    weights = [graph.op("Unsqueeze", head(1 + mask, c // 8), graph.ints(1)) for mask in range(masks)]
    stacked = graph.op("Concat", *weights, axis=1)
    flat = graph.op("MatMul", stacked, graph.reshape(x, 1, c // 8, 16 * n * n))
    return graph.reshape(flat, 1, masks, 4 * n, 4 * n), head(0, masks)
