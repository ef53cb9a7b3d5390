"""Built-in plug-ins, one package each: a package here that defines PLUGIN is found by itself (desktop/base/plugins.py)."""
