"""Images as files: one as PNG, several one after the other as GIF or APNG. Written by Pillow.

The images may come from anywhere and be made one at a time, but Pillow keeps them until it writes.
With a palette that all of them share they take a byte a pixel, and the files are much smaller;
others are reduced to 256 colours in a GIF.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from PIL.Image import Image

Moving: TypeAlias = Literal["gif", "apng"]

MOST_PIXELS = 800_000_000
"""Pixels of all images of an animation together, at most: Pillow holds a byte or two of each."""


def write_image(file: IO[bytes], image: Image) -> None:
    """Write one image as PNG."""
    image.save(file, "PNG", optimize=image.width * image.height < 1_000_000)


def write_images(
    file: IO[bytes], images: Iterable[Image], seconds: Sequence[float], form: Moving
) -> None:
    """Write images as an animation that is played for ever; `seconds` says how long each is shown.

    An image that does not differ from the one before makes that one last longer.

    >>> import io
    >>> from PIL import Image
    >>> written = io.BytesIO()
    >>> write_images(written, [Image.new("L", (8, 8), k) for k in (0, 9)], [0.5, 1.0], "gif")
    >>> Image.open(written).n_frames
    2
    """
    every = iter(images)
    first = next(every)
    shown = [max(10, 10 * round(100 * each)) for each in seconds]  # GIF counts hundredths
    more = every if form == "gif" else list(every)  # PNG looks at them twice
    first.save(
        file,
        "GIF" if form == "gif" else "PNG",
        save_all=True,
        append_images=more,
        duration=shown,
        loop=0,
    )
