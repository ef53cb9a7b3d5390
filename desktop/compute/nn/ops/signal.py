"""Fourier transforms, and the windows and filters that go with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import onnx

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    axis_of,
    constant_input,
    one_number,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW


# Discrete Fourier transforms by definition, for DFT and STFT: each thread sums one number of the result.
def wave_table(lowering: Lowering, node: Node, length: int) -> tuple[int, str]:
    """Return interleaved cos and sin of 2 pi i / length, i < length, made in float64, as a constant."""
    refuse_unless(0 < length < 2**16, node, f"a transform of {length} elements")
    angle = 2 * np.pi * np.arange(length) / length
    table = np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)
    return lowering.memory.constant(table, dtype="float32"), "f32"


def transform(
    count: int,
    length: int,
    real: str,
    imaginary: str,
    frequency: str,
    *,
    inverse: bool = False,
    weight: str = "1.0",
) -> list[str]:
    """WGSL that sums weight * x[m] * exp(-2 pi i frequency m / length) over m < count in `sum`.

    `real`, `imaginary` are expressions of x[m], `frequency` of a u32; `inverse`: + in the exponent.
    """
    sign = "" if inverse else "-"
    return [
        "var sum = vec2<f32>(0.0);",
        f"for (var m = 0u; m < {count}u; m++) {{",
        f"  let phase = ({frequency}) * m % {length}u * 2u;",
        f"  let wave = vec2<f32>(waves[phase], {sign}waves[phase + 1u]);",
        f"  let number = vec2<f32>({real}, {imaginary}) * ({weight});",
        "  sum += vec2<f32>(number.x * wave.x - number.y * wave.y, number.x * wave.y + number.y * wave.x);",
        "}",
    ]


# Windows that are sums of cosines. Harris, "On the use of windows for harmonic analysis", 1978.
def _infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """As many numbers as the input says."""
    size = one_number(node, 0, constants)
    dtype = dtype_name(int(node.attributes.get("output_datatype", 1)))
    refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    return [Value(node.outputs[0], (int(size),), dtype)]


def _window(name: str, first: float, second: float, third: float) -> Operator:
    """Return the operator with elements first - second cos(2 pi n / N) + third cos(4 pi n / N)."""

    def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        (value,) = _infer(node, [], {node.inputs[0]: inputs[0]})
        (size,) = value.shape
        period = size if node.attributes.get("periodic", 1) else size - 1
        refuse_unless(period > 0 or size == 0, node, "a symmetric window of one element")
        phase = 2 * np.pi * np.arange(size) / max(period, 1)
        window = first - second * np.cos(phase) + third * np.cos(2 * phase)
        return [window.astype(value.dtype)]

    return Operator(name, _infer, fold=fold, host=(0,))


# DFT: the discrete Fourier transform along an axis; the last dimension is 1 (real) or 2 (complex).
def _plan(node: Node, shape: Sequence[int], constants: Constants) -> tuple[int, int]:
    """(axis, length of the transform)."""
    require(len(shape) >= 2 and shape[-1] in (1, 2), node, f"an input of shape {tuple(shape)}")
    given = constant_input(node, 2, constants)
    axis = int(node.attributes.get("axis", 1)) if node.version < 20 else -2
    axis = axis_of(node, axis if given is None else int(given.reshape(())), len(shape))
    require(axis != len(shape) - 1, node, "an axis that holds real and imaginary parts")
    length = constant_input(node, 1, constants)
    if length is not None:
        return axis, int(length.reshape(()))
    return axis, 2 * (shape[axis] - 1) if _halves(node) and _inverts(node) else shape[axis]


def _halves(node: Node) -> bool:
    return bool(node.attributes.get("onesided", 0))


def _inverts(node: Node) -> bool:
    return bool(node.attributes.get("inverse", 0))


def _infer_dft(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The axis as long as the transform, or half of it; complex, but for the inverse of a half one."""
    shape = inputs[0].shape
    axis, length = _plan(node, shape, constants)
    if _halves(node):
        require(
            shape[-1] == (2 if _inverts(node) else 1), node, "a one-sided transform of that kind of number"
        )
    result = [*shape[:-1], 1 if _halves(node) and _inverts(node) else 2]
    result[axis] = length // 2 + 1 if _halves(node) and not _inverts(node) else length
    return [Value(node.outputs[0], tuple(result), inputs[0].dtype)]


