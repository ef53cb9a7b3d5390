"""Replace calls of a model's functions, and operators that ONNX defines by one (Attention), by their bodies.

The onnx package inlines without limit, so the functions are first checked for cycles and growth.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, Final

import onnx
from google.protobuf.message import DecodeError
from onnx import inliner

LARGEST: Final = 20_000
"""Most nodes of a model after inlining its functions."""


def calls(nodes: Any, depth: int = 0) -> Iterator[Any]:
    """The nodes and those of their subgraphs; raise ValueError if nested deeper than any real model's."""
    if depth > 16:
        raise ValueError("its subgraphs are nested too deeply")
    for node in nodes:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from calls(attribute.g.node, depth + 1)
            for graph in attribute.graphs:
                yield from calls(graph.node, depth + 1)


def inlined(model: Any, operators: Container[str]) -> Any:
    """Return the model with known functions inlined; raise ValueError if they are cyclic or grow too much."""
    check_growth(model, LARGEST)
    own = {(f.domain, f.name): f for f in model.functions}
    nodes = list(calls(model.graph.node))
    opsets = {o.domain: o.version for each in (model, *model.functions) for o in each.opset_import}
    wanted = {
        (node.domain, node.op_type)
        for node in (*nodes, *(n for f in own.values() for n in calls(f.node)))
        if (node.domain, node.op_type) in own or _is_defined(node, opsets, operators)
    }
    if not wanted:
        return model
    try:
        return inliner.inline_selected_functions(model, sorted(wanted), False, True)
    except (RuntimeError, ValueError, TypeError, DecodeError, onnx.shape_inference.InferenceError) as error:
        if not own:
            return (
                model  # without a body these operators are refused by name, with all others that are unknown
            )
        raise ValueError(f"its functions cannot be spelt out ({str(error).splitlines()[0][:200]})") from error


def _is_defined(node: Any, opsets: dict[str, int], operators: Container[str]) -> bool:
    """True for an operator that the engine lacks and ONNX has a function for."""
    domain = "" if node.domain == "ai.onnx" else node.domain
    if (f"{domain}.{node.op_type}" if domain else node.op_type) in operators:
        return False
    try:
        schema = onnx.defs.get_schema(node.op_type, opsets.get(node.domain, opsets.get(domain, 1)), domain)
    except onnx.defs.SchemaError:
        return False
    return bool(schema.has_function or schema.has_context_dependent_function)


def check_growth(model: Any, most: int) -> None:
    """Check the size of a model's functions (forty that each double would not end).

    Raises ValueError: functions that call each other in a circle, or have more than `most` nodes.
    """
    own = {(f.domain, f.name): f for f in model.functions}
    sizes: dict[tuple[str, str], int] = {}
    open_calls: set[tuple[str, str]] = set()

    def size_of(key: tuple[str, str]) -> int:
        if key in open_calls or len(open_calls) > 64:
            raise ValueError(f"its function '{key[1]}' calls itself")
        if key not in sizes:
            open_calls.add(key)
            sizes[key] = total(list(calls(own[key].node)))
            open_calls.remove(key)
        return sizes[key]

    def total(each: list[Any]) -> int:
        keys = [(node.domain, node.op_type) for node in each]
        return sum(size_of(key) if key in own else 1 for key in keys)

    if own and total(list(calls(model.graph.node))) > most:
        raise ValueError(f"its functions spell out to more than {most} nodes")
