"""Kernels that several operators share: matrix products, reductions, windows, indexing, normalization."""
