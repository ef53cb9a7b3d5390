"""What a network costs: a report, a profile by dispatch, and kernels chosen by measuring."""
