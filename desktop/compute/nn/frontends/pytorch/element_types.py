"""Infer the element types of TorchScript inputs from their use, as files only declare tensors.

An index is an integer, a condition a mask; others have the weights' type, which operators accept.
"""

from __future__ import annotations

from typing import Any, Final

_REQUIRED: Final = {
    **dict.fromkeys(
        (
            *(
                ("embedding", 1),
                ("embedding_bag", 1),
                ("embedding_bag", 2),
                ("one_hot", 0),
                ("index_select", 2),
            ),
            *(("gather", 2), ("take", 1), ("take_along_dim", 1), ("scatter", 2), ("scatter_add", 2)),
        ),
        "int64",
    ),
    **dict.fromkeys((("masked_fill", 1), ("masked_select", 1), ("where", 0)), "bool"),
}
"""By operator and place among its arguments."""
_PRESERVING: Final = frozenset(
    (
        *(
            "view",
            "reshape",
            "flatten",
            "unsqueeze",
            "squeeze",
            "permute",
            "transpose",
            "t",
            "contiguous",
            "clone",
        ),
        *(
            "detach",
            "expand",
            "expand_as",
            "repeat",
            "slice",
            "select",
            "narrow",
            "alias",
            "view_as",
            "clamp",
        ),
    )
)
"""Operators whose result has the type of their first argument."""


def element_types(graph: Any, weights: str) -> tuple[str, ...]:
    """Return the types of a graph's inputs; functions are inlined, the module itself is left out.

    `graph` is a `torch._C.Graph`, `weights` PyTorch's name of the type of the network's floats.
    """
    return tuple(_required_type(value) or weights for value in list(graph.inputs())[1:])


def _required_type(value: Any) -> str:
    """The type that something wants of a value; '' where nothing does."""
    waiting, seen = [value], {value.debugName()}
    while waiting:
        for use in waiting.pop().uses():
            node, place = use.user, use.offset
            space, _, name = str(node.kind()).partition("::")
            name = name.removesuffix("_")
            if space == "aten" and (found := _REQUIRED.get((name, place))):
                return found
            if space == "prim" and name == "ListConstruct" and _indexes(node):
                return "int64"
            if space == "aten" and name in _PRESERVING and place == 0:
                for output in node.outputs():
                    if output.debugName() not in seen:
                        seen.add(output.debugName())
                        waiting.append(output)
    return ""


def _indexes(made: Any) -> bool:
    """True for a list of indices, which `x[i, j]` is."""
    uses = next(iter(made.outputs())).uses()
    return any(str(use.user.kind()) in ("aten::index", "aten::index_put") and use.offset == 1 for use in uses)
