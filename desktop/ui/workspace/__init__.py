"""Shared parts of the window: `Workspace` with the engine and its parts, actions, panels, the viewport, playback."""
