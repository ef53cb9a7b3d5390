"""Masks of objects at a user's prompts: task (prompted.py), decoders (decoder.py), results (result.py)."""

from desktop.vision.tasks.prompted_mask.prompted import TASK

__all__ = ["TASK"]
