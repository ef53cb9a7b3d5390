"""Implementation of `webgpu` for Dawn, through its package wgpudawn; modules and names are those of the sibling `wgpu_native`."""
