"""Filters: description, parameters, passes, tables, and the trial of strangers' shaders."""
