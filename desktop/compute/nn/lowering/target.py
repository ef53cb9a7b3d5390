"""Properties of the device that a plan is made for and its kernels depend on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A compilation target.

    Attributes:
        dtype: element type of inner tensors and weights, 'float16' or 'float32'.
        f16: the device has `shader-f16`.
        workgroups: how many workgroups fill the GPU (1 for a software adapter).
        max_binding: bytes of the largest storage buffer binding.
        max_groups: largest number of workgroups in a dimension.
        max_storages: storage buffers a stage.
        workgroup_memory: bytes of workgroup memory.
        subgroup: threads of a subgroup whose sums a kernel may take; 0 if subgroups are not available or vary.
        matrices: subgroups multiply matrices of 16 x 16 float16 (`subgroup_matrix.py`).
        byte_matrices: subgroups multiply matrices of int8, 16 x 32 by 32 x 16 (`byte_matrix.py`).
        rounds: most rounds of the loops of one thread together; 0 for no limit (see rounds.py).
    """

    dtype: str
    f16: bool
    workgroups: int
    max_binding: int
    max_groups: int
    max_storages: int
    workgroup_memory: int = 16384
    subgroup: int = 0
    matrices: bool = False
    byte_matrices: bool = False
    rounds: int = 0

    @property
    def is_software(self) -> bool:
        """Return True for an adapter that computes on the CPU."""
        return self.workgroups == 1
