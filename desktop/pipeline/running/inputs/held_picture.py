"""Copies of the frame that a network is working on, and of the frame of its newest result."""

from __future__ import annotations

from dataclasses import replace

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.running.inputs.picture import Picture


class HeldPicture:
    """Image of a network's newest result, copied because the next one overwrites the stage's input."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._begun: Picture | None = None  # its textures are the copies
        self._copies: dict[str, tuple[wgpu.GPUTexture, wgpu.GPUTexture]] = {}  # (under way, finished)
        self.finished: Picture | None = None

    @property
    def has_copies(self) -> bool:
        """True once there are copies."""
        return bool(self._copies)

    def begin(self, encoder: wgpu.GPUCommandEncoder, picture: Picture, *, with_original: bool) -> None:
        """Record that the network starts on `picture`; keep its original if the whole image is held back."""
        seen = self._record_copy(encoder, "seen", picture.texture)
        original = seen
        if with_original and picture.original is not picture.texture:
            original = self._record_copy(encoder, "original", picture.original)
        self._begun = replace(picture, texture=seen, original=original)

    def _record_copy(
        self, encoder: wgpu.GPUCommandEncoder, name: str, source: wgpu.GPUTexture
    ) -> wgpu.GPUTexture:
        pair = self._copies.get(name)
        if pair is None or pair[0].size != source.size or pair[0].format != source.format:
            if pair is not None:
                self.close()
            pair = self._copies[name] = self._make(name, source)
        _copy(encoder, source, pair[0])
        return pair[1]

    def _make(self, name: str, source: wgpu.GPUTexture) -> tuple[wgpu.GPUTexture, wgpu.GPUTexture]:
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_SRC | wgpu.TextureUsage.COPY_DST
        first, second = (
            self._gpu.device.create_texture(
                label=f"{name} picture {i}", size=source.size, format=source.format, usage=usage
            )
            for i in range(2)
        )
        return first, second

    def finish(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record that the started inference is done: `finished` is its frame."""
        if self._begun is None:
            return
        for pair in self._copies.values():
            _copy(encoder, *pair)
        self.finished = self._begun

    def invalidate(self) -> None:
        """Invalidate both copies."""
        self._begun = self.finished = None

    def close(self) -> None:
        """Release the copies."""
        for pair in self._copies.values():
            for texture in pair:
                texture.destroy()
        self._copies = {}
        self.invalidate()


def _copy(encoder: wgpu.GPUCommandEncoder, source: wgpu.GPUTexture, target: wgpu.GPUTexture) -> None:
    encoder.copy_texture_to_texture({"texture": source}, {"texture": target}, source.size)
