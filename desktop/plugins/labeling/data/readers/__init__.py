"""Readers of label files made by other programs, one module per format with a `read` function.

The files are untrusted: sizes are limited, each entry is validated, and invalid ones are omitted and counted.
"""
