"""Check the files of a pipeline's folder at once, without onnx; `read_folder` reads their contents."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError
from desktop.base.files import unreadable_folder
from desktop.base.wording import sentence
from desktop.media.sources.file_kinds import PIPELINE_INDEX
from desktop.vision.diffusion.document import Document

MODEL: Final = "model.onnx"
KINDS: Final = ("text_encoder", "unet", "vae_decoder", "vae_encoder", "taesd_decoder", "taesd_encoder")
_PIPELINES: Final = ("StableDiffusionPipeline", "LatentConsistencyModelPipeline")
_TOKENIZER: Final = "tokenizer"
VOCABULARY: Final = "vocab.json"
MERGES: Final = "merges.txt"
TOKENIZER_FILE: Final = "tokenizer.json"


def check_contents(folder: Path, *, repaints: bool = False) -> None:
    """Refuse an unusable folder, reading at most two small files; `repaints` requires an encoder.

    Raises ModelInvalidError for an unreadable or missing part, ModelUnsupportedError for another family.
    """
    try:
        _check(folder, repaints=repaints)
    except OSError as error:
        raise ModelInvalidError(unreadable_folder(folder, error)) from error


def _check(folder: Path, *, repaints: bool) -> None:
    _check_family(folder)
    there = {kind for kind in KINDS if part_path(folder, kind) is not None}
    for kind in ("text_encoder", "unet"):
        if kind not in there:
            raise missing_part(folder, kind)
    if not there & {"vae_decoder", "taesd_decoder"}:
        raise missing_part(folder, "vae_decoder")
    read_schedule_document(folder)
    if not has_tokenizer(tokenizer_folder(folder)):
        raise missing_tokenizer(tokenizer_folder(folder))
    if repaints and not there & {"vae_encoder", "taesd_encoder"}:
        raise missing_encoder(folder)


def part_path(folder: Path, kind: str) -> Path | None:
    """Return the path of a part: `kind/model.onnx`, or `kind.onnx`; None if there is neither."""
    paths = (folder / kind / MODEL, folder / f"{kind}.onnx")
    return next((each for each in paths if each.exists()), None)


def tokenizer_folder(folder: Path) -> Path:
    """Return the folder of the tokenizer's files."""
    return folder / _TOKENIZER


def has_tokenizer(folder: Path) -> bool:
    """Return True if a tokenizer's folder has a file with a vocabulary."""
    return has_vocabulary(folder) or (folder / TOKENIZER_FILE).exists()


def has_vocabulary(folder: Path) -> bool:
    """Return True if a tokenizer's folder has the two files of CLIP's own tokenizer."""
    return (folder / VOCABULARY).exists() and (folder / MERGES).exists()


def read_schedule_document(folder: Path) -> Document:
    """Read a folder's scheduler settings; raise ModelInvalidError if missing or no JSON object."""
    return Document.read(folder / "scheduler" / "scheduler_config.json")


def _check_family(path: Path) -> None:
    if not path.is_dir():
        raise ModelInvalidError(
            sentence(
                "{name} is no folder; give one that holds {index}.", name=path.name, index=PIPELINE_INDEX
            )
        )
    if not (path / PIPELINE_INDEX).exists():
        raise ModelInvalidError(
            sentence(
                "{name} has no {index}; give a folder as diffusers and Optimum export it.",
                name=path.name,
                index=PIPELINE_INDEX,
            )
        )
    index = Document.read(path / PIPELINE_INDEX)
    name = index.word("_class_name", "")
    plain = name.removeprefix("Onnx").removeprefix("ORT").replace("Img2Img", "")
    if plain not in _PIPELINES:
        raise ModelUnsupportedError(
            sentence(
                "{folder} is a {name}; what runs here is Stable Diffusion 1.x, SD-Turbo and latent "
                "consistency models.",
                folder=path.name,
                name=name[:80] or sentence("pipeline without a name"),
            )
        )


def missing_part(path: Path, kind: str) -> ModelInvalidError:
    """Return the error for a folder without a part that is needed."""
    return ModelInvalidError(
        sentence(
            "{folder} has no {kind}/model.onnx; export the folder again, or download what is missing.",
            folder=path.name,
            kind=kind,
        )
    )


def missing_encoder(path: Path) -> ModelUnsupportedError:
    """Return the error for a folder that can make images but not change them."""
    return ModelUnsupportedError(
        sentence(
            "{folder} has no vae_encoder/model.onnx, which changing an image needs; export the folder with "
            "it.",
            folder=path.name,
        )
    )


def missing_tokenizer(folder: Path) -> ModelInvalidError:
    """Return the error for a tokenizer's folder without a vocabulary."""
    return ModelInvalidError(
        sentence(
            "{folder} has no tokenizer/vocab.json with merges.txt, and no tokenizer.json; export the "
            "folder again.",
            folder=folder.parent.name,
        )
    )
