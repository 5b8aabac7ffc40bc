"""`python -m ponder` is the command `ponder`."""

from ponder.cli import main

if __name__ == "__main__":
    main()
