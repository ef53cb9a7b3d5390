"""Read and check a folder as exported by diffusers and Optimum: without weights, at diffusers' paths only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.base.files import resolved
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.diffusion.contents import (
    KINDS,
    check_contents,
    missing_part,
    read_schedule_document,
    tokenizer_folder,
)
from desktop.vision.diffusion.document import Document
from desktop.vision.diffusion.part import Part, read_part
from desktop.vision.diffusion.schedule import ScheduleSettings, read_schedule
from desktop.vision.diffusion.schedulers import scheduler_named, scheduler_names, scheduler_of_class
from desktop.vision.diffusion.trajectory import Scheduler

_LATENT_CHANNELS: Final = 4
_MOST_CHANNELS: Final = 128
_FACTOR: Final = 8
_USUAL_SIDE: Final = 512
_SAMPLE_SIZE: Final = 64
_VAE_SCALING: Final = 0.18215
_TINY: Final = "AutoencoderTiny"


@dataclass(frozen=True)
class Coder:
    """A decoder or an encoder of images in -1..1 (`signed`) or 0..1, as TAESD's own modules.

    Latents are `(output of the encoder - shift) * scaling`.
    """

    part: Part
    scaling: float
    shift: float
    signed: bool


@dataclass(frozen=True)
class Folder:
    """Parts of a folder, checked against each other.

    Attributes:
        schedule: content of `scheduler_config.json`.
        encoder: None if images can be made but not changed.
        tiny_decoder, tiny_encoder: of the TAESD family, in addition to the others; None if missing.
        factor: pixels per latent, along a side.
        usual_side: side in pixels at which the UNet was trained.
        text_width: width of the embeddings that the UNet takes; 0 if no file states it.
    """

    path: Path
    scheduler_class: str
    schedule: Document
    text_encoder: Part
    unet: Part
    decoder: Coder
    encoder: Coder | None
    tiny_decoder: Coder | None
    tiny_encoder: Coder | None
    latent_channels: int
    factor: int
    usual_side: int
    text_width: int

    @property
    def name(self) -> str:
        """Name for messages."""
        return self.path.name

    @property
    def tokenizer(self) -> Path:
        """The folder of the tokenizer's files."""
        return tokenizer_folder(self.path)

    def scheduler(self, name: str = "") -> tuple[Scheduler, ScheduleSettings]:
        """Return a scheduler by its name, or the folder's own, with the folder's settings.

        Raises UsageError for an unknown name, otherwise ModelUnsupportedError or ModelInvalidError.
        """
        found = scheduler_named(name) if name else scheduler_of_class(self.scheduler_class)
        names = ", ".join(scheduler_names())
        if found is None and name:
            raise UsageError(
                sentence("There is no scheduler '{name}'; choose {names}.", name=name, names=names)
            )
        if found is None:
            raise ModelUnsupportedError(
                sentence(
                    "The scheduler of {folder}, {name}, does not run here; choose another one: {names}.",
                    folder=self.name,
                    name=self.scheduler_class[:80] or sentence("without a name"),
                    names=names,
                )
            )
        return found, read_schedule(self.schedule, found.defaults, clips=found.clips)


def read_folder(path: Path) -> Folder:
    """Read a folder, not its weights; raise ModelInvalidError, or ModelUnsupportedError for other kinds."""
    path = Path(path)
    if path.name in ("", ".."):
        # Messages have the given path, even if it is a link.
        path = resolved(path)
    check_contents(path)
    found = {kind: read_part(path, kind) for kind in KINDS}
    text_encoder = _needed(found["text_encoder"], path, "text_encoder")
    unet = _needed(found["unet"], path, "unet")
    coders = {
        kind: _coder(found[kind]) for kind in ("vae_decoder", "vae_encoder", "taesd_decoder", "taesd_encoder")
    }
    decoder = coders["vae_decoder"] or coders["taesd_decoder"]
    if decoder is None:
        raise missing_part(path, "vae_decoder")
    schedule = read_schedule_document(path)
    channels = _channels(unet)
    factor = _factor(decoder.part)
    side = unet.config.integer("sample_size", _SAMPLE_SIZE, 1, 1 << 12) * factor
    folder = Folder(
        path=path,
        scheduler_class=schedule.word("_class_name", ""),
        schedule=schedule,
        text_encoder=text_encoder,
        unet=unet,
        decoder=decoder,
        encoder=coders["vae_encoder"] or coders["taesd_encoder"],
        tiny_decoder=coders["taesd_decoder"],
        tiny_encoder=coders["taesd_encoder"],
        latent_channels=channels,
        factor=factor,
        usual_side=side,
        text_width=_text_width(text_encoder, unet),
    )
    _check(folder)
    return folder


