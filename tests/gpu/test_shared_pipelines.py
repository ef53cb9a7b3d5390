"""Pipelines are shared while they are used, and do not pile up with all that was ever opened."""

from __future__ import annotations

import gc
import weakref

CODE = "@compute @workgroup_size(1) fn main() {{ var x = {number}u; x += 1u; _ = x; }}"


def test_pipelines_that_nobody_holds_are_let_go(gpu):
    layouts = [gpu.bind_group_layout([])]

    def make(number):
        return gpu.compute_pipeline(
            CODE.format(number=number), "main", label=f"{number}.wgsl", layouts=layouts
        )

    held = make(0)
    others = [weakref.ref(make(number)) for number in range(1, 200)]
    gc.collect()
    alive = sum(other() is not None for other in others)
    assert 0 < alive < 100, "those used last are kept, and no more"
    assert make(0) is held
