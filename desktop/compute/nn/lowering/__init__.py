"""Lowering of a graph to dispatches: operands, kernels, and the plan that results."""
