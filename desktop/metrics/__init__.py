"""Prometheus metrics: `family.py`, their readers `*_reader.py`, and serving (`exporter.py`, `server.py`).

Only `exporter.py` uses the library. Readers are called at each scrape on a server thread; the render thread
only increments counters (`totals.py`). docs/metrics.md lists the metrics.
"""
