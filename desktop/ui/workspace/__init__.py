"""Shared parts of the window: `Workspace`, actions, panels, the viewport and playback."""
