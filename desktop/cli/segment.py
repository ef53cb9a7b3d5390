"""`lightloom segment`: the mask of a prompted object in an image."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import ExportError, UsageError
from desktop.base.output_names import NamedFile, check_outputs
from desktop.cli import Command
from desktop.cli._decoding import add_decode_option, with_requested_decoder
from desktop.cli._engine import make_engine, network_spec
from desktop.cli._options import add_adapter_option, add_compute_options
from desktop.media.sources.opening import open_source
from desktop.outputs.collect import about_run, finish, journal_place
from desktop.outputs.cut_out import cut_out, mask_picture
from desktop.outputs.journal import Journal, PictureRecord
from desktop.outputs.results import format_for, format_names
from desktop.outputs.still import IMAGE_SUFFIXES, write_image
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.common.prompts import MOST_POINTS, PromptPoint, Prompts
from desktop.vision.tasks.shapes import Mask


def _numbers(text: str, counts: tuple[int, ...], form: str) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if len(found) not in counts or not all(abs(value) < 1e6 for value in found):
        raise argparse.ArgumentTypeError(f"'{text}' is not {form}, in pixels")
    return found


def _point(text: str) -> tuple[float, ...]:
    found = _numbers(text, (2, 3), "x,y or x,y,0")
    if len(found) == 3 and found[2] not in (0, 1):
        raise argparse.ArgumentTypeError(f"'{text}' ends in neither 1 (on the object) nor 0 (outside it)")
    return found


def _box(text: str) -> tuple[float, ...]:
    return _numbers(text, (4,), "left,top,right,bottom")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    add_decode_option(parser)
    parser.add_argument("picture", metavar="PICTURE", help="an image; the first frame of a video")
    parser.add_argument(
        "--model",
        metavar="M",
        required=True,
        help="encoder or decoder of a pair; without --decoder the other is looked for beside it",
    )
    parser.add_argument(
        "--decoder", metavar="M", help="the decoder, where it does not lie beside the encoder"
    )
    parser.add_argument(
        "--point",
        metavar="X,Y[,0]",
        type=_point,
        action="append",
        default=[],
        help="a point on the object, in pixels; with ,0 one outside it; may be repeated",
    )
    parser.add_argument("--box", metavar="X0,Y0,X1,Y1", type=_box, help="a box around the object, in pixels")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="image of the mask, white on black; or a file of results, as 'analyze' writes them",
    )
    parser.add_argument(
        "--cutout", action="store_true", help="the output is the object itself, with nothing around it"
    )
    parser.add_argument(
        "--format", choices=format_names(), default="", help="how results are written: coco, say"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_compute_options(parser, "both")
    parser.set_defaults(second=None, second_things=0, second_setting=())


def _prompts(options: argparse.Namespace, size: tuple[int, int]) -> Prompts:
    width, height = size

    def share(x: float, y: float, what: str) -> tuple[float, float]:
        if not (0 <= x <= width and 0 <= y <= height):
            raise UsageError(
                f"The {what} {x:g},{y:g} lies outside of the image, which has {width} x {height} pixels; "
                "give one within it."
            )
        return x / width, y / height

    points = tuple(
        PromptPoint(*share(point[0], point[1], "point"), inside=len(point) < 3 or point[2] == 1)
        for point in options.point
    )
    if options.box is None:
        return Prompts(points)
    left, top, right, bottom = options.box
    if left >= right or top >= bottom:
        raise UsageError("The box is empty; give its left, top, right and bottom edge, in this order.")
    return Prompts(points, (*share(left, top, "box's corner"), *share(right, bottom, "box's corner")))


def _check(options: argparse.Namespace, spec: NetworkSpec) -> Path | None:
    if not options.point and options.box is None:
        raise UsageError("Give the object's position in the image with --point or --box.")
    if len(options.point) > MOST_POINTS:
        raise UsageError(f"There are {len(options.point)} points; give {MOST_POINTS} at most.")
    if not options.output:
        if options.cutout or options.format:
            raise UsageError("Say with -o which file to write.")
        return None
    target = Path(options.output)
    is_picture = target.suffix.lower() in IMAGE_SUFFIXES and not options.format
    if options.cutout and not is_picture:
        raise UsageError(f"A cut-out is an image; give -o a name that ends in {', '.join(IMAGE_SUFFIXES)}.")
    if options.cutout and target.suffix.lower() not in (".png", ".webp", ".tif", ".tiff"):
        raise UsageError(
            f"{target.name} cannot be transparent around the object; give -o a name that ends in .png."
        )
    if not is_picture:
        format_for(target, options.format)
    models = [spec.model, *([spec.second.model] if spec.second is not None else [])]
    read = [
        NamedFile("input", Path(options.picture)),
        *(NamedFile("network", Path(name)) for name in models),
    ]
    check_outputs([NamedFile("output", target)], read)
    return target


def _run(options: argparse.Namespace) -> int:
    spec = network_spec(options)
    assert spec is not None
    if options.decoder is not None:
        decoder = network_spec(argparse.Namespace(**{**vars(options), "model": options.decoder}))
        spec = replace(spec, second=decoder)
    target = _check(options, spec)
    source = with_requested_decoder(open_source(options.picture), options)
    engine = make_engine(options, FilterLibrary(None), in_flight=1)
    options.interrupt.on_request.append(engine.stop)
    frames = source.frames()
    try:
        engine.current.set_setup(Setup(network=spec))
        if not engine.current.takes_prompts:
            raise UsageError(
                f"{Path(spec.model).name} is no encoder or decoder of the SAM family; for other networks "
                "there are 'detect' and 'analyze'."
            )
        for line in engine.current.network_status.text.splitlines() if not options.json else ():
            console.err(line)
        engine.render(next(frames))
        engine.current.prompt(_prompts(options, engine.current.picture_size))
        engine.render(None)
        engine.await_result()
        assert engine.current.result is not None
        if options.json:
            console.out_json(
                {
                    "network": engine.current.network_status.text,
                    "file": public_name(options.picture),
                    **engine.current.result.json(),
                }
            )
        else:
            for line in engine.current.result.lines():
                console.out(line)
        for path in _write(options, engine, target) if target is not None else ():
            (console.err if options.json else console.out)(path)
    finally:
        frames.close()
        source.close()
        engine.close()
    return 0


def _write(options: argparse.Namespace, engine: Engine, target: Path) -> tuple[Path, ...]:
    assert engine.current.result is not None and engine.current.tracked_result is not None
    if target.suffix.lower() not in IMAGE_SUFFIXES or options.format:
        name = public_name(options.picture)
        record = PictureRecord.of(engine.current.tracked_result, name, name, 1, still=True)
        with journal_place(target) as place, contextlib.closing(Journal.begin(place, {})) as journal:
            journal.begin_input(0, name)
            journal.add(0, record)
            return finish(journal, format_for(target, options.format), target, about_run(engine, 1))
    masks = [shape for shape in engine.current.result.shapes() if isinstance(shape, Mask)]
    inside = masks[0].read() if masks else None
    if inside is None:
        raise ExportError(
            "Nothing was found there, so nothing was written; point at another part of the object."
        )
    if options.cutout:
        picture = engine.current.export()
        assert picture is not None
        write_image(cut_out(picture.result(), inside), target)
    else:
        write_image(mask_picture(inside), target)
    return (target,)


COMMAND: Final = Command("Segment the object at a point or in a box.", _run, _add_options)
