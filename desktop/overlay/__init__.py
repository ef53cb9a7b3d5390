"""Layout and painting of the overlay on the frame, shared by the window and the command line. Of Qt it uses only QtGui.

There are no widgets: `desktop.compute` must not import Qt, and a command must not open a window to draw boxes into a file.
"""
