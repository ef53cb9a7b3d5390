"""The pixels of what is pointed at: the task (prompted.py), decoders and what they are asked (decoder.py), what comes out (result.py), and
which encoder and decoder belong together (halves.py)."""

from desktop.vision.tasks.prompted_mask.prompted import TASK

__all__ = ["TASK"]
