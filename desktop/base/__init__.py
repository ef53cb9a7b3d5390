"""Foundations without domain knowledge: errors, files, paths, texts, fields, plug-ins."""
