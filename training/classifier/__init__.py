"""The classifier of the 1,000 ImageNet classes."""
