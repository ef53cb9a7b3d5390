"""Networks that PyTorch wrote: TorchScript and exported programs, not pickled objects (docs/backends.md)."""
