"""Draws layers over and under the result of the main chain. For the rendering thread."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import wgpu

from desktop.base.errors import FilterError, LightloomError
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.gpu.webgpu import gpu_reason
from desktop.media.frame import Frame
from desktop.pipeline.chain.building import Running, StageBuilder
from desktop.pipeline.chain.runner import ChainRunner
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Values
from desktop.pipeline.filters.stage import StageIO
from desktop.pipeline.layers.fading import Fading
from desktop.pipeline.layers.kind import LayerContent, LayerMoment, LayerTools, layer_kind
from desktop.pipeline.layers.placing import PlacedRect, placed_rect
from desktop.pipeline.layers.spec import LayerPlace, Layers, LayerSpec
from desktop.pipeline.picture.upload import WORKING_FORMAT, Uploader
from desktop.pipeline.running.inputs.picture import Picture

if TYPE_CHECKING:
    from desktop.pipeline.filters.verifier import FilterVerifier
    from desktop.pipeline.running.one.strategy import NetworkTurn
    from desktop.vision.models.open_models import OpenModels

log = logging.getLogger(__name__)

LayerStatusState = Literal["off", "opening", "running", "ended", "failed"]
_PLACE: Final = "place"


@dataclass(frozen=True)
class LayerStatus:
    """State of a layer: 'failed' comes with the sentence to show; `rect` is where it was drawn last."""

    id: int
    state: LayerStatusState
    message: str = ""
    rect: PlacedRect | None = None


@dataclass(frozen=True)
class Composed:
    """Composited image, the encoder to continue with, and the turns of the layers' networks by span name."""

    texture: wgpu.GPUTexture
    encoder: wgpu.GPUCommandEncoder
    turns: Mapping[str, NetworkTurn]


@dataclass
class _RunningLayer:
    """A layer in use."""

    spec: LayerSpec
    place: Running
    content: LayerContent | None = None
    uploader: Uploader | None = None
    chain: ChainRunner | None = None
    frame: Frame | None = None  # uploaded last
    result: wgpu.GPUTexture | None = None  # of its chain
    rect: PlacedRect | None = None
    message: str = ""

    @property
    def is_shown(self) -> bool:
        return self.spec.enabled and not self.message


@dataclass
class _Canvas:
    """The textures that layers are drawn into in turns."""

    gpu: Gpu
    textures: list[wgpu.GPUTexture] = field(default_factory=list)

    def other(self, size: tuple[int, int], current: wgpu.GPUTexture | None) -> wgpu.GPUTexture:
        """Return a texture of a size that is not `current`."""
        if self.textures and self.textures[0].size[:2] != size:
            self.close()
        for texture in self.textures:
            if texture is not current:
                return texture
        usage = wgpu.TextureUsage
        made = self.gpu.device.create_texture(
            label=f"layers {len(self.textures)}",
            size=(*size, 1),
            format=WORKING_FORMAT,
            usage=usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC,
        )
        self.textures.append(made)
        return made

    def close(self) -> None:
        """Release the textures."""
        for texture in self.textures:
            texture.destroy()
        self.textures.clear()


