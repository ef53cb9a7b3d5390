"""Sparse tensors of TensorFlow Lite files, made dense: a level per (block) dimension is dense or CSR.

https://github.com/tensorflow/tensorflow/blob/master/tensorflow/lite/kernels/internal/utils/sparsity_format_converter.h
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tflite

_DENSE: Final = 0
_VECTORS: Final = {
    tflite.SparseIndexVector.Int32Vector: tflite.Int32Vector,
    tflite.SparseIndexVector.Uint16Vector: tflite.Uint16Vector,
    tflite.SparseIndexVector.Uint8Vector: tflite.Uint8Vector,
}


def densified(sparsity: Any, values: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    """Return the dense tensor, zeros where nothing is stored; ValueError if the levels contradict it.

    `sparsity` is an unchecked `tflite.SparsityParameters`; the size of `shape` has been bounded.
    """
    rank, order = len(shape), _list(sparsity.TraversalOrderAsNumpy())
    blocks = _list(sparsity.BlockMapAsNumpy())
    if sparsity.DimMetadataLength() != len(order) or sorted(order) != list(range(rank + len(blocks))):
        raise ValueError("levels")
    limit = math.prod(shape)
    position = np.zeros(1, np.int64)
    places: dict[int, np.ndarray] = {}
    sizes: dict[int, int] = {}
    for level, dimension in enumerate(order):
        metadata = sparsity.DimMetadata(level)
        if metadata.Format() == _DENSE:
            sizes[dimension] = count = int(metadata.DenseSize())
            if count <= 0 or position.size * count > limit:
                raise ValueError("a dense level")
            chosen = np.repeat(np.arange(position.size), count)
            entry = np.tile(np.arange(count), position.size)
            position = position[chosen] * count + entry
        else:
            position, chosen, entry = _listed(metadata, position, limit)
        places = {at: numbers[chosen] for at, numbers in places.items()}
        places[dimension] = entry
    if position.size and (position.max() >= values.size or position.min() < 0):
        raise ValueError("values")
    dense = np.zeros(shape, values.dtype)
    dense[_coordinates(places, sizes, blocks, shape)] = values[position]
    return dense


def _listed(metadata: Any, position: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A level with listed entries: their positions, the parent position of each, and their places."""
    segments = _vector(metadata.ArraySegmentsType(), metadata.ArraySegments(), position.size + 1)
    indices = _vector(metadata.ArrayIndicesType(), metadata.ArrayIndices(), limit)
    if position.size and position.max() + 1 >= segments.size:
        raise ValueError("segments")
    first, last = segments[position], segments[position + 1]
    counts = last - first
    if (counts < 0).any() or int(counts.sum()) > limit:
        raise ValueError("segments")
    chosen = np.repeat(np.arange(position.size), counts)
    begins = np.repeat(np.cumsum(counts) - counts, counts)
    found = first[chosen] + np.arange(chosen.size) - begins
    if found.size and (found.min() < 0 or found.max() >= indices.size):
        raise ValueError("indices")
    return found, chosen, indices[found]


def _coordinates(
    places: dict[int, np.ndarray], sizes: dict[int, int], blocks: Sequence[int], shape: Sequence[int]
) -> tuple[np.ndarray, ...]:
    rank = len(shape)
    found = [places[at] for at in range(rank)]
    for number, dimension in enumerate(blocks):
        inner = rank + number
        if not 0 <= dimension < rank or inner not in sizes:
            raise ValueError("blocks")
        found[dimension] = found[dimension] * sizes[inner] + places[inner]
    for at, numbers in enumerate(found):
        if numbers.size and (numbers.min() < 0 or numbers.max() >= shape[at]):
            raise ValueError("coordinates")
    return tuple(found)


def _vector(kind: int, table: Any, most: int) -> np.ndarray:
    vector = _VECTORS[kind]()
    vector.Init(table.Bytes, table.Pos)
    if vector.ValuesLength() > most:  # before it is copied: many tensors may share one
        raise ValueError("a list")
    return np.asarray(vector.ValuesAsNumpy(), np.int64).reshape(-1)


def _list(array: Any) -> list[int]:
    return [int(n) for n in array[:32]] if isinstance(array, np.ndarray) else []
