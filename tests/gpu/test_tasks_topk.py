"""Softmax and top-k on the GPU against NumPy in float64."""

import numpy as np
import pytest
import wgpu

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.compute.nn.session import Tensor
from desktop.vision.tasks.classification import GpuTopK, top_k


def compute(gpu, scores, k, *, logits, lead=0):
    """Top-k by the GPU; `lead` elements stand before the scores in their buffer."""
    data = np.concatenate([np.full(lead, 99, scores.dtype), scores.ravel()]).tobytes()
    buffer = gpu.device.create_buffer_with_data(
        data=data + bytes(-len(data) % 4), usage=wgpu.BufferUsage.STORAGE
    )
    tensor = Tensor(buffer, (1, scores.size), scores.dtype.name, offset=lead * scores.itemsize)
    unit = GpuTopK(gpu, tensor, k, logits=logits)
    gpu.compute(unit.encode)
    found = unit.decode(gpu.queue.read_buffer(unit.result))
    unit.close()
    return found


def numpy_top_k(scores, k, logits):
    x = scores.ravel().astype(np.float64)
    if logits:
        p = np.exp(x - x.max())
        p /= p.sum()
    else:
        p = x
    return [(int(i), float(p[i])) for i in np.lexsort((np.arange(x.size), -x))[:k]]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("logits", [True, False])
@pytest.mark.parametrize("count", [2, 255, 1001, 20000])
def test_top_ten_are_numpys(gpu, dtype, logits, count):
    rng = np.random.default_rng(count)
    # Rounded, so that there are ties.
    scores = (rng.standard_normal(count) * 4).round(1).astype(dtype)
    if not logits:
        scores = np.abs(scores) / 32
    found = compute(gpu, scores, 10, logits=logits)
    expected = numpy_top_k(scores, 10, logits)
    assert [i for i, _ in found] == [i for i, _ in expected]
    np.testing.assert_allclose([p for _, p in found], [p for _, p in expected], rtol=2e-5, atol=1e-7)
    assert [i for i, _ in top_k(scores, 10, logits=logits)] == [i for i, _ in expected]


def test_equals_come_in_the_order_of_their_indices(gpu):
    assert [i for i, _ in compute(gpu, np.full(700, 0.25, np.float32), 6, logits=False)] == [0, 1, 2, 3, 4, 5]


def test_large_logits_do_not_overflow(gpu):
    scores = np.array([1000.0, 999.0, -1000.0], np.float32)
    expected = numpy_top_k(scores, 3, True)
    np.testing.assert_allclose(
        [p for _, p in compute(gpu, scores, 3, logits=True)], [p for _, p in expected], rtol=1e-5, atol=1e-30
    )


def test_what_is_not_a_number_comes_last(gpu):
    scores = np.array([0.1, np.nan, 0.7, -np.inf, 0.2], np.float32)
    assert [i for i, _ in compute(gpu, scores, 3, logits=False)] == [2, 4, 0]
    assert [i for i, _ in top_k(scores, 3, logits=False)] == [2, 4, 0]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_scores_that_begin_inside_a_buffer(gpu, dtype):
    scores = np.arange(9, dtype=dtype)
    assert [i for i, _ in compute(gpu, scores, 2, logits=False, lead=4)] == [8, 7]


def test_limits(gpu):
    buffer = gpu.buffer(64, wgpu.BufferUsage.STORAGE)
    with pytest.raises(UsageError, match="1 to 10"):
        GpuTopK(gpu, Tensor(buffer, (1, 16), "float32"), 11, logits=False)
    with pytest.raises(ModelUnsupportedError, match="int64"):
        GpuTopK(gpu, Tensor(buffer, (1, 8), "int64"), 5, logits=False)
