"""Networks that enlarge the image: in one run if network and memory permit, otherwise in tiles."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.memory_estimate import Weight, free_memory, weigh
from desktop.compute.nn.session import Precision, Session, TensorInfo
from desktop.pipeline.running.dense.tiled_session import Place, TiledShapes, tiled
from desktop.pipeline.running.dense.tiling import Tiling, tile_picture
from desktop.pipeline.running.inputs.picture import check_picture_size
from desktop.pipeline.running.one.dense_head import DenseHead
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.vision.backends.loader import LoadedSession, load_session
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.dense import (
    MULTIPLE,
    DensePlan,
    DenseRequest,
    axes_of,
    choose_output,
    layout_of,
    plan_dense,
    settle,
)
from desktop.vision.tasks.common.maps import enlargement, input_size
from desktop.vision.tasks.task import Size

_SIDES: Final = (3072, 2048, 1536, 1024, 768, 512, 384, 256, 192, 128)
"""Sides of tiles to try if the whole image is too large, the largest first."""
_MOST_MEMORY: Final = 1 << 30
"""Limit in bytes of the live results in a tile's inference. Overlaps of such tiles are small already."""
_SHARE: Final = 0.25
"""Share of free memory that those may take if it is main memory."""
_MOST_TILES: Final = 1024
_MOST_PICTURE: Final = 4 << 30
_TEXEL: Final = 8
_TEXTURES: Final = 3
"""Number of textures of the larger size: the network's output, and the two that stages write in turn."""


def load_enlarging(
    gpu: Gpu,
    file: ModelFile,
    picture: Size,
    request: DenseRequest,
    *,
    backend: str = "auto",
    precision: Precision = "auto",
    device: str = "auto",
    threads: int | None = None,
) -> PictureNetwork:
    """Load a network that outputs a larger image, for images of size `picture` (width, height); see
    `load_dense`. Raise ModelError, or FilterError if the larger image exceeds the texture limit or the
    memory.
    """
    _check_memory(gpu, file.name, picture, enlargement(file.facts))
    full_size, tile = _sizes(gpu, file, picture, request)
    plan = plan_dense(file, tile, file.statement, request)
    # A tile is full: the padding of `plan_dense` is not used here.
    plan = replace(plan, input=replace(plan.input, width=tile[0], height=tile[1], inner=tile))
    reach = file.facts.reach
    loaded = load_session(
        file,
        gpu=gpu,
        backend=backend,
        precision=precision,
        device=device,
        threads=threads,
        input_shapes={plan.facts.input_name: plan.input.shape},
        real_outputs=True,
    )
    try:
        margin = reach.margin if reach is not None else None
        return _Enlarging(gpu, file.name, loaded, plan, picture).network(full_size, margin, _multiple(file))
    except Exception:
        loaded.session.close()
        raise


