"""Figures for Prometheus: what is told (`family.py`), who tells it (`*_reader.py`), how it is served (`exporter.py`, `server.py`).

Whoever has figures is a `Reader`: the metrics that it has, and their values of now, as plain values. Only `exporter.py` knows the library.
Readers are asked when somebody scrapes, on a thread of the server's; the thread that renders does nothing for it but count (`totals.py`).
docs/metrics.md lists what there is.
"""
