"""Systems with global hotkeys, one file each, which defines SYSTEM."""
