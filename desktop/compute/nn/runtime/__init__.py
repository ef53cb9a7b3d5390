"""Execution of a network: its buffers, its dispatches, its inputs and outputs."""
