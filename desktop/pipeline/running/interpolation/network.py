"""Frame interpolation networks such as RIFE (Huang et al., ECCV 2022): recognize inputs, and run them.

Inputs vary: two images or one of six channels; the time as a number, a plane, a seventh channel, or fixed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import TensorInfo
from desktop.media.coded import scaled_colors
from desktop.vision.backends.loader import LoadedSession, load_session
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import candidates, stated_task

Size = tuple[int, int]
"""(width, height) in pixels."""

# Multiples for sizes of free inputs: RIFE's coarsest scale halves a frame five times, larger variants six.
_MULTIPLE: Final = 64
# Of halvings, where a network knows the middle alone: an eighth of the time between two images.
_HALVINGS: Final = 3
LONGEST_S: Final = 1.0
"""Longest interval in seconds to interpolate: a longer one is a still, or a pause of a live source."""


@dataclass(frozen=True)
class InterpolationForm:
    """Inputs of an interpolation network.

    Attributes:
        `pictures`: names of the inputs: two of three channels, or one of six, or of seven with the time.
        time: name of a separate input for the time; '' for none.
        time_shape: its shape; 0 stands for a free dimension.
        channels_last: [1, height, width, channels].
        size: accepted (width, height); 0 where it is free.
        result_last: the result is [1, height, width, 3].
    """

    pictures: tuple[str, ...]
    time: str
    time_shape: tuple[int, ...]
    channels: int
    channels_last: bool
    size: Size
    result_last: bool

    @property
    def takes_time(self) -> bool:
        """True if any moment between the two images can be computed; otherwise only the middle."""
        return bool(self.time) or self.channels == 7

    def shape(self, size: Size) -> tuple[int, ...]:
        """Return the shape of each of `pictures` for a size, (width, height)."""
        plane = (size[1], size[0])
        return (1, *plane, self.channels) if self.channels_last else (1, self.channels, *plane)

    def scaled_size(self, size: Size) -> Size:
        """Return the size to which frames are scaled: sides that the network fixes are replaced."""
        return (self.size[0] or size[0], self.size[1] or size[1])

    def padded_size(self, size: Size) -> Size:
        """Return the size in which such frames go in: free sides are filled up to a multiple of 64."""
        return (self.size[0] or _above(size[0]), self.size[1] or _above(size[1]))

    def made_shape(self, size: Size) -> tuple[int, ...]:
        """Return the shape that the result has to have for frames of a size."""
        width, height = self.padded_size(size)
        return (1, height, width, 3) if self.result_last else (1, 3, height, width)

    def input_shapes(self, size: Size) -> dict[str, tuple[int, ...]]:
        """Return the shape of each input for frames that go in with a size."""
        shapes = dict.fromkeys(self.pictures, self.shape(size))
        return {**shapes, self.time: self._shape_of_time(size)} if self.time else shapes

    def feeds(self, first: np.ndarray, second: np.ndarray, position: float) -> dict[str, np.ndarray]:
        """Return the input tensors at `position`, 0 at the first frame and 1 at the second. The frames are
        float32 [3, height, width] R'G'B' in 0..1.
        """
        height, width = first.shape[1:]
        if len(self.pictures) == 2:
            values: tuple[np.ndarray, ...] = (first, second)
        else:
            time = np.full((self.channels - 6, height, width), position, np.float32)
            values = (np.concatenate((first, second, time)),)
        found = {name: self._laid(array) for name, array in zip(self.pictures, values, strict=True)}
        if self.time:
            found[self.time] = np.full(self._shape_of_time((width, height)), position, np.float32)
        return found

    def _shape_of_time(self, size: Size) -> tuple[int, ...]:
        """Return the time input's shape: a plane of one channel, in its layout, where its sides are free."""
        if len(self.time_shape) != 4:
            return tuple(n or 1 for n in self.time_shape)
        ends_in_one = self.time_shape[3] == 1 and self.time_shape[1] != 1
        last = ends_in_one or (self.channels_last and self.time_shape[1] != 1)
        plane = (1, size[1], size[0], 1) if last else (1, 1, size[1], size[0])
        return tuple(n or free for n, free in zip(self.time_shape, plane, strict=True))

    def _laid(self, array: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(array.transpose(1, 2, 0)[None] if self.channels_last else array[None])


def interpolation_form(
    inputs: tuple[TensorInfo, ...], outputs: tuple[TensorInfo, ...]
) -> InterpolationForm | None:
    """Return how a network interpolates, from its inputs other than weights (0: free dimension) and all
    outputs, of which the first must be a frame; None if it does not.
    """
    if not outputs or _channels(outputs[0]) != 3:
        return None
    pictures = tuple(info for info in inputs if _channels(info))
    rest = tuple(info for info in inputs if info not in pictures)
    if len(rest) > 1 or any(info.dtype not in ("float32", "float16") for info in inputs):
        return None
    channels = {_channels(info) for info in pictures}
    is_two = len(pictures) == 2 and channels == {3} and pictures[0].shape == pictures[1].shape
    is_one = len(pictures) == 1 and channels in ({6}, {7})
    is_seven = channels == {7}
    if not (is_two or is_one) or (rest and (is_seven or not _is_time(rest[0]))):
        return None
    if is_two and not rest and not _is_named_for_interpolation(inputs, outputs):
        return None  # two frames and one out may be anything: fusion, matching
    first = pictures[0]
    last = first.shape[1] not in channels
    height, width = first.shape[1:3] if last else first.shape[2:4]
    return InterpolationForm(
        tuple(info.name for info in pictures),
        rest[0].name if rest else "",
        rest[0].shape if rest else (),
        channels.pop(),
        last,
        (width, height),
        outputs[0].shape[1] != 3,
    )


def _channels(info: TensorInfo) -> int:
    """The channels of a frame: 3, 6 or 7; 0 for what is none."""
    shape = info.shape
    if len(shape) != 4 or shape[0] not in (0, 1):
        return 0
    return next((n for n in (shape[1], shape[3]) if n in (3, 6, 7)), 0)


def _is_time(info: TensorInfo) -> bool:
    """A number, or a plane of one channel."""
    if math.prod(n or 1 for n in info.shape) == 1 and len(info.shape) <= 4:
        return True
    return len(info.shape) == 4 and 1 in (info.shape[1], info.shape[3])


def _is_named_for_interpolation(inputs: tuple[TensorInfo, ...], outputs: tuple[TensorInfo, ...]) -> bool:
    names = " ".join(info.name.lower() for info in (*inputs, *outputs))
    return any(word in names for word in ("img0", "frame0", "im0", "middle", "interp", "between"))


def interpolates(file: ModelFile) -> bool:
    """True if inputs and outputs fit interpolation and nothing indicates another use: denoisers, too, take
    two images and a number. Raise ModelError if the file cannot be read.
    """
    if stated_task(file) is not None:
        return False
    return _form_of(file) is not None and not candidates(file.facts)


def _form_of(file: ModelFile) -> InterpolationForm | None:
    facts = file.facts
    inputs = (TensorInfo(facts.input_name, facts.input_shape, facts.input_dtype), *facts.others)
    return interpolation_form(inputs, facts.outputs)


class InterpolationNetwork:
    """A loaded network of that kind, for frames in host memory. One thread at a time."""

    def __init__(self, loaded: LoadedSession, form: InterpolationForm, name: str, size: Size) -> None:
        """Use `load`."""
        self._session, self._form, self._size = loaded.session, form, size
        self.reason, self.name = loaded.reason, name
        self._output = self._session.outputs[0].name
        self._scaled = form.scaled_size(size)

    @classmethod
    def load(cls, gpu: Gpu | None, model: str, size: Size, *, backend: str = "auto") -> InterpolationNetwork:
        """Load an ONNX or TensorFlow Lite file for frames of `size` (width, height), scaled if its size is
        fixed. Without `gpu`, only backends that need none are used. Raise ModelError if the network does not
        exist, no backend supports it, or it does not interpolate.
        """
        with ModelFile.opened(model) as file:
            form = _form_of(file)
            if form is None:
                facts = file.facts
                inputs = (TensorInfo(facts.input_name, facts.input_shape, facts.input_dtype), *facts.others)
                raise ModelUnsupportedError(
                    sentence(
                        "{name} does not interpolate frames: it takes {inputs}, where two images and a "
                        "time, or one input of six or seven channels, are needed; choose a network such "
                        "as RIFE.",
                        name=file.name,
                        inputs=", ".join(f"{info.name} {list(info.shape)}" for info in inputs),
                    )
                )
            shapes = form.input_shapes(form.padded_size(size))
            loaded = load_session(file, gpu=gpu, backend=backend, input_shapes=shapes, real_outputs=True)
            try:
                _check_output(file.name, loaded.session.outputs[0].shape, form.made_shape(size))
            except ModelUnsupportedError:
                loaded.session.close()
                raise
            return cls(loaded, form, file.name, size)

    @property
    def notes(self) -> tuple[Text, ...]:
        """Sentences on assumptions about the network and on its limits."""
        found = [
            sentence("{name} is assumed to take R'G'B' in 0..1, as networks of this kind do.", name=self.name)
        ]
        if self._scaled != self._size:
            width, height = self._scaled
            found.append(
                sentence(
                    "{name} takes only some sizes: in-between frames are scaled to {width} x {height} "
                    "pixels and back.",
                    name=self.name,
                    width=width,
                    height=height,
                )
            )
        if not self._form.takes_time:
            found.append(
                sentence(
                    "{name} only computes the frame halfway between two; other times are rounded to "
                    "eighths and reached by "
                    "halving repeatedly.",
                    name=self.name,
                )
            )
        return tuple(found)

    def between(self, first: np.ndarray, second: np.ndarray, position: float) -> np.ndarray:
        """Return the frame between two, all uint8 [height, width, 4] R'G'B'A; opaque where both are.

        `position` is 0 at the first and 1 at the second. Raise ModelError if the session failed.
        """
        made = np.empty(first.shape, np.uint8)
        colors = self.colors_between(_colors(first), _colors(second), position)
        made[..., :3] = np.rint(colors.transpose(1, 2, 0) * 255.0)
        made[..., 3] = np.rint(first[..., 3] * (1.0 - position) + second[..., 3] * position)
        return made

    def colors_between(self, first: np.ndarray, second: np.ndarray, position: float) -> np.ndarray:
        """As `between`, of float32 [3, height, width] R'G'B' in 0..1."""
        if self._form.takes_time:
            return self._run(first, second, position)
        return self._halved(first, second, position, _HALVINGS)

    def _halved(self, first: np.ndarray, second: np.ndarray, position: float, left: int) -> np.ndarray:
        if not left or position in (0.0, 1.0):
            return first if position < 0.5 else second
        middle = self._run(first, second, 0.5)
        if abs(position - 0.5) < 0.5**_HALVINGS / 2:
            return middle
        if position < 0.5:
            return self._halved(first, middle, position * 2, left - 1)
        return self._halved(middle, second, position * 2 - 1, left - 1)

    def _run(self, first: np.ndarray, second: np.ndarray, position: float) -> np.ndarray:
        feeds = self._form.feeds(self._fed(first), self._fed(second), position)
        dtypes: Mapping[str, str] = {info.name: info.dtype for info in self._session.inputs}
        feeds = {name: array.astype(dtypes.get(name, "float32"), copy=False) for name, array in feeds.items()}
        output = self._session.run(feeds)[self._output]
        _check_output(self.name, output.shape, self._form.made_shape(self._size))
        colors = output[0].transpose(2, 0, 1) if self._form.result_last else output[0]
        cut = colors[:, : self._scaled[1], : self._scaled[0]].astype(np.float32)
        return np.clip(np.nan_to_num(scaled_colors(cut, self._size)), 0.0, 1.0)

    def _fed(self, picture: np.ndarray) -> np.ndarray:
        """A frame as the network takes it: scaled to sides that it fixes, the edge repeated on others."""
        width, height = self._form.padded_size(self._size)
        more = ((0, 0), (0, height - self._scaled[1]), (0, width - self._scaled[0]))
        scaled = scaled_colors(picture, self._scaled)
        return np.pad(scaled, more, mode="edge") if any(map(any, more)) else scaled

    def close(self) -> None:
        """Release the session."""
        self._session.close()


def _check_output(name: str, made: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    """Raise ModelUnsupportedError if an output's size, where known, or layout differs from the input's."""
    if len(made) == 4 and all(is_ in (0, should) for is_, should in zip(made, wanted, strict=True)):
        return
    raise ModelUnsupportedError(
        sentence(
            "{name} gives a result of {made} where images of {wanted} are needed, as large as its "
            "inputs; choose another export of it, which does not enlarge or pad them.",
            name=name,
            made=list(made),
            wanted=list(wanted),
        )
    )


def _above(side: int) -> int:
    return -(-side // _MULTIPLE) * _MULTIPLE


def _colors(picture: np.ndarray) -> np.ndarray:
    """Return a frame, uint8 [height, width, 4] R'G'B'A, as float32 R'G'B' [3, height, width] in 0..1."""
    return np.ascontiguousarray(picture[..., :3].transpose(2, 0, 1), np.float32) / 255.0
