"""The fenced examples of a Markdown page, and a session that runs them as a reader would.

A page is one session in one folder, which holds a copy of `instances/`. Blocks run in the order of
the page:

    console   commands after `$ `, each with the output that it prints; a line `…` stands for any
              lines; a command without output below it must print nothing
    sh        commands that must succeed
    python    code; what it names stays for the next block

A comment just above a block, `<!-- not run: reason -->`, keeps it from being run, and
`<!-- needs: program -->` where that program is missing; the lines that `.ci/run` takes from the
README have comments of their own. A command `ponder …` alone runs in this process, which has its
libraries loaded; all others in bash. `python -m tools.examples PAGE…` writes the outputs of the
console blocks anew; with `--by PYTHON` before the pages it runs their examples by the ponder that
another Python has installed, and fails where they do not agree.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n+)?^```(?P<kind>console|sh|python)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SECONDS = 300


def pages() -> list[Path]:
    """Return the Markdown files that a reader is given."""
    return [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]


@dataclass(frozen=True)
class Block:
    """One fenced example: where it begins (a line of its page), its kind and what it holds."""

    line: int
    kind: str
    body: str
    mark: str | None = None

    @property
    def runs(self) -> bool:
        """Whether it is to be run here."""
        kind, _, program = (self.mark or "").partition(": ")
        return kind not in ("not run", "ci") and (kind != "needs" or which(program) is not None)


def blocks(text: str) -> list[Block]:
    """Return the examples of a page.

    >>> blocks("a\\n<!-- not run: too long -->\\n```sh\\nmake world\\n```\\n")
    [Block(line=3, kind='sh', body='make world\\n', mark='not run: too long')]
    """
    examples = []
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("kind")) + 1
        examples.append(Block(line, match["kind"], match["body"], match["mark"]))
    return examples


def commands(body: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output shown below it.

    >>> commands("$ echo a\\na\\n$ true\\n")
    [('echo a', 'a\\n'), ('true', '')]
    """
    parts = [part.partition("\n") for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in parts]


def forget_times(text: str) -> str:
    """Replace durations, and the blanks before them: they differ from run to run.

    >>> forget_times("lines,   63.0 ms ")
    'lines, TIME'
    """
    text = re.sub(r"^\d[\d.]* s  .*\n", "", text, flags=re.MULTILINE)  # progress
    text = re.sub(r" *\b\d+(\.\d+)? m?s\b", " TIME", text)
    text = re.sub(r"  +(?=encode|solve|90 %|check|TIME)", " ", text)  # the heads of such columns
    return re.sub(r'(?<="seconds": )[\d.e-]+', "TIME", text).strip()


def agrees(shown: str, got: str) -> bool:
    """Whether an output is the one shown; a line `…` in that stands for any lines.

    >>> agrees("a\\n…\\nc", "a\\nb\\nc"), agrees("a\\n…\\nc", "c\\na")
    (True, False)
    """
    pieces = [
        re.escape(piece.strip()) for piece in re.split(r"^…$", forget_times(shown), flags=re.M)
    ]
    return re.fullmatch(r"\s*.*\s*".join(pieces), forget_times(got), re.DOTALL) is not None


@dataclass(frozen=True)
class Outcome:
    """What a command printed, both streams, and its exit code."""

    printed: str
    code: int


