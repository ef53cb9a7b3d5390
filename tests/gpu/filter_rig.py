"""Runs one filter on NumPy pictures, for tests: `FilterRig(gpu).run("gaussian_blur", picture, radius=8)`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.stage import FilterStage, StageIO, compile_filter


class FilterRig:
    """Runs a filter over one or several frames and returns float32 pictures [height, width, 4]."""

    def __init__(self, gpu: Gpu, user_folder: Path | None = None) -> None:
        self.gpu = gpu
        self.library = FilterLibrary(user_folder)

    def run(self, name: str, picture: np.ndarray, **values: object) -> np.ndarray:
        """Run on one frame."""
        return self.run_frames(self.library.get(name), [picture], **values)[0]

    def run_frames(
        self,
        spec: Filter,
        pictures: Sequence[np.ndarray],
        *,
        rate: float = 30.0,
        resets: Sequence[int] = (0,),
        **values: object,
    ) -> list[np.ndarray]:
        """Run on consecutive frames through one stage (temporal filters); pictures are [h, w, 3 or 4] float,
        R'G'B'(A); `resets` are frames at which the past is void.
        """
        height, width = pictures[0].shape[:2]
        stage = FilterStage(compile_filter(self.gpu, spec, time.perf_counter), spec.check(values))
        source, result = self._texture(width, height), self._texture(width, height)
        outputs = []
        for index, picture in enumerate(pictures):
            self._write(source, picture)
            reset = index in resets
            info = FrameInfo((width, height), index / rate, 1 / rate if index else 0.0, index, reset)
            stage.prepare(StageIO(source, source, result), (width, height), reset=reset)
            stage.update(info)
            encoder = self.gpu.device.create_command_encoder()
            stage.clear(encoder)
            compute_pass = encoder.begin_compute_pass()
            stage.encode(compute_pass)
            compute_pass.end()
            self.gpu.queue.submit([encoder.finish()])
            outputs.append(self._read(result))
        stage.close()
        source.destroy()
        result.destroy()
        return outputs

    def _texture(self, width: int, height: int):
        usage = wgpu.TextureUsage
        flags = usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_DST | usage.COPY_SRC
        return self.gpu.device.create_texture(size=(width, height, 1), format="rgba16float", usage=flags)

    def _write(self, texture, picture: np.ndarray) -> None:
        height, width = picture.shape[:2]
        data = np.ones((height, width, 4), np.float16)
        data[..., : picture.shape[2]] = picture
        self.gpu.queue.write_texture(
            {"texture": texture},
            data.tobytes(),
            {"bytes_per_row": width * 8, "rows_per_image": height},
            (width, height, 1),
        )

    def _read(self, texture) -> np.ndarray:
        width, height = texture.width, texture.height
        raw = self.gpu.queue.read_texture(
            {"texture": texture}, {"bytes_per_row": width * 8, "rows_per_image": height}, (width, height, 1)
        )
        return np.frombuffer(raw, np.float16).reshape(height, width, 4).astype(np.float32)


def natural_picture(width: int = 96, height: int = 64, seed: int = 0) -> np.ndarray:
    """A picture with gradients, edges, saturated patches and fine noise, exactly representable in 8 bits;
    float32 [h, w, 3] in 0..1.
    """
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    picture = np.stack([x / width, y / height, 0.5 + 0.5 * np.sin(x / 9 + y / 13)], axis=-1)
    picture[height // 4 : height // 2, width // 5 : width // 2] = (0.9, 0.2, 0.1)
    picture[height // 2 :, width // 2 : width * 3 // 4] = (0.1, 0.6, 0.2)
    disc = (x - width * 0.75) ** 2 + (y - height * 0.3) ** 2 < (height * 0.2) ** 2
    picture[disc] = (0.15, 0.25, 0.95)
    picture += rng.normal(0, 0.02, picture.shape)
    return (np.round(np.clip(picture, 0, 1) * 255) / 255).astype(np.float32)
