"""RNN, GRU and LSTM against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check_node

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def _operands(op, directions, *, steps=4, batch=2, size=3, hidden=5):
    rng = np.random.default_rng(7)
    gates = GATES[op]
    shapes = {
        "X": (steps, batch, size),
        "W": (directions, gates * hidden, size),
        "R": (directions, gates * hidden, hidden),
        "B": (directions, 2 * gates * hidden),
    }
    feeds = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    feeds["lens"] = None
    feeds["h"] = rng.standard_normal((directions, batch, hidden)).astype(np.float32)
    if op == "LSTM":
        feeds["c"] = rng.standard_normal((directions, batch, hidden)).astype(np.float32)
        feeds["P"] = rng.standard_normal((directions, 3 * hidden)).astype(np.float32)
    return feeds


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_all_operands(gpu, tmp_path, op, direction):
    feeds = _operands(op, 2 if direction == "bidirectional" else 1)
    outputs = ("y", "y_h", "y_c") if op == "LSTM" else ("y", "y_h")
    check_node(gpu, tmp_path, op, feeds, outputs=outputs, tolerance=1e-5, direction=direction, hidden_size=5)


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_sequence_lengths(gpu, tmp_path, op, direction):
    feeds = {**_operands(op, 1), "lens": np.array([4, 2], np.int32)}
    check_node(
        gpu, tmp_path, op, feeds, outputs=("y", "y_h"), tolerance=1e-5, direction=direction, hidden_size=5
    )


def test_gru_reset_after_the_product(gpu, tmp_path):
    check_node(
        gpu, tmp_path, "GRU", _operands("GRU", 1), outputs=("y", "y_h"), tolerance=1e-5,
        hidden_size=5, linear_before_reset=1,
    )  # fmt: skip


def test_activations_and_clip(gpu, tmp_path):
    check_node(
        gpu, tmp_path, "RNN", _operands("RNN", 2), outputs=("y", "y_h"), tolerance=1e-5,
        hidden_size=5, direction="bidirectional", activations=["LeakyRelu", "HardSigmoid"],
        activation_alpha=[0.3, 0.25], activation_beta=[0.4], clip=0.75,
    )  # fmt: skip
