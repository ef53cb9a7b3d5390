"""GPU access: the device, shader text, timing, read-back."""
