"""What is known of the insides of wgpu-py and wgpu-native, and used: all of it is here, and for the versions in `version.KNOWN`."""
