"""Kinds of layers, one file each, which defines it as KIND."""
