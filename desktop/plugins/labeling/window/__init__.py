"""Window for labeling images by hand. Labels and their files are in `desktop/plugins/labeling/data/`.

It is a separate window with its own shortcuts, undo history and image (unfiltered, as in the file), so that a
video can keep playing. In the main window it would conflict with the player's keys (1 to 9, arrows, Ctrl+Z),
and the chain would have to be off, so that boxes match the file's pixels.
"""
