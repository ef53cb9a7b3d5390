"""`lightloom bench inference`: this engine beside others, on the same networks, alternating in one run."""
