"""Layout and painting of the overlay, shared by the window and the command line; uses only QtGui of Qt.

No widgets: `desktop.compute` must not import Qt, and commands draw boxes into files without a window.
"""
