"""Benchmarks: of the pipeline, and of the network engine beside others."""
