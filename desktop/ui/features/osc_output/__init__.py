"""OSC messages about what the window shows, to another program."""
