"""Implementation of `webgpu` for wgpu-native: all uses of internals of wgpu-py and wgpu-native, for the versions in `version.KNOWN`."""
