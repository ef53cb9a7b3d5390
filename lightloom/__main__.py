"""`python -m lightloom`: the command line, as the command `lightloom` has it."""

from __future__ import annotations

import sys

from desktop.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
