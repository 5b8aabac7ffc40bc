"""Files: read to the end with a limit, packed or not, and written whole or not at all.

What a file holds does not matter here. The ending says how it is packed: `.gz`, `.bz2`, `.xz`.
Every failure is a `BoardError` with the file's name and the reason.
"""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from ponder.system.errors import BadArgument, BoardError, LargeFile
from ponder.system.machine import deferred_signals

MOST_BYTES = 1 << 30  # of a file, unpacked: a board of MOST_BULBS and blanks in it

LONGEST_LINE = 1 << 24  # bytes of one question among many

UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # a text in UTF-16 begins with one of these marks

_PIECE = 1 << 22
_STDIN: list[object] = []  # the standard input that was read


def read_bytes(path: str | os.PathLike[str], most: int | None = None) -> tuple[bytes, str]:
    """Return a file's content (`-`: standard input; gz, bz2, xz unpacked) and its name.

    Raises BoardError if it cannot be read, and LargeFile if it has more than `most` bytes (else
    MOST_BYTES); a packed file that would have is given up on the way, whatever it says of its size.
    """
    with opened(path) as (file, name):
        return rest_of(file, name, most=most), name


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[tuple[IO[bytes], str]]:
    """Open a file to be read (`-`: standard input; packed ones unpacked), and say its name.

    Whatever goes wrong with it in the block is a BoardError.
    """
    if not isinstance(path, str | os.PathLike):
        raise BadArgument(f"{path!r} is not the name of a file", "path")
    name = os.fspath(path)
    source = "standard input" if name == "-" else name
    if name == "-" and sys.stdin is None:
        raise BoardError("cannot be read: it is closed", source)
    if name == "-" and _STDIN[-1:] == [sys.stdin] and not sys.stdin.isatty():
        raise BoardError("is read once: name a file for the other", source)
    packing = _packing(name)
    spoilt = EOFError, zlib.error, ValueError, getattr(packing, "LZMAError", EOFError)
    try:
        if name == "-":
            _STDIN[:] = [sys.stdin]
            yield _in_utf8(sys.stdin.buffer, source), source
            return
        with (open if packing is None else packing.open)(name, "rb") as file:
            yield _in_utf8(file, source), source
    except BrokenPipeError:  # of what the block writes
        raise
    except OSError as error:
        raise BoardError(f"cannot be read: {error.strerror or error}", source) from None
    except spoilt as error:  # or a null byte is in the name
        raise BoardError(f"cannot be read: {error}", source) from None
    except MemoryError:
        raise BoardError("is too large for this machine's memory", source) from None


def _in_utf8(file: IO[bytes], source: str) -> IO[bytes]:
    """Return an open file, or its text in UTF-8 where it begins with a mark of UTF-16."""
    reader = file if hasattr(file, "peek") else io.BufferedReader(cast("io.RawIOBase", file))
    if cast("io.BufferedReader", reader).peek(2)[:2] not in UTF_16:
        return reader
    return io.BytesIO(utf8(rest_of(reader, source), source))


def utf8(data: bytes, source: str) -> bytes:
    """Return a text in UTF-8, which may be in UTF-16 with a mark. Raises BoardError."""
    try:
        return data.decode("utf-16").encode() if data[:2] in UTF_16 else data
    except UnicodeDecodeError:
        raise BoardError("this is no text: UTF-16 that cannot be read", source) from None


def rest_of(file: IO[bytes], source: str, before: bytes = b"", most: int | None = None) -> bytes:
    """Return what was read `before` of an open file and what is left, piece by piece, so that its
    size need not be known. Raises LargeFile.
    """
    most = MOST_BYTES if most is None else most
    content = io.BytesIO()
    content.write(before)
    while piece := file.read(_PIECE):
        content.write(piece)
        if content.tell() > most:
            raise LargeFile(f"is larger than {most / 1e9:.1f} GB", source)
    return content.getvalue()  # no copy: the buffer itself is handed over


def _packing(name: str) -> Any:
    """Return the module that packs files of this ending, or None; some Pythons lack some."""
    module = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}.get(Path(name).suffix.lower())
    try:
        return None if module is None else import_module(module)
    except ImportError:
        raise BoardError(f"this Python has no {module}", name) from None


@contextmanager
def whole_file(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[str]]:
    """Write a file whole or not at all: into a temporary file beside it, then rename.

    Raises BoardError (file and reason) if that fails, and leaves nothing under either name. A
    device or a pipe is written to, never replaced.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(f"{folder}/a.txt") as file:
    ...         print(file.write("01"))
    2
    """
    import tempfile

    name = os.fspath(path)
    target = os.path.realpath(name)  # a link stays a link
    folder = os.path.dirname(target)
    encoding = None if "b" in mode else "utf-8"
    temporary = ""
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, mode, encoding=encoding) as device:
                yield cast("IO[str]", device)
            return
        with deferred_signals():
            handle, temporary = tempfile.mkstemp(prefix=".ponder-", dir=folder)
        with open(handle, mode, encoding=encoding) as file:
            yield cast("IO[str]", file)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask or 0o600)  # a browser's mask is 0o777
        os.replace(temporary, target)
        temporary = ""
    except OSError as error:
        raise BoardError(f"cannot be written: {error.strerror or error}", name) from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


@contextmanager
def packed_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Write bytes whole or not at all, packed by the file's ending (gz, bz2, xz); `-`: stdout.

    The same content gives the same bytes: no time and no name is stored. Raises BoardError as
    `whole_file` does. A closed pipe on standard output is the caller's to handle.
    """
    name = os.fspath(path)
    if name == "-":
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise BoardError(f"cannot be written: {error.strerror}", "standard output") from None
        return
    with whole_file(name, "wb") as text_or_bytes:
        file = cast("IO[bytes]", text_or_bytes)
        packing = _packing(name)
        packed: Any = nullcontext(file)
        if packing is not None and packing.__name__ == "gzip":
            packed = packing.GzipFile("", "wb", 6, file, mtime=0)
        elif packing is not None:
            packed = packing.open(file, "wb")
        with packed as out:
            yield out
