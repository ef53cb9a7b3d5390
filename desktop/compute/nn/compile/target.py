"""Choose the compilation target of a network from the adapter, the requested precision and the network."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.kernels import byte_matrix, subgroup_matrix
from desktop.compute.nn.kernels.matrix import IntegerDetail
from desktop.compute.nn.lowering.rounds import MOST
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.session import Precision

# WebGPU does not report the number of multiprocessors; an H100's suits large GPUs.
_WORKGROUPS: Final = {"discrete": 132, "integrated": 24, "unknown": 64, "software": 1}


def target_of(gpu: Gpu, precision: Precision, *, half: bool = False) -> Target:
    """Return the target; `half`: a float16 model. ModelUnsupportedError if fp16 is requested but missing."""
    f16 = gpu.has("shader-f16")
    if precision == "fp16" and not f16:
        raise ModelUnsupportedError(
            sentence("{adapter} has no 16-bit floats in shaders; choose fp32 or auto.", adapter=gpu.adapter),
            (sentence("{adapter} has no 16-bit floats in shaders", adapter=gpu.adapter),),
        )
    half = precision == "fp16" or (precision == "auto" and half and f16 and not gpu.adapter.is_software)
    limits = gpu.limits
    return Target(
        dtype="float16" if half else "float32",
        f16=f16,
        workgroups=_WORKGROUPS[gpu.adapter.kind],
        max_binding=min(limits["max-storage-buffer-binding-size"], limits["max-buffer-size"]),
        max_groups=limits["max-compute-workgroups-per-dimension"],
        max_storages=limits["max-storage-buffers-per-shader-stage"],
        workgroup_memory=limits["max-compute-workgroup-storage-size"],
        subgroup=next((each.subgroup for each in gpu.matrices if each.subgroup), 0),
        matrices=half and subgroup_matrix.CONFIGURATION in gpu.matrices,
        byte_matrices=byte_matrix.CONFIGURATION in gpu.matrices,
        rounds=MOST if gpu.adapter.is_software else 0,
    )


def is_half(graph: Graph) -> bool:
    """Return True for a network whose inputs are 16-bit floats."""
    return any(graph.values[name].dtype == "float16" for name in graph.inputs)


def arithmetic_of(target: Target, graph: Graph) -> tuple[Target, str]:
    """Return the target with the graph's storage type, and the session's `precision`.

    8-bit networks use exact integers, float32 between: in float16 shufflenet-v2-12-int8 was 6% off.
    """
    if any(node.detail(IntegerDetail) for node in graph.nodes):
        return replace(target, dtype="float32", matrices=False), "int8"
    return target, "fp16" if target.dtype == "float16" else "fp32"
