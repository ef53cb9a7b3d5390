"""Systems with global shortcuts, one file each, which defines SYSTEM."""
