"""Editors of settings, parameters and specifications."""
