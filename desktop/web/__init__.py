"""A setup as a static folder that runs in a browser with the engine's plans (docs/web.md)."""
