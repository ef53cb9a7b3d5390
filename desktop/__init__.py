"""Lightloom: GPU filters and neural networks on live video."""

from desktop.webgpu import chosen

# Before anything of Lightloom's can import wgpu, whose name may have to be Dawn's.
chosen()
