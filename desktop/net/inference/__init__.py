"""Client of the Open Inference Protocol, version 2 (github.com/open-inference/open-inference-protocol)."""
