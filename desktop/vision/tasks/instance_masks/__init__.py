"""Find objects and their pixels: the task (instances.py), the networks it is for (forms.py), its part on the GPU (gpu_instances.py)."""

from desktop.vision.tasks.instance_masks.instances import TASK

__all__ = ["TASK"]