class Compositor:
    """Runs layers: their sources, chains and what draws them.

    Attributes:
        tools: what contents are made with; change it before the first layer.
    """

    def __init__(
        self,
        gpu: Gpu,
        library: FilterLibrary,
        *,
        wait: bool = False,
        verifier: FilterVerifier | None = None,
        models: OpenModels | None = None,
    ) -> None:
        """Make one without layers; for the arguments see `ChainRunner`."""
        self._gpu, self._library, self._wait = gpu, library, wait
        self._verifier, self._models = verifier, models
        self._builder = StageBuilder(gpu, wait=wait)
        self._spec = Layers()
        self._layers: list[_RunningLayer] = []
        self._main: Running | None = None
        self._canvas = _Canvas(gpu)
        self._fade: Running | None = None  # made with the first fade
        self._fading = Fading(gpu, wait=wait)
        self._dirty = False
        self.tools = LayerTools(wait=wait)

    # -- what is wanted --------------------------------------------------------------------------------------

    @property
    def spec(self) -> Layers:
        """The layers wanted."""
        return self._spec

    def set_layers(self, layers: Layers) -> None:
        """Take over layers; returns at once. Raise LightloomError in batch work if one cannot be opened."""
        self._spec, self._dirty = layers, True
        known = {layer.spec.id: layer for layer in self._layers}
        self._layers = [self._updated(known.pop(spec.id, None), spec) for spec in layers.specs]
        for gone in known.values():
            self._release(gone)
        if layers.moves_main:
            self._main = self._step(self._main)
        elif self._main is not None:
            self._builder.release(self._main)
            self._main = None

    def _step(self, known: Running | None = None) -> Running:
        running = known or Running(StageSpec(0, _PLACE, self._library.layer_steps[_PLACE].defaults))
        self._builder.find(running, self._library.layer_steps.__getitem__)
        return running

    def _updated(self, known: _RunningLayer | None, spec: LayerSpec) -> _RunningLayer:
        layer = known if known is not None and known.spec.kind == spec.kind else None
        if known is not None and layer is None:
            self._release(known)
        if layer is None:
            layer = _RunningLayer(spec, self._step())
        is_other = layer.spec.values != spec.values
        is_switched_on = spec.enabled and not layer.spec.enabled
        layer.spec = spec
        # Another value, and switching it on, are the user's ways to say: try again.
        if is_other or is_switched_on or not spec.enabled:
            self._close_content(layer)
        if layer.chain is not None or spec.chain.stages:
            if layer.chain is None:
                layer.chain = ChainRunner(
                    self._gpu, self._library, wait=self._wait, verifier=self._verifier, models=self._models
                )
                layer.chain.wake = self.tools.wake
            layer.chain.set_spec(spec.chain)
        if spec.enabled and layer.content is None and not layer.message:
            try:
                layer.content = layer_kind(spec.kind).open(spec.values, self.tools)
            except LightloomError as error:
                self._fail(layer, error)
        return layer

    @staticmethod
    def _close_content(layer: _RunningLayer) -> None:
        if layer.content is not None:
            layer.content.close()
        if layer.chain is not None:
            layer.chain.reset()
        layer.content, layer.frame, layer.result, layer.message = None, None, None, ""

    def _release(self, layer: _RunningLayer) -> None:
        self._close_content(layer)
        if layer.chain is not None:
            layer.chain.close()
        if layer.uploader is not None:
            layer.uploader.close()
        self._builder.release(layer.place)

    @property
    def needs_results(self) -> bool:
        """True if a layer tells what the analysis network finds."""
        return any(
            layer.content is not None and layer.content.needs_results
            for layer in self._layers
            if layer.spec.enabled
        )

    def fade_from(self, shown: wgpu.GPUTexture, seconds: float) -> None:
        """Fade from an image (rgba16float) to what is drawn from now on, in a number of seconds."""
        self._fade = self._step(self._fade)
        self._fading.begin(shown, seconds)

    def end_fade(self) -> None:
        """Show the new image alone."""
        self._fading.end()

    @property
    def is_idle(self) -> bool:
        """True if the main image is shown as it is, and was so before."""
        is_unused = not self._spec.moves_main and not self._spec.in_use
        return is_unused and not self._dirty and not self._fading.is_on

    def is_dirty(self, moment: LayerMoment) -> bool:
        """Return True if `encode` would draw another image for the same main image."""
        if self._dirty or (self._fading.is_on and not self._wait):
            return True
        if self._main is not None and self._main.is_made:
            return True
        return any(self._has_news(layer, moment) for layer in self._layers if layer.is_shown)

    @staticmethod
    def _has_news(layer: _RunningLayer, moment: LayerMoment) -> bool:
        chain = layer.chain
        return (
            layer.place.is_made
            or (layer.content is not None and layer.content.is_stale(moment))
            or (chain is not None and (chain.is_dirty or chain.has_news))
        )

    @property
    def is_compiling(self) -> bool:
        """True while something is compiled for a layer."""
        others = (self._main, self._fade)
        made = [*(layer.place for layer in self._layers), *(each for each in others if each is not None)]
        chains = (layer.chain for layer in self._layers if layer.chain is not None and layer.is_shown)
        return any(running.making is not None for running in made) or any(c.is_compiling for c in chains)

    def reset(self) -> None:
        """Make the past of the layers' chains void."""
        for layer in self._layers:
            if layer.chain is not None:
                layer.chain.reset()

    @property
    def statuses(self) -> tuple[LayerStatus, ...]:
        """Status of each layer, the lowest first."""
        return tuple(self._status(layer) for layer in self._layers)

    @property
    def damage(self) -> tuple[Text, ...]:
        """Sentences on what of the layers' sources could not be read so far."""
        contents = (layer.content for layer in self._layers if layer.content is not None)
        return tuple(note for content in contents for note in content.damage)

    @staticmethod
    def _status(layer: _RunningLayer) -> LayerStatus:
        if not layer.spec.enabled:
            return LayerStatus(layer.spec.id, "off")
        message = layer.message
        for stage in layer.chain.statuses if layer.chain is not None else ():
            message = message or stage.failure
        content = layer.content
        if not message and content is not None and content.error is not None:
            message = str(content.error)
        if message:
            return LayerStatus(layer.spec.id, "failed", message, layer.rect)
        return LayerStatus(layer.spec.id, "opening" if content is None else content.state, "", layer.rect)

    # -- each frame ------------------------------------------------------------------------------------------

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        main: wgpu.GPUTexture,
        moment: LayerMoment,
        timer: FrameTimer,
        *,
        is_new: bool = True,
    ) -> Composed:
        """Record the drawing of all layers; `main` is the result of the main chain (rgba16float), `is_new` if
        it was not shown before.

        Raises:
            LightloomError: in batch work, a layer cannot be drawn.
        """
        self._dirty = False
        size = (main.width, main.height)
        turns: dict[str, NetworkTurn] = {}
        drawn: list[_RunningLayer] = []
        for layer in self._layers:
            # Also of layers that are not drawn: what is made and not used would ask for frames for ever.
            self._builder.collect(layer.place)
            if not layer.is_shown:
                continue
            try:
                encoder = self._prepare(encoder, layer, moment, timer, turns, is_new)
            except (LightloomError, wgpu.GPUError) as error:
                self._fail(layer, error)
                continue
            if layer.result is not None:
                drawn.append(layer)
        below = [layer for layer in drawn if layer.spec.below]
        current: wgpu.GPUTexture | None = None
        for layer in below:
            current = self._draw(encoder, layer, current, size, timer)
        current = self._draw_main(encoder, main, current, size, timer)
        for layer in drawn:
            if not layer.spec.below:
                current = self._draw(encoder, layer, current, size, timer)
        shown = current if current is not None else main
        if self._fading.is_on:
            shown = self._draw_fade(encoder, shown, moment.pts, timer)
        return Composed(shown, encoder, turns)

    def _draw_fade(
        self, encoder: wgpu.GPUCommandEncoder, shown: wgpu.GPUTexture, pts: float, timer: FrameTimer
    ) -> wgpu.GPUTexture:
        size = (shown.width, shown.height)
        share, before = self._fading.share(pts, size), self._fading.texture
        if self._fade is None or before is None:
            return shown
        rect = placed_rect(LayerPlace(0.0, 0.0, 1.0, 1.0, "stretch"), size, size)
        values = {**rect.values, "opacity": share}
        output = self._canvas.other(size, shown)
        is_drawn = self._place(encoder, self._fade, shown, values, before, size, timer, "layer fade", output)
        return output if is_drawn else before

    def _fail(self, layer: _RunningLayer, error: LightloomError | wgpu.GPUError) -> None:
        if isinstance(error, LightloomError):
            layer.message = str(error)
        else:
            layer.message = sentence(
                "The layer was switched off, because the GPU refused it: {reason}; choose a smaller source.",
                reason=gpu_reason(error),
            )
        log.warning("layer %d: %s", layer.spec.id, layer.message)
        if self._wait:
            raise FilterError(self.named(layer.spec, layer.message)) from error

    @property
    def fault(self) -> Text | None:
        """A sentence about the first layer that failed, with its name; None without one."""
        for layer, status in zip(self._layers, self.statuses, strict=True):
            if status.state == "failed":
                return self.named(layer.spec, status.message)
        return None

    @staticmethod
    def named(spec: LayerSpec, message: str) -> Text:
        """Return a sentence about a layer with its name before it."""
        kind = layer_kind(spec.kind)
        return sentence(
            "The layer '{name}' is not drawn. {message}",
            name=kind.name_of(spec.values)[:80] or kind.title,
            message=message,
        )

    def _prepare(
        self,
        encoder: wgpu.GPUCommandEncoder,
        layer: _RunningLayer,
        moment: LayerMoment,
        timer: FrameTimer,
        turns: dict[str, NetworkTurn],
        is_main_new: bool,
    ) -> wgpu.GPUCommandEncoder:
        """Record what a layer's image needs; return the encoder to continue with."""
        frame = layer.content.frame(moment) if layer.content is not None else None
        if frame is None:
            layer.result = None
            return encoder
        if layer.uploader is None:
            layer.uploader = Uploader(self._gpu)
        is_new = frame is not layer.frame
        prefix = f"layer {layer.spec.id} "
        if is_new:
            layer.uploader.upload(frame)
            with timer.prefixed(prefix):
                layer.uploader.encode(encoder, **timer.begin("color"))
                timer.end()
            layer.frame = frame
        picture = layer.uploader.texture
        if layer.chain is None:
            layer.result = picture
            return encoder
        # Filters of an image that stays the same may move; those of a video go by its frames.
        stays = layer.content is not None and layer.content.state == "ended"
        moves = (stage.automation or stays for stage in layer.spec.chain.stages if stage.enabled)
        is_moving = is_main_new and any(moves)
        if not (is_new or is_moving or layer.result is None or layer.chain.is_dirty or layer.chain.has_news):
            return encoder
        with timer.prefixed(prefix):
            encoded = layer.chain.encode(
                encoder, Picture(picture, picture, moment.pts), timer, is_new=is_new or is_moving
            )
        turns |= {prefix + span: turn for span, turn in encoded.turns.items()}
        layer.result = encoded.shown.picture.texture
        return encoded.encoder

    def _draw_main(
        self,
        encoder: wgpu.GPUCommandEncoder,
        main: wgpu.GPUTexture,
        current: wgpu.GPUTexture | None,
        size: tuple[int, int],
        timer: FrameTimer,
    ) -> wgpu.GPUTexture:
        if self._main is None and current is None:
            return main
        # Without a rectangle of its own it covers the image pixel by pixel.
        running = self._main = self._step(self._main)
        place = self._spec.main if self._spec.moves_main else LayerPlace(0.0, 0.0, 1.0, 1.0, "stretch")
        rect = placed_rect(place, size, size)
        values = {**rect.values, "first": current is None}
        output = self._canvas.other(size, current)
        is_drawn = self._place(encoder, running, main, values, current, size, timer, "layer main", output)
        return output if is_drawn else main

    def _draw(
        self,
        encoder: wgpu.GPUCommandEncoder,
        layer: _RunningLayer,
        current: wgpu.GPUTexture | None,
        size: tuple[int, int],
        timer: FrameTimer,
    ) -> wgpu.GPUTexture | None:
        """Record the drawing of a layer; return what there is then, `current` while it is compiled."""
        result, content = layer.result, layer.content
        assert result is not None and content is not None
        layer.rect = rect = placed_rect(
            layer.spec.place,
            (result.width, result.height),
            size,
            anchor=content.anchor,
            has_own_size=content.has_own_size,
        )
        values = {
            **rect.values,
            "opacity": layer.spec.opacity,
            "blend": layer.spec.blend,
            "first": current is None,
        }
        span, output = f"layer {layer.spec.id}", self._canvas.other(size, current)
        is_drawn = self._place(encoder, layer.place, result, values, current, size, timer, span, output)
        return output if is_drawn else current

    def _place(
        self,
        encoder: wgpu.GPUCommandEncoder,
        running: Running,
        texture: wgpu.GPUTexture,
        values: Values,
        current: wgpu.GPUTexture | None,
        size: tuple[int, int],
        timer: FrameTimer,
        span: str,
        output: wgpu.GPUTexture,
    ) -> bool:
        """Record the drawing of a texture over `current` into `output`; return False while it is compiled."""
        self._builder.collect(running)
        stage = running.stage
        if stage is None:
            return False
        stage.prepare(StageIO(current if current is not None else texture, texture, output), size, False)
        stage.update(FrameInfo(size))
        stage.set_values({**stage.program.spec.defaults, **values})
        compute_pass = encoder.begin_compute_pass(**timer.begin(span))
        stage.encode(compute_pass)
        compute_pass.end()
        timer.end()
        return True

    @property
    def spans(self) -> tuple[str, ...]:
        """Names of the spans of the layers that are drawn, the lowest first."""
        return tuple(f"layer {layer.spec.id}" for layer in self._layers if layer.is_shown)

    def close(self) -> None:
        """Release everything."""
        for layer in self._layers:
            self._release(layer)
        self._layers.clear()
        self._fading.end()
        for running in (self._main, self._fade):
            if running is not None:
                self._builder.release(running)
        self._builder.close()
        self._canvas.close()
