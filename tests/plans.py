"""Digests of plans, to see that a rearrangement of the engine changes no kernel: written before it, compared
after it.

    PYTHONPATH=.:tests python -m plans before.json [--models FOLDER] [--seeds 300]
    PYTHONPATH=.:tests python -m plans before.json --compare ...

Of each model of a folder and each graph of the differential fuzzer, for four kinds of device: every dispatch
with a hash of its WGSL, every storage with a hash of its constant, where each value lies, the allocation, the
FLOPs, or the sentence that refuses it. No GPU is needed. Exit status 1 where something differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import onnx
from differential.case import make

from desktop.base.errors import LightloomError
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.compile.target import arithmetic_of
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.rounds import MOST
from desktop.compute.nn.lowering.target import Target

_LIMITS = {"max_binding": 1 << 31, "max_groups": 65535, "max_storages": 8}
_TARGETS = {
    "fp32": Target(dtype="float32", f16=False, workgroups=128, **_LIMITS),
    "fp16": Target(dtype="float16", f16=True, workgroups=24, **_LIMITS),
    "matrices": Target(
        dtype="float16",
        f16=True,
        workgroups=132,
        workgroup_memory=49152,
        subgroup=32,
        matrices=True,
        **_LIMITS,
    ),
    "software": Target(dtype="float32", f16=True, workgroups=1, rounds=MOST, **_LIMITS),
}
_FREE = 64
"""Sizes for free dimensions; the first one, the batch, is 1."""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _shapes(path: Path) -> dict[str, list[int]]:
    model = onnx.load(path, load_external_data=False)
    constants = {tensor.name for tensor in model.graph.initializer}
    dims = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in model.graph.input}
    return {
        name: [n or (_FREE if at else 1) for at, n in enumerate(shape)]
        for name, shape in dims.items()
        if name not in constants and 0 in shape
    }


def _graph(path: Path) -> Graph:
    try:
        return build_graph(path)
    except LightloomError:
        return build_graph(path, input_shapes=_shapes(path))


def _digest(graph: Graph, target: Target) -> dict:
    target, precision = arithmetic_of(target, graph)
    plan = make_plan(graph, target)
    return {
        "precision": precision,
        "dispatches": [{**asdict(each), "code": _hash(each.code.encode())} for each in plan.dispatches],
        "storages": [
            [s.size, s.pinned, None if s.data is None else [s.data.dtype, _hash(s.data.array().tobytes())]]
            for s in plan.storages
        ],
        "operands": {name: asdict(operand) for name, operand in plan.operands.items()},
        "slots": [plan.slots, sorted(plan.slot_of.items())],
        "flops": [asdict(cost) for cost in node_costs(graph)],
    }


def _of(path: Path) -> dict[str, dict]:
    found: dict[str, dict] = {}
    for name, target in _TARGETS.items():
        try:
            found[name] = _digest(_graph(path), target)
        except LightloomError as error:
            found[name] = {"refused": str(error)}
    return found


def _cases(models: Path | None, seeds: int, folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(models.rglob("*.onnx")) if models else []:
        yield str(path.relative_to(models)), path
    for seed in range(seeds):
        maker = make(seed)
        if maker.wanted:
            path = folder / f"{seed}.onnx"
            path.write_bytes(maker.model().SerializeToString())
            yield f"seed {seed}", path


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--models", type=Path, help="a folder")
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument(
        "--compare", action="store_true", help="with what the file has, instead of writing it"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = _cases(options.models, options.seeds, Path(folder))
        found = json.loads(json.dumps({name: _of(path) for name, path in cases}))
    if not options.compare:
        options.file.write_text(json.dumps(found, sort_keys=True))
        print(f"{len(found)} networks")
        return 0
    known = json.loads(options.file.read_text())
    different = [
        f"{name}, {target}: {part}"
        for name in sorted(known.keys() | found.keys())
        for target in _TARGETS
        for before, after in [(known.get(name, {}).get(target, {}), found.get(name, {}).get(target, {}))]
        for part in sorted(before.keys() | after.keys())
        if before.get(part) != after.get(part)
    ]
    print("\n".join(different) or f"{len(found)} networks, nothing differs")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
