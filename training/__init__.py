"""Training of the bundled networks; see README.md here. Not part of the installed program."""
