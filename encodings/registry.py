"""The encoders by name. Each is one file of this folder, loaded when it is asked for."""

from __future__ import annotations

from ponder.errors import PonderError
from ponder.formulas.encoder import CpSatEncoder, Encoder
from ponder.puzzle.input_errors import unknown

ENCODERS = (
    "time_indexed",
    "layered",
    "precedence",
    "half_factor",
    "cpsat_time",
    "cpsat_positions",
    "cpsat_half_factor",
)
"""The name of every encoder, which is that of its file."""


def encoder(name: str) -> Encoder | CpSatEncoder:
    """Return the encoder of that name; dashes may stand for underscores.

    PonderError when there is none.

    >>> encoder("half-factor").name
    'half_factor'
    """
    match name.replace("-", "_"):
        case "time_indexed":
            from ponder.encodings.time_indexed import TimeIndexed

            return TimeIndexed()
        case "layered":
            from ponder.encodings.layered import Layered

            return Layered()
        case "precedence":
            from ponder.encodings.precedence import Precedence

            return Precedence()
        case "half_factor":
            from ponder.encodings.half_factor import HalfFactor

            return HalfFactor()
        case "cpsat_time":
            from ponder.encodings.cpsat_time import CpSatTime

            return CpSatTime()
        case "cpsat_positions":
            from ponder.encodings.cpsat_positions import CpSatPositions

            return CpSatPositions()
        case "cpsat_half_factor":
            from ponder.encodings.cpsat_half_factor import CpSatHalfFactor

            return CpSatHalfFactor()
    raise PonderError(unknown("encoding", name, ENCODERS))


def encoders() -> list[Encoder | CpSatEncoder]:
    """Return all encoders."""
    return [encoder(name) for name in ENCODERS]
