"""How the networks in the box were trained; see README.md here. Not part of the installed program."""
