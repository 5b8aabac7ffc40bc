"""The command `ponder`, also as `python -m ponder`: listens for signals before anything else."""

from __future__ import annotations

from typing import NoReturn

from ponder import signals


def main() -> NoReturn:
    """Run the command line and exit."""
    signals.listen()
    from ponder.cli import main as command

    command()


if __name__ == "__main__":
    main()
