"""What Dawn has of its own, used through its package wgpudawn: modules and names are those of the sibling `wgpu_native`."""
