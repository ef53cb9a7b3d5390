"""Dispatches through wgpudawn's public methods, which do not query errors after each call: one takes 1.0 to 1.7 us (docs/facts.md)."""

from __future__ import annotations

from desktop.compute.gpu.recording import record_public as make_recorder

__all__ = ["make_recorder"]
