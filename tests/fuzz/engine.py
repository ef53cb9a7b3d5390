"""The process in which a reader runs: `python -m fuzz.engine JOB.json`. It has a limit on its memory, and may
be killed.

Each input is in `current` before the reader gets it, so that the parent has it when this process dies. Two
engines: 'plain' keeps what makes the reader say something new (the sentence without its numbers and names);
'atheris' follows the coverage of the package `desktop`.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import re
import resource
import shutil
import struct
import sys
import tempfile
import time
import traceback
import unicodedata
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

HEAD = struct.Struct("<QdQ")
"""Of the file `current`: inputs so far, when the current one began (time.time), its length; then its bytes.
"""

_SLACK = 2
_MAPPED = 1 << 20


class Job:
    """One run of a harness in this process."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.folder = Path(options["folder"])
        self.random = Random(options["seed"])
        self.count = options["count"]
        self.known: set[str] = set(options["known"])
        self.said: set[str] = set()
        with (self.folder / "current").open("r+b") as file:
            self.current = mmap.mmap(file.fileno(), 0)
        self.work = Path(tempfile.mkdtemp(prefix="fuzz-", dir=self.folder))

    def load(self) -> None:
        """Import the harness, make its corpus, and only then limit the memory."""
        from fuzz import harness

        self.harness = harness.load(self.options["harness"])
        seeds = self.folder / "seeds"
        seeds.mkdir(exist_ok=True)
        self.corpus = [seed[: self.harness.largest] for seed in self.harness.seeds(seeds)]
        for seed in self.corpus[:3]:  # whatever is imported or compiled at first belongs to the baseline
            with contextlib.suppress(Exception):
                self.harness.read(seed, self.work)
        self.empty()
        limit = (self.harness.memory_mb * _SLACK << 20) + _status("VmSize")
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    def empty(self) -> None:
        """Take away what the last input left."""
        for path in self.work.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()

    def try_one(self, data: bytes) -> str:
        """Give the reader an input; return what it said, and note it if it must not say that."""
        from desktop.base.errors import LightloomError

        self.count += 1
        piece = data[: len(self.current) - HEAD.size]
        self.current[HEAD.size : HEAD.size + len(piece)] = piece
        self.current[: HEAD.size] = HEAD.pack(self.count, time.time(), len(piece))
        _forget_peak()
        before = _status("VmRSS")
        said = ""
        try:
            self.harness.read(data, self.work)
        except LightloomError as error:
            said = f"{type(error).__name__}: {error}"
            if not all(map(_is_safe, said)):
                self.note(
                    f"unprintable text in a {type(error).__name__} from {_where(error)}", data, repr(said)
                )
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            text = str(error)[:80] if type(error).__name__ == "Finding" else ""
            self.note(
                f"{type(error).__name__} {text}from {_where(error)}",
                data,
                "".join(traceback.format_exception(error))[-3000:],
            )
        taken = _status("VmHWM") - before
        if taken > self.harness.memory_mb << 20:
            self.note("memory", data, f"{taken >> 20} MiB for {len(data)} bytes; {said[:200]}")
        self.current[8:16] = struct.pack("<d", 0.0)
        self.empty()
        return said

    def note(self, kind: str, data: bytes, detail: str) -> None:
        """Write a finding down, each kind once."""
        if kind in self.known:
            return
        self.known.add(kind)
        write_finding(self.folder, kind, self.count, data, detail)

    def done(self) -> bool:
        """Whether the time or the inputs are over."""
        return time.time() >= self.options["until"] or (
            self.options["runs"] and self.count >= self.options["runs"]
        )

    def plain(self) -> None:
        """All seeds, then mutations of what was interesting."""
        from fuzz.mutation import mutated

        # A process that goes on after another begins behind the seed that ended that one.
        for seed in self.corpus[self.count :]:
            self.said.add(_gist(self.try_one(seed)))
            if self.done():
                return
        while not self.done():
            data = self._mutated(self.random.choice(self.corpus), mutated)
            gist = _gist(self.try_one(data))
            if gist not in self.said and len(self.corpus) < 2000:
                self.said.add(gist)
                self.corpus.append(data)

    def _mutated(self, data: bytes, mutate: Any) -> bytes:
        harness = self.harness
        if self.random.random() < 0.5 and (own := harness.mutate(data, self.random)) is not None:
            return own[: harness.largest]
        return mutate(data, self.random, harness.tokens, self.corpus, harness.largest)

    def atheris(self) -> None:
        """The same mutations, steered by coverage."""
        import atheris

        from fuzz.mutation import mutated

        def mutate(data: bytes, limit: int, seed: int) -> bytes:
            self.random.seed(seed)
            if self.random.random() < 0.2:
                return atheris.Mutate(data, limit)
            return self._mutated(data, mutated)[:limit]

        def one(data: bytes) -> None:
            self.try_one(data)
            if self.done():
                sys.stdout.flush()
                os._exit(0)

        corpus = self.folder / "corpus"
        corpus.mkdir(exist_ok=True)
        for seed in self.corpus:
            (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
        left = max(1, int(self.options["until"] - time.time()))
        arguments = [
            f"-max_total_time={left + 5}",
            f"-max_len={self.harness.largest}",
            "-rss_limit_mb=0",
            "-timeout=3600",
            "-verbosity=0",
        ]
        arguments += [
            f"-seed={self.options['seed'] + 1}",
            "-handle_segv=0",
            "-handle_abrt=0",
            "-handle_fpe=0",
            "-handle_bus=0",
            "-print_final_stats=0",
        ]
        atheris.Setup([sys.argv[0], *arguments, str(corpus)], one, custom_mutator=mutate)
        atheris.Fuzz()


def write_finding(folder: Path, kind: str, count: int, data: bytes, detail: str) -> None:
    """Keep an input and what it did."""
    name = f"finding-{sha256(kind.encode()).hexdigest()[:10]}"
    (folder / f"{name}.bin").write_bytes(data)
    document = {
        "kind": kind,
        "execution": count,
        "input": f"{name}.bin",
        "bytes": len(data),
        "detail": detail,
    }
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1))


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/desktop/" in f.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "nowhere"


def _is_safe(character: str) -> bool:
    """Neither a control character, half of a surrogate pair or a separator of lines, nor one that turns the
    order of letters round.
    """
    return unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") and unicodedata.bidirectional(
        character
    ) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def _gist(said: str) -> str:
    return re.sub(r"'.*?'|[\d.]+|[^\x20-\x7e]", "", said)[:160]


def _status(key: str) -> int:
    with open("/proc/self/status", "rb") as file:  # noqa: PTH123  (a thousand times a second)
        for line in file:
            if line.startswith(key.encode()):
                return int(line.split()[1]) << 10
    return 0


def _forget_peak() -> None:
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as file:  # noqa: PTH123
        file.write(b"5")


def main() -> None:
    """Run a job."""
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    job = Job(json.loads(Path(sys.argv[1]).read_text()))
    if job.options["engine"] == "atheris":
        import atheris

        with atheris.instrument_imports(include=["desktop"]):
            job.load()
        job.atheris()
        return
    job.load()
    job.plain()


if __name__ == "__main__":
    main()
