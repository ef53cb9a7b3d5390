"""Labels of images made by hand: values, their edits, the file that keeps them, what a network proposes, and files of others.

Nothing here knows the window; `desktop/plugins/labeling/window/` shows it.
"""
