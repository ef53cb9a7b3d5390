"""Segments of a chain, whose stages process the same frames, and a frame's walk through them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.picture.upload import WORKING_FORMAT
from desktop.pipeline.running.inputs.picture import Picture, check_picture_size

if TYPE_CHECKING:
    from desktop.pipeline.chain.network_feed import NetworkFeed
    from desktop.pipeline.running.one.strategy import NetworkTurn

Size = tuple[int, int]


@dataclass(frozen=True)
class Shown:
    """Frame to show, and whether it differs from the last; behind a network in step it is an earlier one."""

    picture: Picture
    is_new: bool


@dataclass(frozen=True)
class EncodedChain:
    """Encoder to continue with, and work for networks by span name, to be notified of the submission."""

    shown: Shown
    encoder: wgpu.GPUCommandEncoder
    turns: Mapping[str, NetworkTurn]


@dataclass(frozen=True)
class Tap:
    """Commands to record right after a stage, on its output, or on its input while it does not take part."""

    stage: int
    record: Callable[[wgpu.GPUCommandEncoder, wgpu.GPUTexture], None]


class Segment:
    """Stages between cuts of a chain, which are where a network in step holds frames back.

    A segment counts frames and time, keeps its result while idle, and has two textures that its stages write
    alternately, plus two after an enlarging stage, and a third one of a size where a result is mixed with what
    the stage was given.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._textures: dict[tuple[Size, int], wgpu.GPUTexture] = {}
        self._used: set[tuple[Size, int]] = set()  # since it began on this frame
        self._size = (0, 0)
        self._index = itertools.count()
        self._last_time: float | None = None
        self.result: wgpu.GPUTexture | None = None

    def begin(self, picture: Picture, *, reset: bool) -> FrameInfo:
        """Return what filters are to know of a frame; `reset` where its past is void."""
        size = (picture.texture.width, picture.texture.height)
        if size != self._size:
            self.close()
            self._size = size
            reset = True
        self._used.clear()
        if reset:
            self._index = itertools.count()
            self._last_time = None
        delta = 0.0 if self._last_time is None else max(0.0, picture.pts - self._last_time)
        self._last_time = picture.pts
        return FrameInfo(size, picture.pts, delta, next(self._index), reset)

    def other(
        self, size: Size, current: wgpu.GPUTexture, also: wgpu.GPUTexture | None = None
    ) -> wgpu.GPUTexture:
        """Return a texture of a size that is neither of these, made on first use.

        Raise FilterError if the size is too large.
        """
        key = (size, 0)
        for number in range(3):
            key = (size, number)
            found = self._textures.get(key)
            if found is None or (found is not current and found is not also):
                break
        self._used.add(key)
        if key not in self._textures:
            check_picture_size(self._gpu, size)
            usage = wgpu.TextureUsage
            self._textures[key] = self._gpu.device.create_texture(
                label=f"chain {key[1]}",
                size=(*size, 1),
                format=WORKING_FORMAT,
                usage=usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC,
            )
        return self._textures[key]

    def end(self, result: wgpu.GPUTexture) -> None:
        """Finish the segment: retain its result, and release larger textures that no stage has written."""
        self.result = result
        for key in self._textures.keys() - self._used:
            if key[0] != self._size:
                self._textures.pop(key).destroy()

    def close(self) -> None:
        """Release its textures."""
        for texture in self._textures.values():
            texture.destroy()
        self._textures, self.result = {}, None


class FrameWalk:
    """One frame's walk through the stages.

    Attributes:
        first, info: frame information for filters at the chain's beginning, and at the current stage.
        segments: segments after a cut, by the id of their first stage.
        runs: False in a segment whose frame is unchanged: its result stays.
    """

    def __init__(
        self,
        commands: FrameCommands,
        timer: FrameTimer,
        picture: Picture,
        segment: Segment,
        *,
        is_new: bool,
        edited: bool,
        reset: bool,
    ) -> None:
        """Begin at the first stage; `edited`: the chain has changed; `reset`: its past is void."""
        self.commands, self.timer, self.segment = commands, timer, segment
        self._edited, self._reset = edited, reset
        # What a stage reads is another image than before; also behind a network that has another result.
        self._changed = is_new or edited
        self._shown = Shown(picture, is_new)
        self.first = self.info = segment.begin(picture, reset=reset)
        self.current = picture.texture
        self.segments: dict[int, Segment] = {}
        self.runs = True
        self.turns: dict[str, NetworkTurn] = {}
        self._is_cut = False

    @property
    def original(self) -> wgpu.GPUTexture:
        """The image before the chain."""
        return self._shown.picture.original

    @property
    def is_new(self) -> bool:
        """True if the frame was not shown before."""
        return self._shown.is_new

    @property
    def pts(self) -> float:
        """Presentation time of the frame, in seconds."""
        return self._shown.picture.pts

    def feed(
        self, feed: NetworkFeed, span: str, *, reset: bool, budget_ms: float | None
    ) -> NetworkTurn | None:
        """Record a stage's network on the stage's input; raise LightloomError if it cannot be used."""
        reads = self._shown.picture.as_in(self.current)
        turn = feed.encode(
            self.commands, reads, self.timer, span, reset=reset, look=self._changed, budget_ms=budget_ms
        )
        if turn is not None:
            self.turns[span] = turn
            self._changed |= turn.finished
        return turn

    @property
    def is_cut(self) -> bool:
        """True behind a network that holds the image back."""
        return self._is_cut

    def cut(self, stage: int, segment: Segment, held: Picture | None, turn: NetworkTurn | None) -> None:
        """Continue in another segment, beginning with `stage`, on the image its network holds, if any."""
        self._leave()
        self._is_cut = True
        self.segment = self.segments[stage] = segment
        if held is not None:
            self._shown = Shown(held, turn is not None and turn.finished)
            self.current = held.texture
            self._changed = self._edited or self._shown.is_new
        self.runs = self._changed or segment.result is None
        if self.runs:
            self.info = segment.begin(self._shown.picture.as_in(self.current), reset=self._reset)

    def _leave(self) -> None:
        if self.runs:
            self.segment.end(self.current)

    def end(self) -> EncodedChain:
        """Return what was recorded, behind the last stage."""
        self._leave()
        shown = Shown(self._shown.picture.as_in(self.current), self._shown.is_new)
        return EncodedChain(shown, self.commands.encoder, self.turns)
