"""Split one run of `process` or `analyze` over many processes or machines.

- cutting.py: splits inputs into pieces, or gives a reason not to
- plan.py: clips and pieces, frozen
- run_journal.py: progress on disk
- driver.py: assigns pieces to workers and collects results
- executors/: where workers run, a module each, found by its name
- piece_run.py: a worker's side: one piece, in a process of this program
- joining.py: joins pieces into the output
"""
