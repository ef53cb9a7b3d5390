"""What stands on the picture: where, and how it is painted. Window and command line share it, so Qt's Gui is all of Qt that it needs.

Nothing here has a widget: `desktop.compute` must not import Qt, and a command must not open a window to write boxes into a file.
"""
