"""Folders of diffusion pipelines: one file of a whole folder is another one; nothing is computed.

An input is the file's name in the folder, a line's end, and its bytes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import tiny_pipeline as tiny

from desktop.base.errors import LightloomError
from desktop.vision.diffusion.folder import Folder, read_folder
from desktop.vision.diffusion.live import LiveFolder, LiveSettings
from desktop.vision.diffusion.memory import needs_of
from desktop.vision.diffusion.plan import Wish, make_plan
from desktop.vision.diffusion.schedulers import scheduler_names
from desktop.vision.diffusion.text import tokenizer_of
from fuzz.harness import Finding, Harness
from fuzz.json_mutation import mutated_json
from fuzz.material import written

_NAMES = (
    "model_index.json",
    "scheduler/scheduler_config.json",
    "tokenizer/vocab.json",
    "tokenizer/merges.txt",
    "tokenizer/tokenizer.json",
    "tokenizer/tokenizer_config.json",
    "text_encoder/config.json",
    "text_encoder/model.onnx",
    "unet/config.json",
    "unet/model.onnx",
    "unet/model.onnx_data",
    "vae_decoder/config.json",
    "vae_decoder/model.onnx",
    "vae_encoder/model.onnx",
    "taesd_decoder.onnx",
    "taesd_encoder/config.json",
)
_PROMPTS = ("", "a cat, 'b' c!", "Ünïcode \u200d 🦁 " * 40)
_MOST_STEPS = 1000


def _read(data: bytes, folder: Path) -> None:
    name, _, content = data.partition(b"\n")
    if name.decode("latin-1") not in _NAMES:
        return
    whole = folder / "whole"
    if not whole.exists():
        tiny.write_pipeline(whole)
    pipe = folder / "pipe"
    shutil.rmtree(pipe, ignore_errors=True)
    shutil.copytree(whole, pipe)
    path = pipe / name.decode("latin-1")
    path.parent.mkdir(exist_ok=True)
    if path.name == "tokenizer.json":
        (path.parent / "vocab.json").unlink()
    written(path, content)
    _use(read_folder(pipe))


def _use(folder: Folder) -> None:
    said: LightloomError | None = None
    try:
        tokenizer = tokenizer_of(folder)
        for prompt in _PROMPTS:
            ids = tokenizer.encode(prompt).ids
            if ids.shape != (tokenizer.length,) or ids.min() < 0:
                raise Finding(f"tokens {ids.shape}")
    except LightloomError as error:
        said = error
    wishes = [Wish(prompt="a"), Wish(prompt="a", picture=(640, 480), strength=0.3)]
    wishes += [
        Wish(prompt="a", steps=steps, scheduler=name) for name in scheduler_names() for steps in (1, 4, 50)
    ]
    for wish in wishes:
        try:
            plan = make_plan(folder, wish)
        except LightloomError as error:
            said = error
            continue
        if not 1 <= len(plan.trajectory.steps) <= _MOST_STEPS + 1:
            raise Finding(f"{len(plan.trajectory.steps)} steps")
        if any(need.device < 0 for need in needs_of(folder, plan)):
            raise Finding("memory below zero")
    for steps in (1, 4):
        for strength in (0.0, 0.37, 1.0):
            try:
                LiveFolder(folder, (128, 64), "more").plan(
                    LiveSettings(steps=steps, strength=strength, guidance=3.0)
                )
            except LightloomError as error:
                said = error
    if said is not None:
        raise said


def _mutate(data: bytes, random: Random) -> bytes | None:
    name, _, content = data.partition(b"\n")
    if not name.endswith(b".json"):
        return None
    changed = mutated_json(content, random)
    return None if changed is None else name + b"\n" + changed


def _seeds(folder: Path) -> list[bytes]:
    pipe = tiny.write_pipeline(folder / "seed")
    words = json.loads((pipe / "tokenizer/vocab.json").read_bytes())
    merges = [merge.split() for merge in tiny.MERGES]
    model = {"model": {"type": "BPE", "vocab": words, "merges": merges}}
    tiny.write_json(pipe / "tokenizer/tokenizer.json", model)
    tiny.write_json(pipe / "text_encoder/config.json", {"hidden_size": 8, "vocab_size": 14})
    coder = {
        "_class_name": "AutoencoderTiny",
        "scaling_factor": 1.0,
        "shift_factor": 0.5,
        "block_out_channels": [4, 4, 4, 4],
    }
    for kind in ("vae_decoder", "taesd_encoder"):
        tiny.write_json(pipe / kind / "config.json", coder)
    tiny.write_decoder(pipe / "taesd_decoder.onnx")
    made = [name.encode() + b"\n" + (pipe / name).read_bytes() for name in _NAMES if (pipe / name).exists()]
    schedule = json.loads((pipe / "scheduler/scheduler_config.json").read_bytes())
    for name in ("LCMScheduler", "PNDMScheduler", "DDIMScheduler", "DPMSolverMultistepScheduler"):
        more = {
            "_class_name": name,
            "num_train_timesteps": 1000,
            "beta_start": 0.00085,
            "beta_end": 0.012,
            "prediction_type": "v_prediction",
            "timestep_spacing": "trailing",
            "steps_offset": 1,
            "clip_sample": True,
            "use_karras_sigmas": True,
            "skip_prk_steps": True,
            "original_inference_steps": 50,
            "trained_betas": None,
            "solver_order": 2,
        }
        made.append(b"scheduler/scheduler_config.json\n" + json.dumps({**schedule, **more}).encode())
    return made


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"scheduler/scheduler_config.json\n{",
        b"tokenizer/merges.txt\n",
        b"unet/config.json\n{",
        b"<|endoftext|>",
        b"<|startoftext|>",
        b"</w>",
        b"_class_name",
        b"num_train_timesteps",
        b"in_channels",
        b"location",
        b"../x",
        b"encoder_hidden_states",
        b"timestep",
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\xff\xfe",
        b"\xed\xa0\x80",
    ),
    mutate=_mutate,
    memory_mb=600,
    largest=1 << 17,
)
