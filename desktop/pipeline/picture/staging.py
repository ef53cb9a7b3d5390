"""Copy the planes of frames into memory that the GPU reads, on the thread that decodes or renders."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.staging import Rows, StagedRows, StagingRing, staged_bytes
from desktop.media.frame import Frame
from desktop.media.plane_copies import copy_planes

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
            rows = self._staged(frame, wait_s)
        except (RuntimeError, ValueError, wgpu.GPUError) as error:
            # The upload says what is wrong with the device or the frame.
            log.info("a frame is not staged: %s", error)
            return frame
        if rows is None:
            return frame
        planes = (replace(plane, staged=each) for plane, each in zip(frame.planes, rows, strict=True))
        return replace(frame, planes=tuple(planes))

    def _staged(self, frame: Frame, wait_s: float) -> list[StagedRows] | None:
        parts = [
            Rows(
                plane.data,
                0,
                plane.stride,
                plane.width * len(fmt.components) * fmt.bytes_per_component,
                plane.height,
            )
            for plane, fmt in zip(frame.planes, frame.format.planes, strict=True)
        ]
        memory = self._ring.take(sum(staged_bytes(part.row, part.count) for part in parts), wait_s)
        if memory is None:
            return None
        copy = partial(copy_planes, pix_fmt=frame.format.name, width=frame.width, height=frame.height)
        return memory.put(*parts, copy=copy)

    def close(self) -> None:
        """Release the memory; what frames still hold, when they are gone."""
        self._ring.close()
