"""Filters in GLSL, ISF and Shadertoy: header, preprocessor, parser and translation; no WGSL is compiled here."""

from __future__ import annotations

from pathlib import Path

from desktop.pipeline.filters.header import read_filter
from fuzz.harness import Harness
from fuzz.material import ROOT, written

_FOLDER = ROOT / "tests" / "data" / "isf"


def _read(data: bytes, folder: Path) -> None:
    # One that begins with a mark of its own is the vertex shader beside a file that needs one.
    beside = data.startswith(b"//v")
    written(folder / "f.vs", data if beside else (_FOLDER / "passes.vs").read_bytes())
    item = read_filter(written(folder / "f.fs", (_FOLDER / "passes.fs").read_bytes() if beside else data))
    item.pack(item.check({}))
    item.params_struct()


def _seeds(folder: Path) -> list[bytes]:
    files = [path.read_bytes() for path in sorted(_FOLDER.glob("*.*")) if path.suffix != ".npz"]
    return [*files, b"//v\n" + (_FOLDER / "passes.vs").read_bytes()]


HARNESS = Harness(
    _read,
    _seeds,
    (
        *(
            b"#define A(x) x x\n",
            b"A(A(A(A(1))))",
            b"#if ",
            b"#endif\n",
            b"#else\n",
            b"/*",
            b"*/",
            b"//",
            b"\\\n",
        ),
        *(
            b"float ",
            b"int ",
            b"vec3 ",
            b"mat3",
            b"const ",
            b"inout ",
            b"struct S { float a; };\n",
            b"[3]",
            b"[]",
        ),
        *(
            b"(",
            b")",
            b"{",
            b"}",
            b"((((((((",
            b"?",
            b":",
            b"= ",
            b"+=",
            b"++",
            b".xyzw",
            b".length()",
            b"1e39",
            b"0x",
        ),
        *(
            b"for (;;) ",
            b"while (true) ",
            b"else if (true) ",
            b"switch (1) { case 1: ",
            b"return ",
            b"discard;",
        ),
        *(b"texture2D(inputImage, ", b"IMG_NORM_PIXEL(", b"gl_FragColor", b"PASSINDEX", b"mod(", b"inverse("),
        *(b'"INPUTS": [', b'"NAME": "a"', b'"TYPE": "long"', b'"PERSISTENT": true', b'"WIDTH": "$WIDTH/2"'),
    ),
    memory_mb=400,
)
