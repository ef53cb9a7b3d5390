"""Presets: TOML that names filters, files and a network."""

from __future__ import annotations

from pathlib import Path

from desktop.compute.chain.runner import ChainSpec
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.presets.preset import Setup, load_preset, save_preset
from desktop.compute.running.network_spec import NetworkSpec
from fuzz.harness import Harness
from fuzz.material import ROOT, shared, written

_LIBRARY = FilterLibrary(None)


def _read(data: bytes, folder: Path) -> None:
    load_preset(written(folder / "p.toml", data), _LIBRARY)


def _seeds(folder: Path) -> list[bytes]:
    chain = ChainSpec()
    for item in list(_LIBRARY.filters.values())[:12]:
        chain = chain.added(item.id, item.defaults)
    made = []
    network = NetworkSpec(
        "classifier",
        settings={"score": 0.5, "classes": ("a", "b")},
        preprocess={"colors": "BGR", "mean": [1.0, 2.0, 3.0]},
    )
    for setup in (Setup(), Setup(chain), Setup(chain, network), Setup(network=network)):
        save_preset(setup, _LIBRARY, folder / "seed.toml")
        made.append((folder / "seed.toml").read_bytes())
    made.append(
        b'lightloom = 1\na.b.c = 1\n[filter.x.y]\nz = { q = [1, [2, [3]]], "r.s".t = 1979-05-27T07:32:00Z }\n'
    )
    return (
        made
        + [path.read_bytes() for path in sorted((ROOT / "examples").rglob("*.toml"))]
        + shared("repro/*.toml")
    )


TOML_TOKENS = (
    b"a.",
    b"a.a.",
    b"[a.b]\n",
    b"[[a]]\n",
    b"[[filter]]\n",
    b"[",
    b"{",
    b"{a=",
    b"a = [",
    b'"""',
    b"'''",
    b"\\u0000",
    b"\\U0010FFFF",
    b"= inf\n",
    b"= nan\n",
    b"= true\n",
    b"= {}\n",
    b"= []\n",
    b"= 1\n",
    b'= "x"\n',
    b"1979-05-27",
    b"00:00:00",
    b"#",
    b'"',
    b"'",
    b"\\",
    b"[network]\n",
    b"[network.preprocess]\n",
    b"a1=1\n",
)

HARNESS = Harness(_read, _seeds, (*TOML_TOKENS, b"lightloom = ", b"values = ", b"name = "), memory_mb=400)
