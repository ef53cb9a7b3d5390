"""Runs ONNX's own node suite (`onnx.backend.test.case.node`) on the wgpu engine and counts what passed, was
refused and was wrong.

    python tests/onnx_suite.py [--ops Conv,MaxPool] [--names test_conv,...] [--verbose] [--json]

Inputs that decide shapes are given when the session is built, as the engine asks. A result that only onnx's
own reference evaluator computed (a graph that folds away whole) does not count as passed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.base.errors import LightloomError, ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.shape_inputs import shape_inputs
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.frontends.onnx import import_onnx
from desktop.compute.nn.ops import IMPORTABLE, OPERATORS
from desktop.compute.nn.runtime.session import WgpuSession

_BFLOAT16_ATTENTION: Final = (
    *("3d_causal", "4d_attn_mask_causal", "4d_causal", "4d_causal_padded_kv", "4d_padded_kv"),
)
EXCLUDED: Final = {
    **dict.fromkeys(
        ("test_dft_inverse", "test_dft_inverse_opset19"),
        "the expected values are 1.5e-6 off the exact ones, which the tolerance of 1e-7 does not allow for",
    ),
    **dict.fromkeys(
        (f"test_attention_{name}_bf16{end}" for name in _BFLOAT16_ATTENTION for end in ("", "_expanded")),
        "the expected values are rounded to bfloat16 after each step: up to 0.005 off those of float64, and the engine's 0.002",
    ),
    **dict.fromkeys(
        (
            *("test_cast_FLOAT16_to_FLOAT4E2M1", "test_cast_FLOAT_to_FLOAT4E2M1"),
            *(
                f"test_castlike_{kind}_to_FLOAT4E2M1{end}"
                for kind in ("FLOAT", "FLOAT16")
                for end in ("", "_expanded")
            ),
        ),
        "the expected value of NaN is -0, and ONNX's page on float4 says 6",
    ),
}
"""Cases that a right result fails, and why; they count as refused."""


@dataclass(frozen=True)
class Outcome:
    """What became of one case: 'passed', 'refused' or 'wrong', and why."""

    name: str
    ops: tuple[str, ...]
    status: str
    reason: str = ""


_BY_DATA = {"NonMaxSuppression", "NonZero", "Unique", "Compress"}
"""Operators whose result's shape hangs on data: what NumPy computes of them while a session is built is not
counted.
"""


@cache
def all_cases() -> tuple[Any, ...]:
    """The suite as the installed onnx package generates it."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(sorted(collect_testcases(None), key=lambda case: case.name))


def operators_of(case: Any) -> tuple[str, ...]:
    """The distinct operators of the case's graph, with their domain where it is not ONNX's own."""
    names = {f"{n.domain}.{n.op_type}" if n.domain else n.op_type for n in case.model.graph.node}
    return tuple(sorted(names))


