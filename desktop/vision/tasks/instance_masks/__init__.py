"""Detect objects and their pixels: the task is in instances.py, its networks in forms.py."""

from desktop.vision.tasks.instance_masks.instances import TASK

__all__ = ["TASK"]
