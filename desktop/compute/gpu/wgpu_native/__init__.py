"""Implementation of `webgpu` with all uses of wgpu-py's and wgpu-native's internals (`version.KNOWN`)."""
