"""A pipeline's folder of networks with a handful of weights, written without torch: for what is read, checked
and refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, CHANNELS, LENGTH = 8, 4, 77
WORDS = ("a", "b", "c", "t", "a</w>", "b</w>", "c</w>", "t</w>", "ca", "cat</w>", "!</w>", "!")
MERGES = ("c a", "ca t</w>")


def write_json(path: Path, values: Any) -> None:
    """Write a file of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values), encoding="utf-8")


def write_network(
    path: Path,
    nodes: list[onnx.NodeProto],
    inputs: dict[str, tuple[int, list[int | str]]],
    outputs: dict[str, list[int | str]],
    weights: dict[str, np.ndarray],
    *,
    external: bool = False,
) -> None:
    """Write an ONNX file."""
    graph = helper.make_graph(
        nodes,
        path.parent.name,
        [helper.make_tensor_value_info(name, dtype, shape) for name, (dtype, shape) in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path, save_as_external_data=external, location=f"{path.name}_data", size_threshold=128)


def write_tokenizer(folder: Path) -> None:
    """Write a vocabulary of a few words of 'a', 'b', 'c', 't' and '!'."""
    words = {word: index for index, word in enumerate([*WORDS, "<|startoftext|>", "<|endoftext|>"])}
    write_json(folder / "vocab.json", words)
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(MERGES) + "\n", encoding="utf-8")
    write_json(folder / "tokenizer_config.json", {"pad_token": "<|endoftext|>", "model_max_length": LENGTH})


def write_text_encoder(path: Path, width: int = WIDTH) -> None:
    """Write embeddings that are looked up."""
    table = np.random.default_rng(1).standard_normal((len(WORDS) + 2, width)).astype(np.float32)
    write_network(
        path,
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)],
        {"input_ids": (TensorProto.INT64, ["batch", "tokens"])},
        {"last_hidden_state": ["batch", "tokens", width]},
        {"table": table},
    )


def write_unet(
    path: Path,
    *,
    channels: int = CHANNELS,
    width: int = WIDTH,
    side: int | str = "side",
    batch: int | str = "batch",
    condition: int = 0,
    more: tuple[str, ...] = (),
    has_row: bool = True,
) -> None:
    """Write a convolution to which the mean of what it attends to, and a thousandth of the timestep, are
    added.
    """
    rng = np.random.default_rng(2)
    weights = {
        "kernel": (0.2 * rng.standard_normal((channels, channels, 3, 3))).astype(np.float32),
        "project": (0.2 * rng.standard_normal((width, channels))).astype(np.float32),
        "thousandth": np.float32([0.001]),
        "axes": np.int64([2, 3]),
    }
    nodes = [
        helper.make_node("Conv", ["sample", "kernel"], ["looked"], pads=[1, 1, 1, 1]),
        helper.make_node("ReduceMean", ["encoder_hidden_states"], ["mean"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["mean", "project"], ["words"]),
        helper.make_node("Cast", ["timestep"], ["time"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["time", "thousandth"], ["small"]),
        helper.make_node("Add", ["words", "small"], ["row"]),
        helper.make_node("Unsqueeze", ["row", "axes"], ["map"]),
        helper.make_node("Add", ["looked", "map"], ["out_sample"]),
    ]
    inputs: dict[str, tuple[int, list[int | str]]] = {
        "sample": (TensorProto.FLOAT, [batch, channels, side, side]),
        "timestep": (TensorProto.INT64, [1] if has_row else []),
        "encoder_hidden_states": (TensorProto.FLOAT, [batch, "tokens", width]),
    }
    if condition:
        inputs["timestep_cond"] = (TensorProto.FLOAT, [batch, condition])
    inputs |= {name: (TensorProto.FLOAT, [batch, 6]) for name in more}
    write_network(path, nodes, inputs, {"out_sample": [batch, channels, side, side]}, weights, external=True)


def write_decoder(path: Path, channels: int = CHANNELS, factor: int = 8) -> None:
    """Write a transposed convolution that enlarges."""
    kernel = np.random.default_rng(3).standard_normal((channels, 3, factor, factor)).astype(np.float32) / 4
    write_network(
        path,
        [
            helper.make_node(
                "ConvTranspose", ["latent_sample", "kernel"], ["sample"], strides=[factor, factor]
            )
        ],
        {"latent_sample": (TensorProto.FLOAT, ["batch", channels, "h", "w"])},
        {"sample": ["batch", 3, "H", "W"]},
        {"kernel": kernel},
    )


def write_encoder(path: Path, channels: int = 2 * CHANNELS, factor: int = 8) -> None:
    """Write a convolution that makes means and variances."""
    kernel = np.random.default_rng(4).standard_normal((channels, 3, factor, factor)).astype(np.float32) / 16
    write_network(
        path,
        [helper.make_node("Conv", ["sample", "kernel"], ["latent_parameters"], strides=[factor, factor])],
        {"sample": (TensorProto.FLOAT, ["batch", 3, "h", "w"])},
        {"latent_parameters": ["batch", channels, "H", "W"]},
        {"kernel": kernel},
    )


def write_pipeline(folder: Path) -> Path:
    """Write a whole folder; return it."""
    folder.mkdir(parents=True)
    write_json(folder / "model_index.json", {"_class_name": "StableDiffusionPipeline"})
    write_json(
        folder / "scheduler/scheduler_config.json",
        {
            "_class_name": "EulerDiscreteScheduler",
            "beta_schedule": "scaled_linear",
            "timestep_spacing": "leading",
        },
    )
    write_tokenizer(folder / "tokenizer")
    write_text_encoder(folder / "text_encoder/model.onnx")
    write_unet(folder / "unet/model.onnx")
    write_json(folder / "unet/config.json", {"sample_size": 8})
    write_decoder(folder / "vae_decoder/model.onnx")
    write_encoder(folder / "vae_encoder/model.onnx")
    return folder
