"""Copy the planes of frames into memory that the GPU reads, on the thread that decodes or renders."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.staging import StagedRows, StagingRing, staged_bytes
from desktop.media.frame import Frame, Plane, PlaneFormat

log = logging.getLogger(__name__)


class FrameStaging:
    """Staging memory for at most `count` frames at a time; each is free once nothing refers to its frame."""

    def __init__(self, gpu: Gpu, count: int) -> None:
        self._ring = StagingRing(gpu, count)

    def stage(self, frame: Frame, wait_s: float = 0.0) -> Frame:
        """Return the frame with its planes in staging memory too; as it is if none is free for `wait_s` seconds.

        On one thread at a time.
        """
        try:
            rows = self._staged(frame.planes, frame.format.planes, wait_s)
        except (RuntimeError, ValueError, wgpu.GPUError) as error:
            # The upload says what is wrong with the device or the frame.
            log.info("a frame is not staged: %s", error)
            return frame
        if rows is None:
            return frame
        planes = (replace(plane, staged=each) for plane, each in zip(frame.planes, rows, strict=True))
        return replace(frame, planes=tuple(planes))

    def _staged(
        self, planes: Sequence[Plane], formats: Sequence[PlaneFormat], wait_s: float
    ) -> list[StagedRows] | None:
        widths = [
            plane.width * len(fmt.components) * fmt.bytes_per_component
            for plane, fmt in zip(planes, formats, strict=True)
        ]
        size = sum(staged_bytes(width, plane.height) for width, plane in zip(widths, planes, strict=True))
        memory = self._ring.take(size, wait_s)
        if memory is None:
            return None
        return [
            memory.put(plane.data, 0, plane.stride, width, plane.height)
            for width, plane in zip(widths, planes, strict=True)
        ]

    def close(self) -> None:
        """Release the memory; what frames still hold, when they are gone."""
        self._ring.close()
