"""What is known of wgpu-native's insides, in one package."""
