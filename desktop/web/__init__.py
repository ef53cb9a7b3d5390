"""A setup as a static folder that runs in a browser: the engine's own plans and texts, carried (docs/web.md)."""
