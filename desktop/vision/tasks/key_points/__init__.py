"""Key points of persons, hands, faces: the task (key_points.py) and network families (decoders/)."""

from desktop.vision.tasks.key_points.key_points import TASK

__all__ = ["TASK"]
