"""Implementation of `webgpu` for Dawn, through wgpudawn; module names are those of `wgpu_native`."""
