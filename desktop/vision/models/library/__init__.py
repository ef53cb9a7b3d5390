"""Catalogue of public networks, their download and the folder they are stored in."""
