"""Forms of networks with boxes and masks: a detector's table with mask coefficients, and a map of prototypes.

As in YOLACT (Bolya et al. 2019, arXiv:1904.02689): a mask's logits are the sum of prototypes [1, n, height,
width] times its coefficients, n more columns of the table. In TensorFlow Lite's files the prototypes are [1,
height, width, n], and boxes are fractions of the input's sides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.labels import metadata_names
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.common.units import units_of_exporter, units_of_graph
from desktop.vision.tasks.detection.boxes import fits_pyramid, pixel_boxes, table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.decoders import end_to_end, yolov5, yolov8
from desktop.vision.tasks.detection.reading import of_shares

# Networks have 32; fewer than 4 would be an image.
_FEWEST: Final = 4
_MOST: Final = 256
_MOST_ROWS: Final = 1000
_COCO: Final = 80


@dataclass(frozen=True)
class Instances:
    """Parts of a network's outputs that make instances.

    Attributes:
        decoder: the family without masks, with the groups of this network.
        coefficients: first column of the coefficients.
        prototypes: name of the output with the prototypes.
        count: number of prototypes, and of coefficients of an object.
        extent: (width, height) of a prototype in texels, 0 if free.
        are_last: the prototypes are the last axis.
        has_middles: a box is its center and size, otherwise its corners.
        has_shares: boxes are fractions of the input's sides, otherwise pixels.
    """

    decoder: Decoder
    coefficients: Columns
    prototypes: str
    count: int
    extent: tuple[int, int]
    are_last: bool = False
    has_middles: bool = True
    has_shares: bool = False


Reader = Callable[[ModelFacts, TensorInfo, int], tuple[Decoder, AnchorGroup, Columns] | None]


def find_instances(facts: ModelFacts) -> Instances | None:
    """Return a network's boxes, coefficients and prototypes, by its outputs' shapes; None without them."""
    tables = [output for output in facts.outputs if table(output) is not None]
    maps = [output for output in facts.outputs if _is_prototypes(output, facts)]
    if len(tables) != 1 or len(maps) != 1:
        return None
    prototypes = maps[0]
    are_last = not _is_planes(prototypes.shape[1:], facts)
    count, height, width = _planes(prototypes.shape, are_last)
    for read in (_yolov8, _yolov5, _end_to_end):
        found = read(facts, tables[0], count)
        if found is not None:
            decoder, group, coefficients = found
            units = units_of_exporter(facts) or units_of_graph(facts, tables[0].name)
            has_shares = decoder.may_be_shares and units == "shares"
            known = of_shares(decoder) if has_shares else decoder
            return Instances(
                replace(known, groups=_only(group)),
                coefficients,
                prototypes.name,
                count,
                (width, height),
                are_last,
                decoder.boxes is pixel_boxes,
                has_shares,
            )
    return None


def _planes(shape: tuple[int, ...], are_last: bool) -> tuple[int, ...]:
    """(prototypes, height, width)."""
    return (shape[3], *shape[1:3]) if are_last else shape[1:]


def _only(group: AnchorGroup) -> Callable[[ModelFacts], tuple[AnchorGroup, ...]]:
    return lambda facts: (group,)


def _is_prototypes(output: TensorInfo, facts: ModelFacts) -> bool:
    shape = output.shape
    if len(shape) != 4 or shape[0] not in (0, 1):
        return False
    return _is_planes(shape[1:], facts) or _is_planes(_planes(shape, are_last=True), facts)


def _is_planes(shape: tuple[int, ...], facts: ModelFacts) -> bool:
    """Whether (n, height, width) may be prototypes."""
    count, rows, columns = shape
    if not _FEWEST <= count <= _MOST:
        return False
    width, height = input_size(facts)
    if 0 in (width, height, *shape):
        return True
    # An integer fraction of both input sides; a map of the input's size is an image or pixel classes.
    return width % columns == 0 and height % rows == 0 and width // columns == height // rows > 1


def _yolov8(facts: ModelFacts, output: TensorInfo, count: int) -> tuple[Decoder, AnchorGroup, Columns] | None:
    """Return decoder, anchors and coefficients of [1, 4 + classes + n, anchors]; None for another table.

    Such are YOLOv8-seg, v9 and 11.
    """
    rows, anchors = output.shape[1:]
    # Exports with free dimensions leave the rows free too, but state them in the metadata.
    if not rows and not anchors and facts.metadata.get("task") == "segment":
        rows = 4 + len(metadata_names(facts.metadata)) + count
    classes = rows - 4 - count
    if classes < 1 or (anchors and rows >= anchors) or not fits_pyramid(anchors, input_size(facts), 1):
        return None
    group = AnchorGroup(anchors, classes, Columns(output.name, 4, False), Columns(output.name, 0, False))
    return yolov8.DECODER, group, Columns(output.name, 4 + classes, False)


def _yolov5(facts: ModelFacts, output: TensorInfo, count: int) -> tuple[Decoder, AnchorGroup, Columns] | None:
    """Return decoder, anchors and coefficients of [1, anchors, 5 + classes + n]; None for another table.

    Such are YOLOv5-seg and YOLOv7-seg.
    """
    anchors, columns = output.shape[1:]
    classes, name = columns - 5 - count, output.name
    if classes < 1 or (anchors and columns >= anchors) or _is_listed(facts, output, count):
        return None
    if not fits_pyramid(anchors, input_size(facts), 3):
        return None
    group = AnchorGroup(anchors, classes, Columns(name, 5), Columns(name, 0), Columns(name, 4))
    return yolov5.DECODER, group, Columns(name, 5 + classes)


def _end_to_end(
    facts: ModelFacts, output: TensorInfo, count: int
) -> tuple[Decoder, AnchorGroup, Columns] | None:
    """Return decoder, boxes and coefficients of [1, boxes, 6 + n]; None for another table.

    Such are YOLO26-seg, and exports with `nms=True`.
    """
    if not _is_listed(facts, output, count):
        return None
    name = output.name
    classes = len(metadata_names(facts.metadata)) or _COCO
    group = AnchorGroup(
        output.shape[1], classes, Columns(name, 4), Columns(name, 0), class_number=Columns(name, 5)
    )
    return end_to_end.DECODER, group, Columns(name, 6)


def _is_listed(facts: ModelFacts, output: TensorInfo, count: int) -> bool:
    """Whether the rows are a list of up to 1,000 objects, not a grid's cells."""
    rows, columns = output.shape[1:]
    size = input_size(facts)
    known = all(size) and fits_pyramid(rows, size, 3)
    return columns == 6 + count and 0 < rows <= _MOST_ROWS and not known
