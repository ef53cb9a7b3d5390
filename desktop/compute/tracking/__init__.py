"""What goes on in front of the network over time: who is who from picture to picture (`scene.py`), and what follows from it."""
