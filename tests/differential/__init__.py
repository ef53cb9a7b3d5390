"""A differential fuzzer of the network engine: random valid graphs, computed by it and by ONNX Runtime.

    PYTHONPATH=.:tests python -m differential --seeds 0:20000 --processes 16 --report report.json

needs numpy, onnx, onnxruntime, wgpu, cffi and the checkout: no pytest, no Qt, no PyAV. A seed always makes
the same graph with the same inputs. `maker.py` builds graphs, `operators.py` and `chains.py` say of what,
`oracle.py` computes what is right and how far off a right engine may be, `case.py` runs a seed, `halves.py`
and `half_chains.py` are the same for 16 bits (--precision fp16), `shrink.py` makes a failing graph small,
`__main__.py` gives seeds to processes.
"""
