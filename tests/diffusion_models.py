"""Folders as diffusers and Optimum export them, of the shapes of SD 1.5, BK-SDM-Tiny and SD-Turbo, with
random weights.

Needs torch, diffusers and transformers, the extra `training`; CLIP's own vocabulary is used where
open_clip_torch is installed, which needs torchvision and timm and so is not asked for. A folder keeps its
torch modules too: they are the reference.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx

CLIP_LENGTH = 77
# Of a vocabulary of 49,408: 256 bytes, the same at a word's end, start and end are the rest.
MERGES = 49152 - 256 - 2


@dataclass(frozen=True)
class Shape:
    """Widths and blocks of a pipeline's networks.

    Attributes:
        widths: of the UNet's levels; its blocks are those of the full size.
        layers: ResNets of each block.
        heads: of attention ('attention_head_dim', which diffusers takes for their number).
        text_width, text_layers, text_heads, act: of the text encoder.
        mid: the UNet has a block in the middle, which BK-SDM-Tiny lacks.
        linear: the attention's projections are matrices (SD 2) and not convolutions.
        condition: width of an LCM's `timestep_cond`; 0 without.
    """

    widths: tuple[int, ...] = (32, 32, 64, 64)
    layers: int = 1
    heads: int | tuple[int, ...] = 4
    text_width: int = 32
    text_layers: int = 2
    text_heads: int = 4
    act: str = "quick_gelu"
    mid: bool = True
    linear: bool = False
    condition: int = 0
    pad: str = "<|endoftext|>"
    scheduler: str = "EulerDiscreteScheduler"
    spacing: str = "leading"


SD15 = Shape(layers=2)
BK_SDM_TINY = Shape(widths=(32, 32, 64), mid=False)
SD_TURBO = Shape(
    layers=2,
    heads=(2, 4, 4, 4),
    text_width=48,
    text_layers=3,
    act="gelu",
    linear=True,
    pad="!",
    spacing="trailing",
)
LCM = Shape(widths=(32, 32, 64), mid=False, condition=32, scheduler="LCMScheduler")
SHAPES = {"sd15": SD15, "bk_sdm_tiny": BK_SDM_TINY, "sd_turbo": SD_TURBO, "lcm": LCM}
_WIDTHS = (320, 640, 1280, 1280)
FULL = {
    "sd15": replace(SD15, widths=_WIDTHS, heads=8, text_width=768, text_layers=12, text_heads=12),
    "bk_sdm_tiny": replace(
        BK_SDM_TINY, widths=_WIDTHS[:3], heads=8, text_width=768, text_layers=12, text_heads=12
    ),
    "sd_turbo": replace(
        SD_TURBO, widths=_WIDTHS, heads=(5, 10, 20, 20), text_width=1024, text_layers=23, text_heads=16
    ),
}
"""The same at the sizes that were published: 860, 323 and 866 M weights in the UNet."""


def unet_of(shape: Shape, **overrides: Any) -> Any:
    """diffusers' UNet of a shape: attention at all levels but the last, as in SD; without the middle, at all
    three.
    """
    from diffusers import UNet2DConditionModel

    plain = len(shape.widths) - (1 if shape.mid else 0)
    down = ["CrossAttnDownBlock2D"] * plain + ["DownBlock2D"] * (len(shape.widths) - plain)
    up = ["UpBlock2D"] * (len(shape.widths) - plain) + ["CrossAttnUpBlock2D"] * plain
    settings = {
        "sample_size": 8,
        "in_channels": 4,
        "out_channels": 4,
        "down_block_types": tuple(down),
        "up_block_types": tuple(up),
        "mid_block_type": "UNetMidBlock2DCrossAttn" if shape.mid else None,
        "block_out_channels": shape.widths,
        "layers_per_block": shape.layers,
        "cross_attention_dim": shape.text_width,
        "attention_head_dim": shape.heads,
        "use_linear_projection": shape.linear,
        "time_cond_proj_dim": shape.condition or None,
        **overrides,
    }
    return UNet2DConditionModel(**settings).eval()


def text_encoder_of(shape: Shape, vocabulary: int = 49408) -> Any:
    """transformers' CLIP text encoder of a shape."""
    from transformers import CLIPTextConfig, CLIPTextModel

    config = CLIPTextConfig(
        vocab_size=vocabulary,
        hidden_size=shape.text_width,
        intermediate_size=4 * shape.text_width,
        num_hidden_layers=shape.text_layers,
        num_attention_heads=shape.text_heads,
        max_position_embeddings=CLIP_LENGTH,
        hidden_act=shape.act,
        projection_dim=shape.text_width,
        bos_token_id=49406,
        eos_token_id=49407,
    )
    return CLIPTextModel(config).eval()


