"""The encoders by name. Each is one file of this folder; all of them are loaded in 2 ms."""

from __future__ import annotations

from ponder.encodings.cpsat_time import CpSatTime
from ponder.encodings.half_factor import HalfFactor
from ponder.encodings.layered import Layered
from ponder.encodings.precedence import Precedence
from ponder.encodings.time_indexed import TimeIndexed
from ponder.formulas.encoder import Encoder
from ponder.system.errors import PonderError, unknown

ENCODERS: dict[str, type[Encoder] | type[CpSatTime]] = {
    encoder.name: encoder for encoder in (TimeIndexed, Layered, Precedence, HalfFactor, CpSatTime)
}
"""Every encoder by its name, which is that of its file."""


def encoder(name: str) -> Encoder | CpSatTime:
    """Return the encoder of that name; dashes may stand for underscores.

    Raises PonderError if there is none.

    >>> encoder("half-factor").name
    'half_factor'
    """
    coder = ENCODERS.get(name.replace("-", "_")) if isinstance(name, str) else None
    if coder is None:
        raise PonderError(unknown("encoding", name, ENCODERS))
    return coder()


def encoders() -> list[Encoder | CpSatTime]:
    """Return all encoders."""
    return [coder() for coder in ENCODERS.values()]
