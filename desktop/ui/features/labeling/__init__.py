"""The window for labeling images by hand. The labels and their files are handled in `desktop/labeling/`.

It is a window of its own, not a mode of the main one: it has its own shortcuts, undo history and image (as in
the file, without filters), and a video may keep playing beside it. Weighed: a tool on the main image, like
that for zones. It would have had to take 1 to 9, the arrows and Ctrl+Z from the player, and to disable the
chain so that boxes match the file's pixels.
"""
