"""Matrix products that a subgroup computes at once (tensor cores), as an adapter lists them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MatrixConfiguration:
    """One product: (m, k) times (k, n) gives (m, n).

    Attributes:
        component: WGSL type of the factors: 'f16', 'f32', 'u8', 'i8' ...
        result: type of the sums.
        subgroup: threads that share a matrix; 0 if that varies between pipelines.
    """

    component: str
    result: str
    m: int
    n: int
    k: int
    subgroup: int
