"""Window for labeling images by hand. Labels and their files are in `desktop/plugins/labeling/data/`.

It is separate, with its own shortcuts, undo history and unfiltered image, since the player's keys would
conflict, and boxes must match the file's pixels.
"""
