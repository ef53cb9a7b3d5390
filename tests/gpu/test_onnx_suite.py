"""ONNX's own node suite on the wgpu engine: nothing wrong, and no fewer cases passed than before. See
tests/onnx_suite.py.
"""

from __future__ import annotations

from collections import Counter

import onnx_suite
import pytest

PASSED = 1706
"""With onnx 1.23; ONNX Runtime's WebGPU provider without its CPU provider passes 536 and gets 6 wrong."""


@pytest.fixture(scope="module", params=[None, 132], ids=["as it is", "as a large GPU"])
def outcomes(gpu, request):
    """All cases, by the kernels that this adapter gets, and by those of a large GPU."""
    return onnx_suite.run_cases(gpu, onnx_suite.all_cases(), request.param)


def test_no_case_is_wrong(outcomes):
    assert [f"{each.name}: {each.reason}" for each in outcomes if each.status == "wrong"] == []


def test_cases_passed(outcomes):
    counts = Counter(each.status for each in outcomes)
    onnx_suite.print_table(outcomes, verbose=False)
    # Other versions of onnx have other cases; most of them are the same.
    assert counts["passed"] >= PASSED * len(outcomes) / 1884 * 0.99


def test_every_refusal_says_what_is_not_supported(outcomes):
    assert all(each.reason for each in outcomes if each.status == "refused")
