"""Layout and painting of the overlay by QtGui, without widgets: commands draw boxes without a window."""
