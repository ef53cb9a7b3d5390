"""Rewrites of the graph, one a file, in the order in which they run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from desktop.base.errors import ModelError
from desktop.compute.nn.ir import verify
from desktop.compute.nn.ir.graph import Graph, Value
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.passes.attention import fuse_attention
from desktop.compute.nn.passes.batch_norm import fold_batch_norm
from desktop.compute.nn.passes.elementwise import make_elementwise
from desktop.compute.nn.passes.epilogue import fuse_epilogues
from desktop.compute.nn.passes.gelu import fuse_gelu
from desktop.compute.nn.passes.group_normalization import fuse_group_normalizations
from desktop.compute.nn.passes.identity import remove_identities
from desktop.compute.nn.passes.input_map import fold_sources
from desktop.compute.nn.passes.join_normalizations import join_normalizations
from desktop.compute.nn.passes.merge_convolutions import merge_convolutions
from desktop.compute.nn.passes.merge_products import merge_products
from desktop.compute.nn.passes.merge_rows import merge_rows
from desktop.compute.nn.passes.normalization import fuse_normalizations
from desktop.compute.nn.passes.pooling import make_global_pools
from desktop.compute.nn.passes.product_orders import fold_transposes
from desktop.compute.nn.passes.quantization import rewrite_as_integers
from desktop.compute.nn.passes.reshapes import sink_reshapes
from desktop.compute.nn.passes.sink_resizes import sink_resizes
from desktop.compute.nn.passes.split_products import split_products
from desktop.compute.nn.passes.swish import fuse_swish
from desktop.compute.nn.passes.transposes import sink_transposes
from desktop.compute.nn.passes.unused import remove_unused

PASSES: Final[tuple[Callable[[Graph], Graph], ...]] = (
    remove_unused,
    remove_identities,
    sink_transposes,
    rewrite_as_integers,
    merge_products,
    fuse_attention,
    remove_unused,
    split_products,
    merge_rows,
    fold_transposes,
    merge_convolutions,
    fold_batch_norm,
    sink_resizes,
    fuse_normalizations,
    fuse_group_normalizations,
    make_global_pools,
    fuse_swish,
    fuse_gelu,
    sink_reshapes,
    remove_unused,
    make_elementwise,
    fuse_epilogues,
    fold_sources,
    remove_unused,
    join_normalizations,
)


def optimize(graph: Graph, passes: Sequence[Callable[[Graph], Graph]] | None = None) -> Graph:
    """Run passes (default: all) on a graph of known shapes; with LIGHTLOOM_VERIFY, GraphError for a fault."""
    check = _verify if verify.is_enabled() else None
    if check:
        check(graph, "the inference of shapes")
    for each in PASSES if passes is None else passes:
        graph = each(graph)
        if check:
            check(graph, each.__name__)
    return graph


def _verify(graph: Graph, after: str) -> None:
    """Check the graph's invariants, and that results of plain nodes have their declared sizes."""
    verify.verify(graph, after)
    for node in graph.nodes:
        if not node.is_plain or not node.inputs:
            continue
        given = [graph.values[name] if name else Value("", (), "") for name in node.inputs]
        with suppress(ModelError):  # what a pass makes may have no operands that only say a shape
            for value in OPERATORS[node.op].infer(node, given, graph.constants):
                known = graph.values.get(value.name)
                if known is not None and math.prod(value.shape) != math.prod(known.shape):
                    raise verify.GraphError(f"after {after}: {node} gives {value.shape}, not {known.shape}")
