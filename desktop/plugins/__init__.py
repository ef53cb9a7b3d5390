"""Built-in plug-ins: each package here that defines PLUGIN is loaded (see desktop/base/plugins.py)."""
