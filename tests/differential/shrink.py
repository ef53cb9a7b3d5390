"""Makes a failing graph smaller while it still fails in the same way."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx

from desktop.compute.nn.session import Precision
from differential.case import Finding, check, make
from differential.oracle import Refused, model_of, reads, tensor_type


class _Graph:
    def __init__(self, nodes, opset, arrays, inputs, constants, outputs) -> None:
        self.nodes, self.opset, self.arrays = nodes, opset, arrays
        self.inputs, self.constants, self.outputs = inputs, constants, outputs

    def pruned(self) -> _Graph:
        """Without what no output needs."""
        needed, kept = set(self.outputs), []
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                needed.update(reads(node, self.arrays))
                kept.append(node)
        made = {name for node in kept for name in node.output}
        inputs = [n for n in self.inputs if n in needed and n not in made]
        constants = {n for n in self.constants if n in needed and n not in made}
        return _Graph(kept[::-1], self.opset, self.arrays, inputs, constants, self.outputs)

    def model(self) -> onnx.ModelProto:
        outputs = {n: tensor_type(self.arrays[n]) for n in self.outputs}
        inputs = {n: self.arrays[n] for n in self.inputs}
        return model_of(
            self.nodes, self.opset, inputs, outputs, {n: self.arrays[n] for n in sorted(self.constants)}
        )

    def feeds(self) -> dict[str, np.ndarray]:
        return {n: self.arrays[n] for n in self.inputs}


def shrink(
    gpu, seed: int, kind: str, *, precision: Precision = "fp32"
) -> tuple[onnx.ModelProto, dict[str, np.ndarray], Finding]:
    """The smallest failing graph that greedy steps find: fewer outputs, cuts at inner values, nodes left out."""
    g = make(seed, precision=precision)
    found = _Graph(
        list(g.nodes), g.opset, g.arrays, list(g.inputs), set(g.constants), list(g.wanted)
    ).pruned()
    finding = check(gpu, seed, found.model(), found.feeds(), precision=precision)
    assert finding is not None

    def still(candidate: _Graph) -> Finding | None:
        if not candidate.nodes or not candidate.outputs:
            return None
        try:
            result = check(gpu, seed, candidate.model(), candidate.feeds(), precision=precision)
        except (Refused, Exception):
            return None
        return result if result is not None and result.kind == kind else None

    changed = True
    while changed:
        changed = False
        for candidate in _smaller(found):
            result = still(candidate)
            if result is not None:
                found, finding, changed = candidate, result, True
                break
    return found.model(), found.feeds(), finding


def _smaller(graph: _Graph):
    if len(graph.outputs) > 1:
        for name in graph.outputs:
            yield _with(graph, outputs=[name])
        for name in graph.outputs:
            yield _with(graph, outputs=[n for n in graph.outputs if n != name])
    made = [name for node in graph.nodes for name in node.output if name and name not in graph.outputs]
    for name in reversed(made):  # a computed value becomes an input
        nodes = [_without(node, name) for node in graph.nodes]
        yield _with(graph, nodes=nodes, inputs=[*graph.inputs, name])
    for name in filter(None, made):  # an inner value becomes the only output
        yield _with(graph, outputs=[name])
    for at, node in enumerate(graph.nodes):  # a node is left out
        first = node.output[0]
        if not first:
            continue
        for source in node.input:
            if (
                not source
                or first in graph.outputs
                or graph.arrays[source].shape != graph.arrays[first].shape
            ):
                continue
            if graph.arrays[source].dtype == graph.arrays[first].dtype and len(node.output) == 1:
                nodes = [_renamed(each, first, source) for i, each in enumerate(graph.nodes) if i != at]
                yield _with(graph, nodes=nodes)


def _with(graph: _Graph, **changes) -> _Graph:
    found = copy.copy(graph)
    for name, value in changes.items():
        setattr(found, name, value)
    return found.pruned()


def _without(node, name):
    if name not in node.output:
        return node
    found = onnx.NodeProto()
    found.CopyFrom(node)
    del found.output[:]
    found.output.extend("" if n == name else n for n in node.output)
    return found


def _renamed(node, old, new):
    found = onnx.NodeProto()
    found.CopyFrom(node)
    del found.input[:]
    found.input.extend(new if n == old else n for n in node.input)
    return found


def write(folder: Path, finding: Finding, model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> Path:
    """The model, its inputs and a line of description."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed{finding.seed}_{finding.kind}.onnx"
    model = copy.deepcopy(model)
    model.doc_string = f"seed {finding.seed}: {finding.kind}: {finding.detail}"
    onnx.save(model, path)
    np.savez(path.with_suffix(".npz"), **feeds)
    text = f"{finding.kind}: {finding.detail}\n{onnx.printer.to_text(model)[:4000]}\n"
    path.with_suffix(".txt").write_text(text, encoding="utf-8")
    return path