def _needed(part: Part | None, path: Path, kind: str) -> Part:
    # Deleted since its contents were checked.
    if part is None:
        raise missing_part(path, kind)
    return part


def _coder(part: Part | None) -> Coder | None:
    if part is None:
        return None
    # Without a config it is TAESD's own module, with images within 0..1.
    is_own = part.kind.startswith("taesd") and not part.config.values
    is_tiny = part.kind.startswith("taesd") or part.config.word("_class_name", "") == _TINY
    scaling = part.config.number("scaling_factor", 1.0 if is_tiny else _VAE_SCALING, 1e-4, 1e4)
    return Coder(part, scaling, part.config.number("shift_factor", 0.0, -1e4, 1e4), not is_own)


def _channels(unet: Part) -> int:
    stated = unet.config.integer("in_channels", _LATENT_CHANNELS, 1, _MOST_CHANNELS)
    channels = unet.needed("sample", 4).shape[1] or stated
    if channels > _MOST_CHANNELS:
        raise ModelUnsupportedError(
            sentence(
                "{part} takes samples of {channels} channels; at most {most} are known.",
                part=unet,
                channels=channels,
                most=_MOST_CHANNELS,
            )
        )
    return channels


def _factor(decoder: Part) -> int:
    """Return the pixels of a side that a latent represents, from the levels in the decoder's config."""
    levels = decoder.config.values.get(
        "block_out_channels", decoder.config.values.get("decoder_block_out_channels")
    )
    if not isinstance(levels, list):
        return _FACTOR
    if not 1 <= len(levels) <= 6:
        raise decoder.config.wrong("block_out_channels", sentence("a list of 1 to 6 numbers"))
    return int(1 << (len(levels) - 1))


def _text_width(text_encoder: Part, unet: Part) -> int:
    given = embedding_output(text_encoder).shape[2] or text_encoder.config.integer(
        "hidden_size", 0, 0, 1 << 16
    )
    wanted = unet.needed("encoder_hidden_states", 3).shape[2]
    if given and wanted and given != wanted:
        raise ModelInvalidError(
            sentence(
                "The text encoder of {folder} gives embeddings of {given} numbers and its UNet takes "
                "{wanted}; they are of two pipelines.",
                folder=unet.path.parent.parent.name,
                given=given,
                wanted=wanted,
            )
        )
    return given or wanted


def embedding_output(text_encoder: Part) -> TensorInfo:
    """Return the last hidden states [batch, tokens, width]; raise ModelUnsupportedError if there are none."""
    outputs = text_encoder.outputs
    found = next((each for each in outputs if each.name == "last_hidden_state"), None)
    found = found or next((each for each in outputs if len(each.shape) == 3), None)
    if found is None or len(found.shape) != 3:
        raise ModelUnsupportedError(
            sentence(
                "{part} has no output of [batch, tokens, width]; export the folder with Optimum's Stable "
                "Diffusion exporter.",
                part=text_encoder,
            )
        )
    return found


def _check(folder: Folder) -> None:
    folder.text_encoder.needed("input_ids", 2)
    folder.text_encoder.only(("input_ids",))
    folder.unet.only(("sample", "timestep", "encoder_hidden_states", "timestep_cond"))
    if folder.unet.input("timestep") is None:
        folder.unet.needed("timestep", 1)
    _check_channels(folder, folder.unet.outputs[0].shape[1:2], str(folder.unet))
    for decoder in filter(None, (folder.decoder, folder.tiny_decoder)):
        _one_picture(decoder.part.inputs, decoder.part)
        _check_channels(folder, decoder.part.inputs[0].shape[1:2], str(decoder.part))
    for encoder in filter(None, (folder.encoder, folder.tiny_encoder)):
        _one_picture(encoder.part.inputs, encoder.part)
        _check_channels(folder, encoder.part.outputs[0].shape[1:2], str(encoder.part), may_double=True)


def _one_picture(inputs: tuple[TensorInfo, ...], part: Part) -> None:
    if len(inputs) != 1 or len(inputs[0].shape) != 4 or len(part.outputs[0].shape) != 4:
        raise ModelUnsupportedError(
            sentence(
                "{part} does not turn one tensor of [batch, channels, height, width] into another.", part=part
            )
        )


def _check_channels(folder: Folder, found: tuple[int, ...], part: str, *, may_double: bool = False) -> None:
    wanted = folder.latent_channels
    # A VAE's encoder may give means and variances.
    allowed = (0, wanted, 2 * wanted) if may_double else (0, wanted)
    if any(channels not in allowed for channels in found):
        raise ModelInvalidError(
            sentence(
                "The UNet of {folder} takes {wanted} latent channels and {part} has {found}; they are of "
                "two pipelines.",
                folder=folder.name,
                wanted=wanted,
                part=part,
                found=found[0],
            )
        )
