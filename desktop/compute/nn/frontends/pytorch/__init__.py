"""Networks that PyTorch wrote: TorchScript (torch.jit.save) and exported programs (torch.export.save).
Pickled objects are not read.

What PyTorch's own loaders would do with an untrusted file, and why `torch.export.load` is not used, is in
docs/backends.md.
"""
