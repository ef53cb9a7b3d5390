"""Lightloom: GPU filters and neural networks on live video."""

from desktop.base.webgpu import chosen

# Before any module of Lightloom can import wgpu, a name that may have to refer to Dawn.
chosen()
