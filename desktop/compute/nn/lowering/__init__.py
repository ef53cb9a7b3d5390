"""From a graph to dispatches: what an operator is given to write its kernels with, and the plan that results."""
