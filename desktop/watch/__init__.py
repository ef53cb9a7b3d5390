"""The headless service: a file of sources (`config.py`), each in a process of its own, which a supervisor
(`supervisor.py`) starts again after a failure. docs/watch.md describes it for users.

The process of a source is the command `watch` itself (`cli/_watch_source.py`); it reports by `messages.py`.
"""
