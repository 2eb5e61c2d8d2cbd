"""`python -m pincite`: the command line.

In: arguments. Out: an exit code.
"""

from __future__ import annotations

import sys

from pincite.serve.cli import main

if __name__ == "__main__":
    sys.exit(main())
