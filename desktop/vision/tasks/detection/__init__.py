"""Find objects in an image: the task (detector.py), and one file for each family of detectors."""

from desktop.vision.tasks.detection.detector import TASK

__all__ = ["TASK"]