def _check_memory(gpu: Gpu, name: str, picture: Size, factor: int) -> None:
    size = (picture[0] * factor, picture[1] * factor)
    check_picture_size(gpu, size)
    needed = math.prod(size) * _TEXEL * _TEXTURES
    allowed = _MOST_PICTURE
    if gpu.adapter.is_software:
        allowed = min(allowed, free_memory() // 2)
    if needed > allowed:
        raise ModelUnsupportedError(
            sentence(
                "{name} would produce an image of {width} x {height} pixels, which takes {size:.1f} GiB "
                "of memory, and {limit:.1f} are allowed; choose a smaller image, or a network that "
                "enlarges it less.",
                name=name,
                width=size[0],
                height=size[1],
                size=needed / (1 << 30),
                limit=allowed / (1 << 30),
            )
        )


# -- how much at once ----------------------------------------------------------------------------------------


def _sizes(gpu: Gpu, file: ModelFile, picture: Size, request: DenseRequest) -> tuple[Size, Size]:
    """Return (width, height) of the whole input and of a tile; equal if no tiles are needed."""
    fixed = input_size(file.facts)
    multiple = _multiple(file)
    padded = tuple(-(-side // multiple) * multiple for side in picture)

    def tile(longer: int) -> Size:
        free = (min(side, max(multiple, longer // multiple * multiple)) for side in padded)
        width, height = (known or side for known, side in zip(fixed, free, strict=True))
        return width, height

    def full_size(of: Size) -> Size:
        # A fixed side is filled with the image, and then its edge is repeated.
        sides = zip(fixed, padded, picture, of, strict=True)
        width, height = (max(own, each) if known else side for known, side, own, each in sides)
        return width, height

    if 0 not in fixed or request.size:
        chosen = tile(request.size or max(padded))
    else:
        tries = (tile(longer) for longer in (max(padded), *_SIDES))
        chosen = next((size for size in tries if _fits(gpu, file, size)), tile(_SIDES[-1]))
    return full_size(chosen), chosen


def _multiple(file: ModelFile) -> int:
    """Return what free sides must be multiples of: 1 if the graph does not downsample, to avoid padding."""
    if file.statement.multiple:
        return file.statement.multiple
    return file.facts.reach.multiple if file.facts.reach is not None else MULTIPLE


def _fits(gpu: Gpu, file: ModelFile, size: Size) -> bool:
    weight = _weight(file, size)
    if not weight.peak:
        return math.prod(size) <= 512 * 512  # nothing is known
    most = gpu.limits["max-storage-buffer-binding-size"]
    allowed = min(_MOST_MEMORY, int(_SHARE * free_memory())) if gpu.adapter.is_software else _MOST_MEMORY
    return weight.largest[0] <= most and weight.peak <= allowed


def _weight(file: ModelFile, size: Size) -> Weight:
    facts: ModelFacts = file.facts
    first = 2 if facts.input_shape[1] in (1, 3) else 1
    shape = [max(1, side) for side in facts.input_shape]
    shape[first : first + 2] = size[::-1]
    try:
        return weigh(file, {facts.input_name: shape})
    except ModelError:
        return Weight()  # the loader reports the error


# -- putting it together -------------------------------------------------------------------------------------


class _Enlarging:
    """A loaded network while it is assembled with preprocessing and head."""

    def __init__(self, gpu: Gpu, name: str, loaded: LoadedSession, plan: DensePlan, picture: Size) -> None:
        self._gpu, self._name, self._loaded, self._picture = gpu, name, loaded, picture
        self._plan = plan
        self._output = choose_output(plan, loaded.session.outputs, name)

    def network(self, full_size: Size, margin: int | None, multiple: int) -> PictureNetwork:
        """Return the network for the whole image; raise as `load_enlarging` does."""
        name, session, output = self._name, self._loaded.session, self._output
        factor = self._factor()
        _check_memory(self._gpu, name, self._picture, factor)

        def run(array: np.ndarray) -> np.ndarray:
            return session.run({self._plan.facts.input_name: array})[output.name]

        plan, small = settle(self._plan, layout_of(self._plan, output, name), run, name)
        notes = [sentence_of(finding) for finding in plan.findings]
        tile = (plan.input.width, plan.input.height)
        step = multiple if 0 in input_size(plan.facts) else 1
        tiling = tile_picture(full_size, tile, margin, step)
        loaded = self._loaded
        if len(tiling.tiles) > 1:
            self._check_count(tiling)
            shapes = self._shapes(session, tiling, factor)
            loaded = replace(loaded, session=tiled(self._gpu, session, shapes))
            output = shapes.full_output
            notes.insert(0, _tiling_text(tiling, margin))
        given = replace(plan.input, width=full_size[0], height=full_size[1], inner=self._picture)
        plan = replace(plan, input=given)
        layout = layout_of(plan, output, name)
        layout = replace(layout, gain=small.gain, bias=small.bias)
        head = DenseHead(self._gpu, loaded, output, layout, plan.request.output)
        head.enlargement = factor
        return PictureNetwork(self._gpu, loaded, given, plan.facts, head, tuple(notes), name)

    def _factor(self) -> int:
        column, row, _ = self._axes()
        given, shape = self._plan.input, self._output.shape
        factor = shape[column] // given.width
        if (shape[column], shape[row]) != (factor * given.width, factor * given.height) or factor < 1:
            raise ModelUnsupportedError(
                sentence(
                    "{name} gives {width} x {height} pixels for {given_width} x {given_height}, which is "
                    "no whole multiple; use it "
                    "as a Style.",
                    name=self._name,
                    width=shape[column],
                    height=shape[row],
                    given_width=given.width,
                    given_height=given.height,
                ),
                (f"output {shape[column]} x {shape[row]}",),
            )
        return factor

    def _axes(self) -> tuple[int, int, int | None]:
        axes = axes_of(self._output.shape, self._plan.input)
        if axes is None:  # one that is named explicitly may have any shape
            layout_of(self._plan, self._output, self._name)
        assert axes is not None
        return axes

    def _shapes(self, session: Session, tiling: Tiling, factor: int) -> TiledShapes:
        if len(session.inputs) != 1:
            raise ModelUnsupportedError(
                sentence(
                    "{name} has the inputs {names}, where an image is the only one; choose another network.",
                    name=self._name,
                    names=", ".join(i.name for i in session.inputs),
                )
            )
        column, row, channels = self._axes()
        taken = Place(1, 2, 3) if self._plan.input.layout == "NHWC" else Place(2, 3, 1)
        given: TensorInfo = self._output
        return TiledShapes(tiling, session.inputs[0], given, taken, Place(row, column, channels), factor)

    def _check_count(self, tiling: Tiling) -> None:
        count = len(tiling.tiles)
        if count > _MOST_TILES:
            raise ModelUnsupportedError(
                sentence(
                    "{name} takes {width} x {height} pixels at a time, which are {count} tiles for this "
                    "image, and {most} are allowed; choose a smaller image, or a network with a larger "
                    "input.",
                    name=self._name,
                    width=tiling.tile[0],
                    height=tiling.tile[1],
                    count=count,
                    most=_MOST_TILES,
                )
            )


def _tiling_text(tiling: Tiling, margin: int | None) -> Text:
    across, down = len(tiling.columns), len(tiling.rows)
    if margin is None:
        return sentence(
            "In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they "
            "overlap; how far the network "
            "looks is not known.",
            count=across * down,
            across=across,
            down=down,
            width=tiling.tile[0],
            height=tiling.tile[1],
        )
    return sentence(
        "In {count} tiles ({across} x {down}) of {width} x {height} pixels, blended where they overlap; "
        "the network looks "
        "{margin} pixels far.",
        count=across * down,
        across=across,
        down=down,
        width=tiling.tile[0],
        height=tiling.tile[1],
        margin=margin,
    )
