"""Measurement of a network's cost: a report, a profile by dispatch, and tuning of its kernels."""
