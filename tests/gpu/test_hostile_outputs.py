"""Networks whose outputs are no sense at all: every task says numbers or nothing, on both backends, and files
can be written of it.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from key_point_models import constant_network

from desktop.outputs.journal import Journal, PictureRecord
from desktop.outputs.result_format import About
from desktop.outputs.results import result_formats
from desktop.pipeline.running.one.loading import load_network
from desktop.vision.tracking.scene import Scene, SceneSpec
from desktop.vision.tracking.track import TrackSpec

NAMES = str({number: f"c{number}" for number in range(15)})
NETWORKS = {
    "yolov8": ({"output0": (1, 19, 84)}, (64, 64), {"task": "detect", "names": NAMES}),
    "oriented": ({"output0": (1, 20, 84)}, (64, 64), {"task": "obb", "names": NAMES}),
    "instances": (
        {"output0": (1, 51, 336), "output1": (1, 32, 32, 32)},
        (128, 128),
        {"task": "segment", "names": NAMES},
    ),
    "yolo_pose": ({"output0": (1, 56, 84)}, (64, 64), {"task": "pose", "kpt_shape": "[17, 3]"}),
    "detr": ({"logits": (1, 100, 92), "pred_boxes": (1, 100, 4)}, (64, 64), {}),
    "blaze": ({"regressors": (1, 896, 16), "classificators": (1, 896, 1)}, (128, 128), {}),
    "heat_maps": ({"y": (1, 17, 64, 48)}, (192, 256), {}),
    "simcc": ({"simcc_x": (1, 17, 384), "simcc_y": (1, 17, 512)}, (192, 256), {}),
    "hand": ({"points": (1, 63), "handflag": (1, 1), "handedness": (1, 1)}, (224, 224), {}),
    "pixels": ({"y": (1, 21, 64, 64)}, (64, 64), {}),
}
TASKS = {"pixels": "pixel_classes"}
FILLS = ("not numbers", "infinite", "huge", "mixed", "sure")


def filled(shape: tuple[int, ...], fill: str) -> np.ndarray:
    kinds = {"not numbers": np.nan, "infinite": np.inf, "huge": 1e30, "sure": 1.0}
    if fill in kinds:
        return np.full(shape, kinds[fill], np.float32)
    picked = np.random.default_rng(7)
    values = (picked.standard_normal(shape) * 10).astype(np.float32)
    flat = values.reshape(-1)
    for odd in (np.nan, np.inf, -1e38):
        flat[picked.integers(0, len(flat), len(flat) // 5 + 1)] = odd
    return values


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize("name", NETWORKS)
def test_no_output_does_harm(gpu, tmp_path, name, backend):
    outputs, size, metadata = NETWORKS[name]
    for fill in FILLS:
        arrays = {key: filled(shape, fill) for key, shape in outputs.items()}
        path = constant_network(tmp_path / f"{fill}.onnx", arrays, size, metadata=metadata)
        network = load_network(gpu, path, TASKS.get(name, ""), backend=backend)
        try:
            result = network.analyze_pixels(np.full((72, 96, 3), 90, np.uint8))
            assert result.has_nan == (fill in ("not numbers", "mixed")), fill
            json.dumps(result.json(), allow_nan=False)
            tracked_result = Scene(SceneSpec(TrackSpec())).see(result, 0.0, (96, 72))
            record = PictureRecord.of(tracked_result, "a", "a", 1, still=True)
            journal = Journal.begin(tmp_path / f"{fill}.journal", {})
            journal.add(0, record)
            about = About(labels=network.head.features.labels, tracked=True)
            for kind, form in result_formats().items():
                form.write(journal.records, tmp_path / f"{fill}.{kind}", about)
            journal.close()
        finally:
            network.close()
