"""From candidates to the regions of a second network on the GPU, beside the same of what is read back."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import wgpu

sys.path.append(str(Path(__file__).parents[1] / "cpu"))
from test_tasks_decoders import FAMILIES, facts, family

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.session import SessionCapabilities, Tensor, TensorInfo
from desktop.pipeline.running.inputs.gpu_crops import Regions
from desktop.pipeline.running.pairs.cascade import find_objects, joined
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.regions import MOST_REGIONS
from desktop.vision.tasks.detection.decoders import all_decoders, find_decoder
from desktop.vision.tasks.detection.detector import TASK
from desktop.vision.tasks.task import Loaded, RegionRule

PICTURE = (640, 360)


class Outputs:
    """A session that was computed already: its outputs are on the GPU."""

    backend, device, precision, dispatch_count, inputs = "test", "test", "fp32", 0, ()

    def __init__(self, gpu, outputs):
        self.outputs = tuple(TensorInfo(n, a.shape, a.dtype.name) for n, a in outputs.items())
        self._tensors = {
            n: Tensor(
                gpu.device.create_buffer_with_data(data=a.tobytes(), usage=wgpu.BufferUsage.STORAGE),
                a.shape,
                a.dtype.name,
            )
            for n, a in outputs.items()
        }

    @property
    def capabilities(self):
        return SessionCapabilities(recorder=self)

    def tensor(self, name):
        return self._tensors[name]

    def encode(self, compute_pass, start=0, stop=None):
        pass

    def run(self, feeds):
        raise AssertionError

    def close(self):
        pass


def detector(gpu, known, outputs, size, decoder):
    resize = decoder.preprocess.get("resize", "stretch")
    plan = Preprocess(*(size if all(size) else (640, 640)), resize=resize)
    file = SimpleNamespace(facts=known, name="tiny.onnx", path=Path("/nowhere/tiny.onnx"))
    return TASK.head(
        Loaded(gpu, Outputs(gpu, outputs), file, plan, dict),
        TASK.checked({"score": 0.2, "decoder": decoder.id}),
    )


def both(gpu, head, rule, aspect=1.0, most=MOST_REGIONS, held=(), picture=PICTURE):
    """(regions by the GPU: float32 (16, 3, 4), things by the CPU) of what a head finds."""
    table = Regions(gpu)
    table.write([item.region for item in held])
    finder = head.region_finder(table.buffer, rule, aspect)
    finder.prepare(picture, len(held), most)
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    head.encode(compute_pass)
    finder.encode(compute_pass)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    found = np.frombuffer(bytes(gpu.queue.read_buffer(table.buffer)), np.float32).reshape(-1, 3, 4)
    result = head.decode(gpu.queue.read_buffer(head.result_buffer), picture)
    things, _ = find_objects(result, rule, picture, aspect, MOST_REGIONS)
    finder.close()
    table.close()
    return found, joined(held, things, most)


def same(found, things, first=0):
    assert np.count_nonzero(found[:, 0, 3]) == len(things)
    for row, item in zip(found[first:], things[first:], strict=False):
        # float32 of numbers that make up to some pixels' difference of sizes.
        np.testing.assert_allclose(row[0, :3], item.region.across, atol=2e-4)
        np.testing.assert_allclose(row[1, :3], item.region.down, atol=2e-4)
        np.testing.assert_allclose(row[2], item.box, atol=2e-4)
        assert row[0, 3] == pytest.approx(item.score, rel=1e-5) and row[1, 3] == item.index


@pytest.mark.parametrize("name", FAMILIES)
def test_regions_of_every_family_are_those_of_its_boxes(gpu, name):
    size, outputs, known, decoder = family(name)
    # int64 is int32 on the GPU.
    outputs = {n: a.astype(np.int32) if a.dtype == np.int64 else a for n, a in outputs.items()}
    head = detector(gpu, known, outputs, size, decoder)
    rule = decoder.region or RegionRule(scale=1.25, square=False)
    picture = tuple(2 * side for side in size) if all(size) else (1280, 1280)
    found, things = both(gpu, head, rule, aspect=0.75, picture=picture)
    # One of them lies outside of the smallest inputs; a list of class numbers has one of a class without a name.
    assert len(things) == 3 - (max(size) == 128 or "rounded" in name) + name.startswith("end_to_end")
    same(found, things)
    head.close()


def test_numbers_of_64_bits_stay_with_onnxruntime(gpu):
    size, outputs, known, decoder = family("rtdetr_pixels")
    assert outputs["labels"].dtype == np.int64
    with pytest.raises(ModelUnsupportedError, match="choose onnxruntime"):
        detector(gpu, known, outputs, size, decoder)


def test_every_family_has_its_shader():
    assert all(decoder.shader is not None for decoder in all_decoders())


def crowd(count, seed):
    """A palm detector's outputs with groups of boxes that overlap; some numbers are none."""
    rng = np.random.default_rng(seed)
    scores = np.full((1, 896, 1), -9, np.float32)
    boxes = np.zeros((1, 896, 18), np.float32)
    rows = rng.choice(896, count, replace=False)
    scores[0, rows, 0] = rng.uniform(-1, 4, count)
    boxes[0, rows, :2] = rng.normal(0, 3, (count, 2))
    boxes[0, rows, 2:4] = rng.uniform(12, 40, (count, 2))
    boxes[0, rows, 4:] = rng.normal(0, 12, (count, 14))
    boxes[0, rows[0], 1] = np.nan
    boxes[0, rows[1], 4:8] = np.inf
    return {"classificators": scores, "regressors": boxes}


@pytest.mark.parametrize(("count", "most"), [(6, 16), (300, 16), (300, 3)])
def test_many_that_overlap(gpu, count, most):
    outputs = crowd(count, count)
    known = facts({n: a.shape for n, a in outputs.items()}, (128, 128))
    decoder = find_decoder(known)
    head = detector(gpu, known, outputs, (128, 128), decoder)
    found, things = both(gpu, head, decoder.region, most=most)
    same(found, things)
    # Another overlap counts from the next picture on.
    head.adjust({"score": 0.2, "iou": 0.9})
    again, more = both(gpu, head, decoder.region, most=most)
    same(again, more)
    head.close()


def test_things_that_are_carried_are_not_found_again(gpu):
    outputs = crowd(40, 7)
    known = facts({n: a.shape for n, a in outputs.items()}, (128, 128))
    decoder = find_decoder(known)
    head = detector(gpu, known, outputs, (128, 128), decoder)
    _, things = both(gpu, head, decoder.region)
    held = tuple(replace(item, box=None) for item in things[1:3])
    found, expected = both(gpu, head, decoder.region, most=4, held=held)
    assert expected[:2] == held and len(expected) == 4
    same(found, expected, first=2)
    head.close()
