"""Write pixels to textures through wgpudawn's public method."""

from __future__ import annotations

from desktop.compute.gpu.recording import write_public as make_writer

__all__ = ["make_writer"]
