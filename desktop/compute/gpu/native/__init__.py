"""The C functions of webgpu.h that a frame calls, by either library: fewer and cheaper calls than by its
Python package.
"""
