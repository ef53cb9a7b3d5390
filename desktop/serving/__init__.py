"""Server of the Open Inference Protocol (v2) over HTTP and gRPC, for `lightloom serve` (docs/serving.md).

The front ends live on one event loop and share a `Service`. Each `ServedModel` has a bounded queue and a
`Worker`, a thread that batches requests and runs them on the sessions of its `SessionPool`.

Specification: https://github.com/open-inference/open-inference-protocol; binary tensors, statistics and
loading: https://github.com/triton-inference-server/server/tree/main/docs/protocol.
"""