def _build(
    gpu: Gpu, path: Path, feeds: dict[str, np.ndarray], workgroups: int | None
) -> tuple[WgpuSession, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """A session for these inputs, the inputs that are left to feed, and those that were given when it was
    built.
    """
    shapes = {name: array.shape for name, array in feeds.items()}
    imported = import_onnx(path, IMPORTABLE, input_shapes=shapes)
    fixed = {name: feeds[name] for name in shape_inputs(imported, OPERATORS)}
    graph = build_graph(path, input_shapes=shapes, input_values=fixed)
    for name in graph.outputs:
        node = graph.folded.get(name)
        if name in graph.constants and node is not None and OPERATORS[node.op].fold is None:
            raise ModelUnsupportedError(f"{node} is only folded by onnx's reference")
    target = target_of(gpu, "fp32")
    if workgroups is not None:
        target = replace(target, workgroups=workgroups)
    session = WgpuSession(gpu, Prepared(graph, make_plan(graph, target), "fp32"))
    return session, {info.name: feeds[info.name] for info in session.inputs}, fixed


def _differs(actual: np.ndarray, expected: np.ndarray, case: Any) -> str:
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, not {expected.shape}"
    if actual.dtype != expected.dtype:
        return f"type {actual.dtype}, not {expected.dtype}"
    try:
        # onnx's own runner compares this way, with these tolerances.
        np.testing.assert_allclose(actual, expected, rtol=case.rtol, atol=case.atol)
    except AssertionError as error:
        return " ".join(str(error).split())[:240]
    return ""


def _array(value: Any) -> np.ndarray | None:
    """An input or output of a case as an array; None for sequences, optionals and maps."""
    if isinstance(value, onnx.TensorProto):
        return np.asarray(onnx.numpy_helper.to_array(value))
    return np.asarray(value) if isinstance(value, np.ndarray | np.generic) else None


def run_case(gpu: Gpu, case: Any, folder: Path, workgroups: int | None = None) -> Outcome:
    """Run every data set of a case; `workgroups`: with the kernels of a GPU that so many fill."""
    ops = operators_of(case)
    if case.name in EXCLUDED:
        return Outcome(case.name, ops, "refused", EXCLUDED[case.name])
    path = folder / "model.onnx"
    path.write_bytes(case.model.SerializeToString())
    names = [info.name for info in case.model.graph.input]
    for inputs, outputs in case.data_sets:
        inputs, outputs = ([_array(each) for each in arrays] for arrays in (inputs, outputs))
        if any(each is None for each in (*inputs, *outputs)):
            return Outcome(case.name, ops, "refused", "sequences, optionals or maps")
        feeds = dict(zip(names, inputs, strict=False))
        try:
            session, feeds, fixed = _build(gpu, path, feeds, workgroups)
            try:
                results = list(session.run(feeds).values())
            finally:
                session.close()
        except ModelUnsupportedError as error:
            return Outcome(case.name, ops, "refused", "; ".join(error.reasons) or str(error))
        except LightloomError as error:
            return Outcome(case.name, ops, "wrong", f"{type(error).__name__}: {error}")
        except Exception as error:  # whatever it is, the engine failed in an unplanned way
            return Outcome(case.name, ops, "wrong", f"{type(error).__name__}: {error}"[:600])
        if set(ops) & _BY_DATA and all(name in fixed for name in names):
            return Outcome(
                case.name, ops, "refused", "only computed when the session is built: its data decides shapes"
            )
        for actual, expected in zip(results, outputs, strict=True):
            difference = _differs(actual, expected, case)
            if difference:
                return Outcome(case.name, ops, "wrong", difference)
    return Outcome(case.name, ops, "passed")


def select(ops: Sequence[str], names: Sequence[str]) -> list[Any]:
    """The cases that hold one of `ops` and whose name begins with one of `names`; empty lists select all."""
    return [
        case
        for case in all_cases()
        if (not ops or set(ops) & set(operators_of(case)))
        and (not names or any(case.name.startswith(name) for name in names))
    ]


def run_cases(gpu: Gpu, cases: Iterable[Any], workgroups: int | None = None) -> list[Outcome]:
    """Run cases one after the other; `workgroups`: as of `run_case`."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [run_case(gpu, case, Path(folder), workgroups) for case in cases]


def print_table(outcomes: Sequence[Outcome], verbose: bool) -> None:
    """Counts, and refusals by operator with their reasons."""
    refused: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        if outcome.status == "wrong" or verbose:
            print(f"{outcome.status:8} {outcome.name}: {outcome.reason}")
        if outcome.status == "refused":
            key = outcome.ops[0] if len(outcome.ops) == 1 else "(several operators)"
            refused[key][outcome.reason.split("): ")[-1][:100]] += 1
    print("Refused, by operator:")
    for op, reasons in sorted(refused.items()):
        listed = "; ".join(f"{reason} x{count}" for reason, count in reasons.most_common(3))
        print(f"  {op} {sum(reasons.values())}: {listed}")
    counts = Counter(outcome.status for outcome in outcomes)
    print(
        f"passed {counts['passed']}, refused {counts['refused']}, wrong {counts['wrong']} of {len(outcomes)}"
    )


def main() -> int:
    """Return 1 where a case is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", default="")
    parser.add_argument("--names", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cases = select(*([each for each in text.split(",") if each] for text in (options.ops, options.names)))
    gpu = Gpu.open(None)
    outcomes = run_cases(gpu, cases)
    gpu.close()
    if options.json:
        print(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))
    else:
        print_table(outcomes, options.verbose)
    return int(any(outcome.status == "wrong" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
