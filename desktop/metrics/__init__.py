"""Prometheus metrics: `family.py`, their readers `*_reader.py`, and serving (`exporter.py`, `server.py`).

A `Reader` provides families and their current values as plain values; only `exporter.py` uses the library.
Readers are called at each scrape on a server thread; the render thread only increments counters
(`totals.py`). docs/metrics.md lists the metrics.
"""
