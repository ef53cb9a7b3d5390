"""Window for labeling images by hand. Labels and their files are handled in `desktop/labeling/`.

It is a separate window with its own shortcuts, undo history and image (unfiltered, as in the file), so that a
video may keep playing. Not a tool in the main window: it would need the player's keys (1 to 9, arrows,
Ctrl+Z) and a disabled chain, so that boxes match the file's pixels.
"""
