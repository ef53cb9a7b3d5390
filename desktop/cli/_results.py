"""What networks said, as JSON has it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from desktop.compute.running.picture_network import Reading
from desktop.compute.tasks.classification import Classification
from desktop.compute.tasks.detection.detector import Detections


def as_json(reading: Reading) -> dict[str, Any]:
    """What a network said, as JSON has it: 'top', or 'objects' with boxes in pixels of the picture (left, top, right, bottom)."""
    if isinstance(reading, Detections):
        return {
            "size": list(reading.size),
            "objects": [asdict(item) for item in reading.objects],
            "left_out": reading.left_out,
        }
    assert isinstance(reading, Classification)
    return {"top": [asdict(item) for item in reading.predictions]}
