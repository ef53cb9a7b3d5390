"""What features share: `Workspace` with the engine and its parts, actions, panels, the viewport, playback."""
