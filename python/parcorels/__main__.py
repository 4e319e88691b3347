"""The program parcorels, as `python -m parcorels` and as the command of the package."""

import os
import subprocess
import sys

from ._engine import program


def main():
    """Run the program with the arguments of this process, and end as it ends."""
    arguments = [program(), *sys.argv[1:]]
    if sys.platform == "win32":
        raise SystemExit(subprocess.call(arguments))
    os.execv(arguments[0], arguments)


if __name__ == "__main__":
    main()