def vae_of(widths: tuple[int, ...] = (32, 32, 32, 32), layers: int = 1) -> Any:
    """diffusers' AutoencoderKL, an eighth of the picture's sides for four widths."""
    from diffusers import AutoencoderKL

    blocks = len(widths)
    return AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * blocks,
        up_block_types=("UpDecoderBlock2D",) * blocks,
        block_out_channels=widths,
        layers_per_block=layers,
        latent_channels=4,
        sample_size=8 << (blocks - 1),
    ).eval()


def tiny_vae_of(width: int = 16, blocks: int = 1) -> Any:
    """diffusers' AutoencoderTiny (TAESD, whose width is 64, with 3 blocks), an eighth of the picture's sides."""
    from diffusers import AutoencoderTiny

    return AutoencoderTiny(
        encoder_block_out_channels=(width,) * 4,
        decoder_block_out_channels=(width,) * 4,
        num_encoder_blocks=(1, *(blocks,) * 3),
        num_decoder_blocks=(*(blocks,) * 3, 1),
    ).eval()


@dataclass(frozen=True)
class Exported:
    """A folder with the torch modules that it was exported from."""

    path: Path
    shape: Shape
    unet: Any
    text_encoder: Any
    vae: Any

    @property
    def parameters(self) -> int:
        modules = (self.unet, self.text_encoder, self.vae)
        return sum(p.numel() for module in modules for p in module.parameters())


def export(
    folder: Path, name: str, *, tiny: bool = False, full: bool = False, half: bool = False, seed: int = 7
) -> Exported:
    """Make the folder of one of SHAPES or, `full`, of FULL.

    Args:
        tiny: it has an AutoencoderTiny instead of the VAE.
        half: weights, inputs and outputs are 16-bit floats, as many published folders have them.
        seed: of the weights.
    """
    import torch

    torch.manual_seed(seed)
    shape = (FULL if full else SHAPES)[name]
    if tiny:
        vae = tiny_vae_of(64, 3) if full else tiny_vae_of()
    else:
        vae = vae_of((128, 256, 512, 512), 2) if full else vae_of()
    made = Exported(folder, shape, unet_of(shape), text_encoder_of(shape), vae)
    if half:
        for module in (made.unet, made.text_encoder, made.vae):
            module.half()
    folder.mkdir(parents=True, exist_ok=True)
    write_json(
        folder / "model_index.json",
        {
            "_class_name": "LatentConsistencyModelPipeline" if shape.condition else "StableDiffusionPipeline",
            "_diffusers_version": "0.42.1",
            "scheduler": ["diffusers", shape.scheduler],
            "text_encoder": ["optimum", "ORTModelTextEncoder"],
            "tokenizer": ["transformers", "CLIPTokenizer"],
            "unet": ["optimum", "ORTModelUnet"],
            "vae_decoder": ["optimum", "ORTModelVaeDecoder"],
            "vae_encoder": ["optimum", "ORTModelVaeEncoder"],
            "safety_checker": [None, None],
        },
    )
    write_tokenizer(folder / "tokenizer", shape.pad)
    write_json(folder / "scheduler/scheduler_config.json", scheduler_config(shape))
    with torch.no_grad():
        _export_text_encoder(made)
        export_unet(folder, shape, made.unet)
        _export_vae(made)
    return made


def scheduler_config(shape: Shape) -> dict[str, Any]:
    """What SD's folders say of their scheduler."""
    return {
        "_class_name": shape.scheduler,
        "beta_start": 0.00085,
        "beta_end": 0.012,
        "beta_schedule": "scaled_linear",
        "clip_sample": False,
        "num_train_timesteps": 1000,
        "prediction_type": "epsilon",
        "set_alpha_to_one": False,
        "skip_prk_steps": True,
        "steps_offset": 1,
        "timestep_spacing": shape.spacing,
    }


