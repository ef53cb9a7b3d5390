"""The window in which pictures are labeled by hand. What labels are, and how they are kept, is in `desktop/compute/labeling/`.

A window of its own, not a mode of the main one: its keys, its undo and its picture (as the file has it, without filters) are others, and a
video may go on playing beside it. Weighed: a tool on the main picture, as zones are drawn. It would have had to take 1 to 9, the arrows and
Ctrl+Z away from the player, and to switch the chain off so that boxes lie where the file's pixels are.
"""
