"""Hostile filter files: whatever text is given, the process that takes it in survives, stays small, ends, and
says one sentence.

The files are made here, by families with random sizes. A process takes them in one after another, as the
window and `process` do; it is watched from here. Run by itself on another commit it tells what happens there:

    python tests/gpu/test_hostile_shaders.py report [seed]
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SECONDS = 120.0
"""After which a case counts as one that never ends; the limits of a trial, below, end it long before, on a
busy machine too.
"""

MOST_GROWTH = 300 << 20
ADDRESSES = 6 << 30

MAIN = "fn main(p: vec2i) -> vec4f {{ {} return load(p); }}"
BUFFER = '[[buffer]]\nname = "b"\ntype = "array<atomic<u32>, 4>"\nbytes = 16\n'
RAW = '[[pass]]\nentry = "go"\nkind = "raw"\n{}\n[[pass]]\nentry = "main"\n'
GO = "@compute @workgroup_size(8, 8) fn go(@builtin(global_invocation_id) id: vec3u) { atomicAdd(&b[0], 1u); }\n"


def text(body, head=""):
    return f'/* lightloom\ntitle = "T"\n{head}*/\n{body}'


def nested(rng):
    n = rng.choice((300, 3000, 30_000))
    kinds = {
        "parentheses": "let a = " + "(" * n + "1" + ")" * n + ";",
        "calls": "let a = " + "sin(" * n + "1.0" + ")" * n + ";",
        "indices": "var a = array<i32, 1>(0); let c = " + "a[" * n + "0" + "]" * n + ";",
        "types": "var a: " + "array<" * n + "f32" + ", 1>" * n + ";",
        "never closed": "let a = " + "(" * n,
        "braces": "{" * n + "}" * n,
        "mixed": "let a = " + "(-(!array<f32, 1>(" * (n // 3) + "1" + ")))" * (n // 3) + ";",
    }
    for kind, body in kinds.items():
        yield f"{kind} {n}", text(MAIN.format(body))


def chained(rng):
    n = rng.choice((3000, 20_000))
    kinds = {
        "sum": "let a = f32(p.x); let c = " + "+".join("a" * n) + ";",
        "and": "let a = p.x > 0; let c = " + "&&".join("a" * n) + ";",
        "constant sum": "const c = " + "+".join("1" * n) + ";",
        "minus": "let c = " + "- " * n + "1.0;",
        "not": "let c = " + "!" * n + "true;",
        "members": "let c = vec4f(1.0)" + ".xyzw" * n + ";",
        "else if": "if (p.x == 0) {}" + "".join(f" else if (p.x == {i}) {{}}" for i in range(n)),
        "comments": "/*" * n + "*/" * n,
    }
    for kind, body in kinds.items():
        yield f"{kind} {n}", text(MAIN.format(body))
    yield (
        f"constants {n}",
        text(
            "".join(f"const c{i} = c{i - 1} + 1;" for i in range(n, 0, -1))
            + "const c0 = 1;"
            + MAIN.format("let x = c1;")
        ),
    )
    yield (
        f"structs {n}",
        text(
            "".join(f"struct S{i} {{ a: S{i - 1} }}" for i in range(n, 0, -1))
            + "struct S0 { a: f32 }"
            + MAIN.format("")
        ),
    )


def hungry(rng):
    n = rng.randrange(50_000_000, 200_000_000)
    use = "fn main(p: vec2i) -> vec4f { a[p.x] = 1.0; return vec4f(a[p.y]); }"
    for kind, declaration in {
        "direct": f"var<private> a: array<f32, {n}>;",
        "constant": f"const n = {n // 8} * 8; var<private> a: array<f32, n>;",
        "alias": f"alias A = array<f32, {n}>; var<private> a: A;",
        "component": f"const n = vec2i({n}, 1); var<private> a: array<f32, n.x>;",
        "function": f"const n = abs(-{n}); var<private> a: array<f32, n>;",
    }.items():
        yield f"private {kind}", text(declaration + use)
    local = (
        "var a: array<vec4f, %s>; for (var i = 0; i < 60000; i++) { a[i * 3] = vec4f(1.0); } return a[p.y];"
    )
    yield "local", text("fn main(p: vec2i) -> vec4f { " + local % 200_000 + "}")
    yield "local constant", text("fn main(p: vec2i) -> vec4f { const n = 200000; " + local % "n" + "}")
    row = '[[texture]]\nname = "t{}"\nsize = [4096, 4096]\nformat = "rgba32float"\npersistent = true\n'
    yield "textures", text(MAIN.format(""), "".join(row.format(i) for i in range(12)))
    yield "dotted key", text(MAIN.format(""), ".".join("a" * 30_000) + " = 1\n")
    yield "quoted key", text(MAIN.format(""), ".".join(['" "'] * 15_000) + " = 1\n")


def endless(rng):
    n = rng.choice((20_000, 65_000))
    loop = "var s = 0.0; for (var i = 0; i < {}; i++) {{ s += sin(s + f32(p.x)); }} return vec4f(s);"
    yield "loop", text(MAIN.format(loop.format(n)))
    head = f'[[param]]\nname = "n"\ntype = "int"\nmin = 1\nmax = {n}\ndefault = 1\n'
    yield "slider", text(MAIN.format(loop.format("params.n")), head)
    yield "time", text(MAIN.format(loop.format(f"select(1, {n}, frame.index > 100u)")))
    yield (
        "many loops",
        text(MAIN.format("var s = 0.0; " + "for (var i = 0; i < 60000; i++) { s += sin(s); } " * 200)),
    )
    calls = "".join(
        f"fn f{i}(x: f32) -> f32 {{ return f{i - 1}(x) + f{i - 1}(x + 1.0); }}\n" for i in range(1, 12)
    )
    first = "fn f0(x: f32) -> f32 { var s = x; for (var i = 0; i < 60000; i++) { s += sin(s); } return s; }\n"
    yield "loops in calls", text(first + calls + MAIN.format("let x = f11(0.5);"))
    yield "grid", text(GO + MAIN.format(""), BUFFER + RAW.format("grid = [65535, 65535]"))
    yield "grid of the most", text(GO + MAIN.format(""), BUFFER + RAW.format("grid = [2048, 2048]") * 40)
    passes = (
        '[[texture]]\nname = "t"\nsize = [4096, 4096]\n' + '[[pass]]\nentry = "main"\noutput = "t"\n' * 63
    )
    yield "passes", text(MAIN.format(""), passes + '[[pass]]\nentry = "main"\n')


def tiring(rng):
    """Texts that are dear to read."""
    n = rng.choice((20_000, 100_000))
    attributes = '[[pass]]\nentry = "go"\nkind = "raw"\n[[pass]]\nentry = "main"\n'
    yield "attributes", text("@a  " * n + "fn g() {}" + MAIN.format(""), attributes)
    yield "loops without a body", text("loop " * n)
    yield "for without an end", text("for (" * n)
    yield "comparisons", text(MAIN.format("a < " * n))
    yield "statements", text(MAIN.format("var x = 1.0; " + "x = x * 1.5; " * n))
    yield "one name", text("a" * 10 * n)
    yield "includes", text(MAIN.format(""), 'use = ["gaussian"' + ', "gaussian"' * (n // 20) + "]\n")


_WORDS = (
    "fn main ( p : vec2i ) -> vec4f { } return load ; for while loop if else switch case default break continue var const"
    " struct alias array < > , . @ compute workgroup_size 1 2.0 0x10 true + - * / % & | ^ ! ~ << >> == != && || = += /* */ //"
    " \n \u2028 \x00 \u00e9 lightloom_steps input params frame textureLoad override enable f16 requires ptr atomic private workgroup"
)
WORDS = _WORDS.split(" ")


def soup(rng):
    for number in range(6):
        body = " ".join(rng.choices(WORDS, k=rng.randrange(20, 3000)))
        yield f"words {number}", text(body)
        yield (
            f"words inside {number}",
            text(MAIN.format(" ".join(rng.choices(WORDS, k=rng.randrange(5, 60))))),
        )


FAMILIES: dict[str, Callable[[random.Random], Iterator[tuple[str, str]]]] = {
    f.__name__: f for f in (nested, chained, hungry, endless, tiring, soup)
}


# -- the process that takes them in --------------------------------------------------------------------------


def take_in(folder: Path, first: int) -> None:
    """Take in the files of a folder from number `first` on: a line of JSON before each, one after it."""
    import resource

    from desktop.base.errors import LightloomError
    from desktop.compute.gpu.device import Gpu
    from desktop.media.sources.opening import open_source
    from desktop.pipeline.chain.spec import ChainSpec
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.pipeline import Pipeline

    def peak_memory():
        # Its own, and not filter_trial's: this runs on commits without that.
        status = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) << 10

    extra = {}
    with contextlib.suppress(ImportError):  # a commit before there was one
        from desktop.pipeline.filters.verifier import FilterVerifier, Limits

        limits = Limits(compile_seconds=3.0, software_seconds=0.5, gpu_seconds=0.05, memory=1 << 30)
        extra["verifier"] = FilterVerifier(folder / "verdicts", limits=limits)
    gpu, library = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER")), FilterLibrary(None)
    source = open_source("sample:128x72")
    frames = source.frames()
    frame = next(frames)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for path in sorted(folder.glob("*.wgsl"))[first:]:
        print(json.dumps({"case": path.stem}), flush=True)
        before = peak_memory()
        error = ""
        try:
            item = library.add(path)
            if item is None:
                raise library.errors[str(path)]
            pipeline = Pipeline(gpu, library, wait=True, **extra)
            pipeline.set_chain(ChainSpec().added(item.id, item.defaults))
            pipeline.render(frame)
            pipeline.drain()
            error = pipeline.chain.statuses[0].message
            pipeline.close()
        except LightloomError as refused:
            error = str(refused)
        except BaseException as fault:
            error = f"FAULT {type(fault).__name__}: {fault}"
        grown = peak_memory() - before
        print(json.dumps({"error": error, "grown": grown}), flush=True)
    os._exit(0)


def faults_of(family: str, seed: int, seconds: float = SECONDS) -> Iterator[tuple[str, str]]:
    """Each case of a family with what is wrong with it, '' for nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = list(FAMILIES[family](random.Random(f"{family} {seed}")))
        for number, (_, body) in enumerate(cases):
            (folder / f"c{number:03}.wgsl").write_text(body, encoding="utf-8")
        first = 0
        while first < len(cases):
            for fault in _watch(folder, first, seconds):
                yield cases[first][0], fault
                first += 1


