"""`.cube` tables."""

from __future__ import annotations

from pathlib import Path

from desktop.pipeline.filters.cube_lut import load_cube
from fuzz.harness import Finding, Harness
from fuzz.material import ROOT, shared, written


def _read(data: bytes, folder: Path) -> None:
    import numpy as np

    lut = load_cube(written(folder / "t.cube", data))
    if lut.table.shape != (lut.size,) * 3 + (3,) or not np.isfinite(lut.table).all():
        raise Finding("a table that is no table of finite numbers")


def _seeds(folder: Path) -> list[bytes]:
    rows = "".join(f"{r} {g} {b}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1))
    heads = (
        "LUT_3D_SIZE 2\n",
        'TITLE "x"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0.0 0.0 0.0\nDOMAIN_MAX 1.0 1.0 1.0\n',
        "LUT_3D_SIZE 2\nDOMAIN_MIN -1 -1 -1\nDOMAIN_MAX 2 2 2\n",
        "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 2\n",
    )
    made = [(head + rows).encode() for head in heads]
    made.append(b"LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0 2\n0 0 0\n.5 .5 .5\n1 1 1\n")
    return (
        made
        + [path.read_bytes() for path in sorted(ROOT.rglob("assets/**/*.cube"))[:3]]
        + shared("repro/*.cube")
    )


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"LUT_3D_SIZE ",
        b"LUT_1D_SIZE ",
        b"DOMAIN_MIN ",
        b"DOMAIN_MAX ",
        b"LUT_3D_INPUT_RANGE ",
        b"LUT_1D_INPUT_RANGE ",
        b"TITLE ",
        b"0 0 0\n",
        b"#",
        b"inf ",
        b"-inf ",
        b"nan ",
        b"1e308 ",
    ),
    memory_mb=400,
)
