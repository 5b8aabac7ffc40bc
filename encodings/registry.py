"""The encoders by name. Each is one file of this folder, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from ponder.errors import PonderError
from ponder.formulas.encoder import CpSatEncoder, Encoder
from ponder.puzzle.input_errors import unknown


def _time_indexed() -> Encoder:
    from ponder.encodings.time_indexed import TimeIndexed

    return TimeIndexed()


def _layered() -> Encoder:
    from ponder.encodings.layered import Layered

    return Layered()


def _precedence() -> Encoder:
    from ponder.encodings.precedence import Precedence

    return Precedence()


def _half_factor() -> Encoder:
    from ponder.encodings.half_factor import HalfFactor

    return HalfFactor()


def _cpsat_time() -> CpSatEncoder:
    from ponder.encodings.cpsat_time import CpSatTime

    return CpSatTime()


def _cpsat_positions() -> CpSatEncoder:
    from ponder.encodings.cpsat_positions import CpSatPositions

    return CpSatPositions()


def _cpsat_half_factor() -> CpSatEncoder:
    from ponder.encodings.cpsat_half_factor import CpSatHalfFactor

    return CpSatHalfFactor()


ENCODERS: dict[str, Callable[[], Encoder | CpSatEncoder]] = {
    "time_indexed": _time_indexed,
    "layered": _layered,
    "precedence": _precedence,
    "half_factor": _half_factor,
    "cpsat_time": _cpsat_time,
    "cpsat_positions": _cpsat_positions,
    "cpsat_half_factor": _cpsat_half_factor,
}
"""Every encoder by its name, which is that of its file."""


def encoder(name: str) -> Encoder | CpSatEncoder:
    """Return the encoder of that name; dashes may stand for underscores.

    PonderError when there is none.

    >>> encoder("half-factor").name
    'half_factor'
    """
    key = name.replace("-", "_")
    if key not in ENCODERS:
        raise PonderError(unknown("encoding", name, ENCODERS))
    return ENCODERS[key]()


def encoders() -> list[Encoder | CpSatEncoder]:
    """Return all encoders."""
    return [encoder(name) for name in ENCODERS]
