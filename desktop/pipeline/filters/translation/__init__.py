"""Translates GLSL filters, which are ISF files and Shadertoy functions, to WGSL; docs/isf.md."""
