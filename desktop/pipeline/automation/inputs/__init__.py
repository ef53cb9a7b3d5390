"""Inputs of controllers, one file each, which defines INPUT."""