def write_json(path: Path, values: Any) -> None:
    """Write a file of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values, indent=2), encoding="utf-8")


def clip_merges() -> list[str]:
    """CLIP's merges, from the package open_clip_torch, which is not imported; where it is missing as many
    merges of two letters.
    """
    spec = importlib.util.find_spec("open_clip")
    if spec is None or spec.submodule_search_locations is None:
        letters = clip_letters()
        return [f"{first} {second}" for first in letters for second in letters][:MERGES]
    packed = Path(spec.submodule_search_locations[0]) / "bpe_simple_vocab_16e6.txt.gz"
    lines = gzip.decompress(packed.read_bytes()).decode("utf-8").split("\n")
    return lines[1 : MERGES + 1]


def clip_letters() -> list[str]:
    """A letter for each byte: its own where that can be seen, else one behind them."""
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    hidden = 256 - len(visible)
    return [*map(chr, visible), *(chr(256 + index) for index in range(hidden))]


def clip_vocabulary(merges: list[str]) -> dict[str, int]:
    """CLIP's vocabulary: bytes, bytes at a word's end, what the merges make, start and end."""
    letters = clip_letters()
    words = [
        *letters,
        *(letter + "</w>" for letter in letters),
        *(merge.replace(" ", "") for merge in merges),
    ]
    return {word: index for index, word in enumerate([*words, "<|startoftext|>", "<|endoftext|>"])}


def write_tokenizer(folder: Path, pad: str = "<|endoftext|>") -> None:
    """Write vocab.json, merges.txt and tokenizer_config.json."""
    merges = clip_merges()
    write_json(folder / "vocab.json", clip_vocabulary(merges))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "CLIPTokenizer", "model_max_length": CLIP_LENGTH, "pad_token": pad},
    )


def _export_text_encoder(made: Exported) -> None:
    import torch

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = made.text_encoder

        def forward(self, input_ids: Any) -> Any:
            found = self.encoder(input_ids=input_ids)
            return found.last_hidden_state, found.pooler_output

    path = made.path / "text_encoder/model.onnx"
    _save(
        Encoder(),
        path,
        {"input_ids": torch.zeros(1, CLIP_LENGTH, dtype=torch.int32)},
        ("last_hidden_state", "pooler_output"),
        {"input_ids": {0: "batch_size", 1: "sequence_length"}},
    )
    write_json(path.parent / "config.json", {"hidden_size": made.shape.text_width, "vocab_size": 49408})


def export_unet(folder: Path, shape: Shape, module: Any) -> None:
    """Write `unet/` of a folder."""
    import torch

    class Unet(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.unet = module

        def forward(self, sample: Any, timestep: Any, hidden: Any, condition: Any = None) -> Any:
            return self.unet(sample, timestep, hidden, timestep_cond=condition).sample

    numbers = partial(torch.randn, dtype=module.dtype)
    feeds = {
        "sample": numbers(2, 4, 8, 8),
        "timestep": torch.tensor(5, dtype=torch.int64) if shape.spacing == "trailing" else torch.tensor([5]),
        "encoder_hidden_states": numbers(2, CLIP_LENGTH, shape.text_width),
    }
    if shape.condition:
        feeds["timestep_cond"] = numbers(2, shape.condition)
    free = {"sample": {0: "batch_size", 2: "height", 3: "width"}}
    free |= {"encoder_hidden_states": {0: "batch_size", 1: "sequence_length"}}
    free |= {"timestep_cond": {0: "batch_size"}} if shape.condition else {}
    path = folder / "unet/model.onnx"
    _save(Unet(), path, feeds, ("out_sample",), free, external=True)
    write_json(
        path.parent / "config.json",
        {"sample_size": 8, "in_channels": 4, "cross_attention_dim": shape.text_width},
    )


def _export_vae(made: Exported) -> None:
    import torch

    is_tiny = type(made.vae).__name__ == "AutoencoderTiny"

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.vae = made.vae

        def forward(self, sample: Any) -> Any:
            if is_tiny:
                return self.vae.encode(sample).latents
            return self.vae.encode(sample).latent_dist.parameters

    class Decoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.vae = made.vae

        def forward(self, latent_sample: Any) -> Any:
            return self.vae.decode(latent_sample).sample

    free = {0: "batch_size", 2: "height", 3: "width"}
    encoder, decoder = made.path / "vae_encoder/model.onnx", made.path / "vae_decoder/model.onnx"
    output = "latent_sample" if is_tiny else "latent_parameters"
    numbers = partial(torch.randn, dtype=made.vae.dtype)
    _save(Encoder(), encoder, {"sample": numbers(1, 3, 64, 64)}, (output,), {"sample": free})
    _save(Decoder(), decoder, {"latent_sample": numbers(1, 4, 8, 8)}, ("sample",), {"latent_sample": free})
    for path in (encoder, decoder):
        write_json(
            path.parent / "config.json",
            {
                "_class_name": type(made.vae).__name__,
                "scaling_factor": made.vae.config.scaling_factor,
                "latent_channels": 4,
                "block_out_channels": [32, 32, 32, 32],
            },
        )


def _save(
    module: Any,
    path: Path,
    feeds: dict[str, Any],
    outputs: tuple[str, ...],
    free: dict[str, dict[int, str]],
    *,
    external: bool = False,
) -> None:
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        module.eval(),
        tuple(feeds.values()),
        str(path),  # of more than 2 GiB a Path is taken for a file that is open
        input_names=list(feeds),
        output_names=list(outputs),
        dynamic_axes=free,
        opset_version=17,
        dynamo=False,
    )
    if external:
        # The exporter has written a file for each weight where they are more than protobuf takes.
        before = {each for each in path.parent.iterdir() if each != path}
        model = onnx.load(path)
        for each in before:
            each.unlink()
        onnx.save(model, path, save_as_external_data=True, location=f"{path.name}_data", size_threshold=1024)


def float_noise(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Normal noise, float32."""
    return np.random.default_rng(seed).standard_normal(shape, np.float32)