@dataclass
class Session:
    """A reader's folder, and what Python blocks have named so far."""

    folder: Path
    interpreter: str = sys.executable
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})

    def __post_init__(self) -> None:
        """Furnish the folder."""
        shutil.copytree(ROOT / "instances", self.folder / "instances")
        binary = self.folder / ".bin"
        binary.mkdir()
        script = binary / "ponder"
        script.write_text(
            f'#!/bin/sh\nexec "{self.interpreter}" -m ponder "$@"\n', encoding="utf-8"
        )
        script.chmod(0o755)

    @property
    def here(self) -> bool:
        """Whether the ponder of this process is the one that is shown."""
        return self.interpreter == sys.executable

    def shell(self, script: str) -> Outcome:
        """Run a script in bash."""
        environment = {
            "PATH": f"{self.folder / '.bin'}:{Path(self.interpreter).parent}:/usr/bin:/bin",
            **({"PYTHONPATH": str(ROOT)} if self.here else {}),
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
            "HOME": str(self.folder),
        }
        done = subprocess.run(
            ["bash", "-euc", script], cwd=self.folder, env=environment, capture_output=True,
            text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Outcome(done.stdout + done.stderr, done.returncode)

    def command(self, line: str) -> Outcome:
        """Run one command, in this process if it is ponder's and nothing is special about it."""
        simple = plain(line)
        if simple is None or not self.here:
            return self.shell(line)
        words, target = simple
        code, out, err = self._here(words)
        if target is not None:
            (self.folder / target).write_text(out, encoding="utf-8")
            out = ""
        return Outcome(out + err, code)

    def _here(self, words: list[str]) -> tuple[int, str, str]:
        from ponder.cli import run

        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with chdir(self.folder), redirect_stdout(out), redirect_stderr(err):
            code = run(words)
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return code, texts[0], texts[1]

    def python(self, block: Block, source: str) -> None:
        """Run Python code; its exceptions tell the page and the line."""
        if not self.here:
            done = self.shell(f"{shlex.quote(self.interpreter)} -c {shlex.quote(block.body)}")
            assert done.code == 0, f"{source}:{block.line}: {done.printed}"
            return
        code = compile("\n" * block.line + block.body, source, "exec")
        with chdir(self.folder), redirect_stdout(io.StringIO()):
            exec(code, self.names)


def plain(line: str) -> tuple[list[str], str | None] | None:
    """Return the words of a `ponder` command and where its output goes; None if bash is needed.

    >>> plain("ponder draw a.txt > b.txt   # a picture")
    (['draw', 'a.txt'], 'b.txt')
    >>> plain("ponder order a.txt; true"), plain("cat a.txt")
    (None, None)
    """
    words = shlex.split(line, comments=True)
    if words[:1] != ["ponder"] or any(mark in line.partition(" #")[0] for mark in "<|;&$`*?~("):
        return None
    words, target = words[1:], None
    if len(words) > 1 and words[-2] == ">":
        words, target = words[:-2], words[-1]
    return None if any(">" in word for word in words) else (words, target)


def script_lines(body: str) -> list[str]:
    """Return the commands of an `sh` block, lines that go on put together.

    >>> script_lines("# first\\nponder draw \\\\\\n    a.txt\\n")
    ['ponder draw a.txt']
    """
    joined = re.sub(r"\\\n\s*", "", body).splitlines()
    return [line for line in joined if line.strip() and not line.lstrip().startswith("#")]


def faults(page: Path, session: Session) -> Iterator[str]:
    """Run a page's examples; yield what does not come out as the page says."""
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.runs:
            yield from run(block, session, page)


def run(block: Block, session: Session, page: Path) -> Iterator[str]:
    """Run one example; yield what does not come out as it says."""
    place = f"{page.name}:{block.line}"
    if block.kind == "python":
        session.python(block, str(page))
    elif block.kind == "sh":
        lines = script_lines(block.body)
        if any(plain(line) is None for line in lines):
            lines = [block.body]
        for line in lines:
            outcome = session.shell(line) if line is block.body else session.command(line)
            if outcome.code != 0:
                yield f"{place}: {line}: exit code {outcome.code}\n{outcome.printed}"
    else:
        for command, shown in commands(block.body):
            got = session.command(command).printed
            if "Traceback" in got or not agrees(shown, got):
                yield f"{place}: {command}\n--- shown\n{shown}\n--- got\n{got}"


def anew(page: Path, session: Session) -> str:
    """Run a page and return it with the outputs of its console blocks as they are now."""
    text = page.read_text(encoding="utf-8")
    done: list[str] = []
    end = 0
    for match, block in zip(FENCE.finditer(text), blocks(text), strict=True):
        if not block.runs:
            continue
        if block.kind == "console":
            body = "".join(_shown(session, *pair) for pair in commands(block.body))
            done += [text[end : match.start("body")], body.rstrip() + "\n"]
            end = match.end("body")
        else:
            for fault in run(block, session, page):
                print(fault, file=sys.stderr)
    return "".join([*done, text[end:]])


def _shown(session: Session, command: str, shown: str) -> str:
    printed = session.command(command).printed
    if not shown.strip() or not agrees(shown, printed):
        shown = printed.strip("\n")
    return f"$ {command}\n{shown.rstrip()}\n\n" if shown.strip() else f"$ {command}\n"


def main(arguments: list[str]) -> None:
    """Write pages anew, or run them by another Python."""
    by = arguments[1] if arguments[:1] == ["--by"] else sys.executable
    for argument in arguments[2:] if by != sys.executable else arguments:
        with tempfile.TemporaryDirectory() as folder:
            at, session = Path(argument).resolve(), Session(Path(folder), by)
            if session.here:
                at.write_text(anew(at, session), encoding="utf-8")
            elif messages := list(faults(at, session)):
                sys.exit("\n".join(messages))


if __name__ == "__main__":
    main(sys.argv[1:])
