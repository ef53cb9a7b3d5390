"""One run of `process` or `analyze` on many processes or machines: cut into pieces, done by workers, put together in order.

cutting.py   which pieces an input falls into, and why one is left whole
plan.py      clips and pieces, frozen
run_journal.py    what is done, on the disk
driver.py    gives pieces to workers and takes them back
executors/   where workers are: a file each, found by its name
piece_run.py a worker's side: one piece, by this program started once more
joining.py   pieces become the output
"""
