"""Masks of stages: where in the frame a stage has an effect, and how its result is mixed in."""
