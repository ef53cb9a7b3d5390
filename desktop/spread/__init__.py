"""Split one run of `process` or `analyze` over many processes or machines.

The driver (`driver.py`) cuts inputs into pieces, assigns them to workers (`executors/`), each of which runs a
piece in a process (`piece_run.py`), and joins the results. `run_journal.py` keeps the progress on disk.
"""
