"""Filters: description, parameters, passes, tables, and the trial of untrusted shaders."""
