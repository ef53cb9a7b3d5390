"""Labels that were made elsewhere, read for the images here: one file a format, with a `read` of its own.

The files are strangers': each has a limit of size, each entry is looked at, and one that is not as the format says is left out and counted.
"""