def _watch(folder: Path, first: int, seconds: float) -> Iterator[str]:
    command = [sys.executable, __file__, "take-in", str(folder), str(first)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    ended_here = threading.Event()

    def end() -> None:
        ended_here.set()
        process.kill()

    try:
        while True:
            timer = threading.Timer(seconds, end)
            timer.start()
            lines = (process.stdout.readline(), process.stdout.readline())
            timer.cancel()
            if not lines[0]:
                assert process.wait() == 0, "the process that takes files in did not start"
                return
            if not lines[1]:
                process.wait()
                yield (
                    "never ends"
                    if ended_here.is_set()
                    else f"the process died with status {process.returncode}"
                )
                return
            yield _fault(json.loads(lines[1]))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _fault(told):
    error = told["error"]
    if told["grown"] > MOST_GROWTH:
        return f"{told['grown'] >> 20} MiB more"
    if error.startswith("FAULT") or "\n" in error or len(error) > 1000:
        return error[:200]
    return ""


@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux's kernel")
@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_harms_the_process_that_takes_it_in(family):
    faults = [f"{case}: {fault}" for case, fault in faults_of(family, seed=1) if fault]
    assert not faults, "\n".join(faults)


if __name__ == "__main__":
    if sys.argv[1] == "take-in":
        take_in(Path(sys.argv[2]), int(sys.argv[3]))
    for name in FAMILIES:
        for case, fault in faults_of(name, int(sys.argv[2]) if len(sys.argv) > 2 else 1, 20.0):
            print(f"{name:8} {case:28} {fault or 'ok'}", flush=True)
