"""Widgets and helpers without knowledge of the program: theme, language, jobs, notices."""
