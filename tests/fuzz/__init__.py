"""Fuzz harnesses for every reader of strangers' files: docs/fuzzing.md."""