def _lower_dft(lowering: Lowering, node: Node) -> None:
    """A thread a number."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    axis, length = _plan(node, x.shape, lowering.graph.constants)
    count, weight = min(x.shape[axis], length), "1.0"
    if _halves(node) and _inverts(node):
        # The half that is left out is the mirror image of the other: all of it counts twice but the ends.
        count = min(count, length // 2 + 1)
        weight = f"select(2.0, 1.0, m == 0u || m * 2u == {length}u)"
    places = [f"c{i}" for i in range(len(x.shape))]
    places[axis] = "m"
    parts = [f"f32(x[{address(x, [*places[:-1], f'{part}u'])}])" for part in range(x.shape[-1])]
    body = [
        *coordinates(y.shape),
        *transform(
            count,
            length,
            parts[0],
            parts[-1] if len(parts) > 1 else "0.0",
            f"c{axis}",
            inverse=_inverts(node),
            weight=weight,
        ),
        f"return Element(sum[c{len(y.shape) - 1}]{f' / {length}.0' if _inverts(node) else ''});",
    ]
    emit(lowering, node, {"x": x}, y, body, constants={"waves": wave_table(lowering, node, length)})


# MelWeightMatrix: triangular filters from a spectrum's bins to mel bins, made when the session is built.
def _mel_dtype(node: Node) -> np.dtype:
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(int(node.attributes.get("output_datatype", 1))))


def _infer_mel_weight_matrix(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(dft_length // 2 + 1, num_mel_bins)."""
    bins, length, rate, lower, upper = (one_number(node, index, constants) for index in range(5))
    require(
        bins > 0 and length > 0 and rate > 0 and 0 <= lower <= upper and upper * 2 <= rate,
        node,
        "bins, lengths or frequencies out of range",
    )
    return [Value(node.outputs[0], (int(length) // 2 + 1, int(bins)), _mel_dtype(node).name)]


def _mel(hertz: float) -> float:
    return 2595 * math.log10(1 + hertz / 700)


def mel_weight_matrix(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Return triangular filters whose edges are `num_mel_bins + 2` parts of the range (ONNX's reference)."""
    bins, length, rate = (int(array.reshape(())) for array in inputs[:3])
    low, high = (_mel(float(array.reshape(()))) for array in inputs[3:5])
    mels = low + np.arange(bins + 2) * ((high - low) / (bins + 2))
    edges = ((length + 1) * (700 * (10 ** (mels / 2595) - 1)) // rate).astype(np.int64)
    at = np.arange(length // 2 + 1)[:, None]
    left, middle, right = edges[:-2], edges[1:-1], edges[2:]
    rising = np.where((at >= left) & (at <= middle), (at - left) / np.maximum(middle - left, 1), 0.0)
    rising = np.where((left == middle) & (at == middle), 1.0, rising)
    falling = (right - at) / np.maximum(right - middle, 1)
    return [np.where((at >= middle) & (at < right), falling, rising).astype(_mel_dtype(node))]


# STFT: Fourier transforms of windowed, overlapping frames of a signal.
def _frames(
    node: Node, signal: Sequence[int], window: Sequence[int], constants: Constants
) -> tuple[int, int]:
    """(step, length) of the frames."""
    step, length = int(one_number(node, 1, constants)), constant_input(node, 3, constants)
    require(step > 0, node, "no step between the frames")
    size = window[0] if node.input(2) else signal[1]
    if length is not None:
        size = int(length.reshape(()))
    require(
        0 < size <= signal[1] and (not node.input(2) or tuple(window) == (size,)),
        node,
        "a window that does not fit",
    )
    return step, size


def _infer_stft(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, frames, frequencies, 2) of a signal (batch, samples) or (batch, samples, 1 or 2)."""
    signal = inputs[0].shape
    require(len(signal) in (2, 3) and (*signal, 1)[2] in (1, 2), node, f"a signal of shape {signal}")
    window = inputs[2].shape if node.input(2) else ()
    step, size = _frames(node, signal, window, constants)
    halves = bool(node.attributes.get("onesided", 1))
    require(not halves or (*signal, 1)[2] == 1, node, "a one-sided transform of complex numbers")
    count = (signal[1] - size) // step + 1
    return [Value(node.outputs[0], (signal[0], count, size // 2 + 1 if halves else size, 2), inputs[0].dtype)]


def _lower_stft(lowering: Lowering, node: Node) -> None:
    """A thread a number."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    reads = {"x": x}
    if node.input(2):
        reads["window"] = lowering.nchw(node.inputs[2])
    window = reads["window"].shape if node.input(2) else ()
    step, size = _frames(node, x.shape, window, lowering.graph.constants)
    parts = (*x.shape, 1)[2]
    sample = f"x[(c0 * {x.shape[1]}u + c1 * {step}u + m) * {parts}u"
    real, imaginary = f"f32({sample}])", f"f32({sample} + 1u])" if parts == 2 else "0.0"
    weight = "f32(window[m])" if node.input(2) else "1.0"
    body = [
        *coordinates(y.shape),
        *transform(size, size, real, imaginary, "c2", weight=weight),
        "return Element(sum[c3]);",
    ]
    emit(lowering, node, reads, y, body, constants={"waves": wave_table(lowering, node, size)})


OPERATORS: Final = (
    _window("BlackmanWindow", 0.42, 0.5, 0.08),
    _window("HammingWindow", 25 / 46, 21 / 46, 0.0),
    _window("HannWindow", 0.5, 0.5, 0.0),
    Operator("DFT", _infer_dft, _lower_dft, host=(1, 2)),
    Operator("MelWeightMatrix", _infer_mel_weight_matrix, fold=mel_weight_matrix, host=(0, 1, 2, 3, 4)),
    Operator("STFT", _infer_stft, _lower_stft, host=(1, 3)),
)
