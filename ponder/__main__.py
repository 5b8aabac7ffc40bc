"""The command `ponder`, also as `python -m ponder`: listens for signals before anything else."""

from __future__ import annotations

from ponder.system import signals


def main() -> None:
    """Run the command line and exit."""
    signals.listen()
    from ponder.apps.cli import main as command

    command()


if __name__ == "__main__":
    main()
