"""Dispatches by wgpudawn's public methods, which query no errors: 1.0 to 1.7 us each (docs/facts.md)."""

from __future__ import annotations

from desktop.compute.gpu.recording import record_public as make_recorder

__all__ = ["make_recorder"]
