"""Remote control of the window by other programs and by browsers on phones."""
