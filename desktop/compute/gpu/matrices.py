"""Matrices that a subgroup multiplies at once (tensor cores), as an adapter lists them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MatrixConfiguration:
    """One product: (m, k) times (k, n) gives (m, n).

    Attributes:
        component: type of the factors in WGSL's words: 'f16', 'f32', 'u8', 'i8' ...
        result: type of the sums.
        m: rows of the first factor.
        n: columns of the second one.
        k: what is summed over.
        subgroup: threads that have a matrix between them; 0 where that changes from one pipeline to the next.
    """

    component: str
    result: str
    m: int
    n: int
    k: int
    subgroup: int
