"""The device, shader text, timing, read-back."""
