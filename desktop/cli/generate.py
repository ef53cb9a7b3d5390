"""`lightloom generate`: an image from a prompt, or from an image and a prompt."""

from __future__ import annotations

import argparse
import os
import random
import re
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base import console
from desktop.base.errors import ExportError, UsageError
from desktop.base.output_names import NamedFile, check_outputs
from desktop.cli import Command
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._options import add_adapter_option, add_compute_options
from desktop.cli.model._shared import opened_gpu
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session
from desktop.media.display import rgb_of
from desktop.media.sources.opening import open_source
from desktop.outputs.still import IMAGE_SUFFIXES, write_image
from desktop.vision.diffusion.folder import Folder, read_folder
from desktop.vision.diffusion.memory import check_memory
from desktop.vision.diffusion.part import Part
from desktop.vision.diffusion.pipeline import Pipeline
from desktop.vision.diffusion.plan import Plan, Wish, make_plan
from desktop.vision.diffusion.running import Context, Progress
from desktop.vision.diffusion.schedulers import scheduler_names

_MOST_SEED: Final = (1 << 32) - 1
_MOST_DIGITS: Final = 30
_LONGEST_REST: Final = 200


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,9})(?:x(\d{1,9}))?", text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a side or WIDTHxHEIGHT, in pixels, as 512 or 768x512"
        )
    width = int(found[1])
    return width, int(found[2] or width)


def _integer(text: str) -> int:
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"'{text[:30]}' is not a whole number from 0 on")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 on")
    return value


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    add_decode_option(parser)
    parser.add_argument(
        "folder", metavar="FOLDER", help="a pipeline as diffusers and Optimum export it, with ONNX parts"
    )
    parser.add_argument("--prompt", metavar="TEXT", required=True, help="what the image is to show")
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="image to write: .png, .jpg, ..."
    )
    parser.add_argument(
        "--negative", metavar="TEXT", default="", help="what it is not to show; counts with guidance only"
    )
    parser.add_argument("--image", metavar="PICTURE", help="an image to be changed")
    parser.add_argument(
        "--strength",
        metavar="S",
        type=_number,
        help="how much of it is made anew, above 0 up to 1 (default: 0.6)",
    )
    parser.add_argument(
        "--size", metavar="N|WxH", type=_size, help="in pixels (default: what it was trained at)"
    )
    parser.add_argument(
        "--steps", metavar="N", type=_integer, help="steps (default: 25; 4 for an LCM, 1 for SD-Turbo)"
    )
    parser.add_argument(
        "--guidance",
        metavar="G",
        type=_number,
        help="how much more the prompt counts; up to 1 switches it off (default: 7.5, off for distilled networks, 8.5 for an LCM)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=_integer,
        help="of the noise (default: another one each time, which is printed)",
    )
    parser.add_argument("--scheduler", choices=scheduler_names(), default="", help="(default: the folder's)")
    parser.add_argument(
        "--tiny", action="store_true", help="decode, and encode, by the folder's taesd_decoder"
    )
    add_compute_options(parser, "it")


def _run(options: argparse.Namespace) -> int:
    folder_path, output = Path(options.folder), Path(options.output)
    _check_output(options, folder_path, output)
    options.interrupt.last_words = lambda: "Stopped; nothing was written."
    folder = read_folder(folder_path)
    picture = _picture(options) if options.image else None
    plan = make_plan(folder, _wish(options, picture))
    _check_negative(options, plan)
    with opened_gpu(options, needed=options.backend == "wgpu") as gpu:
        context = _context(options, gpu)
        check_memory(folder, plan, context)
        console.err(_summary(folder, plan))
        try:
            made = Pipeline(folder, context).generate(plan, picture)
        finally:
            if console.shows_progress():
                console.progress("")
    options.interrupt.check()
    write_image(np.dstack([made.pixels, np.full(made.pixels.shape[:2], 255, np.uint8)]), output)
    for prompt, dropped in zip(plan.prompts, made.dropped, strict=True):
        if dropped:
            what = "prompt" if prompt == options.prompt else "negative prompt"
            rest = dropped if len(dropped) <= _LONGEST_REST else f"{dropped[:_LONGEST_REST]}..."
            console.err(f"The {what} is too long for the text encoder; this was left out: {rest}")
    console.out(output)
    return 0


def _check_negative(options: argparse.Namespace, plan: Plan) -> None:
    if not options.negative or len(plan.prompts) > 1:
        return
    if plan.embedded_guidance is not None:
        raise UsageError("This network has its guidance built in and reads one prompt; leave --negative out.")
    raise UsageError(
        "--negative counts with a guidance above 1, which is off here; give --guidance, or leave it out."
    )


def _check_output(options: argparse.Namespace, folder: Path, output: Path) -> None:
    if output.suffix.lower() not in IMAGE_SUFFIXES:
        raise UsageError(
            f"{output.name} is not the name of an image file; give -o one that ends in "
            f"{', '.join(IMAGE_SUFFIXES)}."
        )
    read = [NamedFile("folder", folder)]
    if options.image:
        read.append(NamedFile("input", Path(options.image)))
    check_outputs([NamedFile("output", output)], read)
    _check_place(output)


def _check_place(output: Path) -> None:
    """Check that the output can be written before minutes are spent; its folder is created later."""
    above = next((each for each in output.absolute().parents if each.exists()), output.parent)
    if output.is_dir():
        raise ExportError(f"{output} is a folder; give the name of an image file.")
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise ExportError(
            f"{output} cannot be written: nothing can be put into {above}; choose another folder."
        )


def _picture(options: argparse.Namespace) -> np.ndarray:
    source = with_requested_decoder(open_source(options.image), options)
    frames = source.frames()
    try:
        return rgb_of(next(frames))
    finally:
        frames.close()
        source.close()


def _wish(options: argparse.Namespace, picture: np.ndarray | None) -> Wish:
    return Wish(
        prompt=options.prompt,
        negative=options.negative,
        size=options.size,
        steps=options.steps,
        guidance=options.guidance,
        strength=options.strength,
        seed=random.randint(0, _MOST_SEED) if options.seed is None else options.seed,
        scheduler=options.scheduler,
        picture=None if picture is None else (picture.shape[1], picture.shape[0]),
        tiny=options.tiny,
    )


def _context(options: argparse.Namespace, gpu: Gpu | None) -> Context:
    said: list[str] = []

    def used(part: Part, session: Session, reason: str) -> None:
        line = f"{session.backend}, {session.device}, {session.precision}: {reason}"
        if line not in said:
            said.append(line)
            console.err(line)

    def report_progress(progress: Progress) -> None:
        if console.shows_progress():
            share = f" {progress.done} of {progress.total}" if progress.total else ""
            console.progress(f"{progress.text}{share} ...")

    return Context(
        gpu=gpu,
        backend=options.backend,
        precision=options.precision,
        device=options.device_of_network,
        check=options.interrupt.check,
        tell=report_progress,
        used=used,
    )


def _summary(folder: Folder, plan: Plan) -> str:
    guidance = plan.embedded_guidance if plan.embedded_guidance is not None else plan.guidance
    steps = len(plan.trajectory.steps)
    return (
        f"{folder.name}: {plan.width} x {plan.height}, {plan.scheduler.title}, {steps} "
        f"step{'s' if steps > 1 else ''}, "
        f"guidance {'off' if guidance <= 1 else f'{guidance:g}'}, seed {plan.seed}"
    )


COMMAND: Final = Command("Generate an image from text, or change one.", _run, _add_options)
