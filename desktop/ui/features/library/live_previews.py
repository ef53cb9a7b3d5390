"""Previews of the gallery as images: requested for what is visible, and rendered beside the frames."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from desktop.base.errors import GpuError
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.network_previews import NetworkRequest
from desktop.ui.features.library.result_image import result_image
from desktop.ui.kit.motion import Motion
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

log = logging.getLogger(__name__)

PLAIN: Final = "plain"
"""The key of the frame itself, which stands for what has no preview."""

_WIDTH: Final = 160
# After the first frame, which nothing is to delay.
_WARM_MS: Final = 300
_AT_LATEST_MS: Final = 4000
"""Delay until previews begin in a window without a source, which shows no first frame."""
_AGAIN_MS: Final = 33


class LivePreviews(QObject):
    """Keeps the newest preview of each key as an image.

    Signals:
        made: a key (str) has another image.
        cleared: there are no images any more.
        dimmed: all images are of another source.
        warmed: previews may be made from now on; sent once.
    """

    made = Signal(str)
    cleared = Signal()
    dimmed = Signal()
    warmed = Signal()

    def __init__(
        self, engine: Engine, playback: Playback, edits: Edits, motion: Motion, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._motion = motion
        self._outdated: set[str] = set()  # images of another source or of changed filters
        self._of_other_source: set[str] = set()
        self._engine, self._playback, self._edits = engine, playback, edits
        self._images: dict[str, QImage] = {}
        self._requested: dict[str, ChainSpec] = {}
        self._networks: dict[str, NetworkRequest] = {}
        self._ratio = 1.0
        self._is_warm = self._has_requested = self._has_networks = False
        # A source was opened and no frame of it drawn: networks, which are computed once, would get the last one's.
        self._awaits_frame = False
        self._anonymize = edits.setup.anonymize
        self._arrived = ThreadSignal(self._collect)
        engine.on_previews = self._arrived.send
        # Of a frame that stays there are no events that would make the rest.
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._advance)
        playback.opened.connect(lambda _: self._follow_opened())
        playback.changed.connect(self._follow_source)
        edits.setup_changed.connect(self._follow_setup)
        motion.changed.connect(self._request)
        QTimer.singleShot(_AT_LATEST_MS, self, self._warm)

    # -- what is wanted --------------------------------------------------------------------------------------

    def want(
        self, chains: Mapping[str, ChainSpec], networks: Mapping[str, NetworkRequest], ratio: float
    ) -> None:
        """Request previews by key, for a screen of a device pixel ratio; replaces the previous request.

        Those of `networks` are computed one after another, once for each source.
        """
        self._requested, self._networks, self._ratio = dict(chains), dict(networks), ratio
        self._request()

    def _request(self) -> None:
        if not self._is_warm or not (self._requested or self._networks or self._has_requested):
            return
        self._has_requested = True
        previews, box = self._engine.previews, round(_WIDTH * self._ratio)
        if previews.box != box:
            previews.box = box
            previews.invalidate()
            self._outdated.update(self._images)
        previews.request(self._due())
        if self._networks or self._has_networks:
            self._has_networks = True
            self._engine.network_previews.request({} if self._awaits_frame else self._networks)
        self._advance()

    def _due(self) -> dict[str, ChainSpec]:
        """Return what is to be rendered: all of it with each frame, or once if motion is reduced."""
        if not self._motion.is_reduced:
            return self._requested
        made = self._images.keys() - self._outdated
        return {key: chain for key, chain in self._requested.items() if key not in made}

    def image(self, key: str) -> QImage | None:
        """Return the newest image of a key, None before the first."""
        return self._images.get(key)

    def is_of_other_source(self, key: str) -> bool:
        """Return True until the image of a key is made of the source that was opened last."""
        return key in self._of_other_source

    def is_refused(self, key: str) -> bool:
        """Return True if there will be no image: the filter does not compile, or the GPU rejects it."""
        return (self._has_requested and key in self._engine.previews.unavailable) or (
            self._has_networks and key in self._engine.network_previews.unavailable
        )

    def invalidate(self) -> None:
        """Render all previews again: filters have changed."""
        self._outdated.update(self._images)
        if self._has_requested:
            self._engine.previews.invalidate()
            self._request()

    def _invalidate_all(self) -> None:
        if self._has_networks:
            self._engine.network_previews.invalidate()
        self.invalidate()

    def follow_device(self) -> None:
        """Request everything from another device."""
        self._request()

    # -- following frames ------------------------------------------------------------------------------------

    def on_drawn(self) -> None:
        """Render some previews of the new frame that was drawn."""
        if self._awaits_frame:
            self._awaits_frame = False
            self._request()
        else:
            self.on_redrawn()

    def on_redrawn(self) -> None:
        """Render some previews of the frame that was drawn again."""
        if self._is_warm:
            self._advance()

    def begin(self) -> None:
        """Make previews from a moment on: the first frame is on the screen."""
        QTimer.singleShot(_WARM_MS, self, self._warm)

    def _warm(self) -> None:
        if self._is_warm:
            return
        self._is_warm = True
        self.warmed.emit()
        self._request()

    def _advance(self) -> None:
        if not (self._requested or self._networks) or not self._playback.has_picture:
            self._again.stop()
            return
        try:
            self._engine.render_previews()
        except GpuError as error:
            # The viewport, which meets the same with its next frame, reports it.
            log.warning("no previews: %s", error)
            self._again.stop()
            return
        if self._engine.previews.is_complete and self._networks_complete:
            self._again.stop()
        elif not self._again.isActive():
            self._again.start()

    @property
    def _networks_complete(self) -> bool:
        return not self._has_networks or self._engine.network_previews.is_complete

    def _collect(self) -> None:
        found = self._engine.previews.take()
        if self._has_networks:
            self._collect_networks()
        # What was on its way when the source was closed shows nothing that plays.
        for preview in found if self._playback.source is not None else ():
            height, width = preview.pixels.shape[:2]
            pixels = preview.pixels
            image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888)
            # A copy, in the format that is painted quickest.
            self._images[preview.key] = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
            self._outdated.discard(preview.key)
            self._of_other_source.discard(preview.key)
            self.made.emit(preview.key)
        if found and self._motion.is_reduced:
            self._request()

    def _collect_networks(self) -> None:
        previews = self._engine.network_previews
        previews.advance()
        found = previews.take()
        for preview in found if self._playback.source is not None else ():
            self._images[preview.key] = result_image(preview, round(_WIDTH * self._ratio))
            self._of_other_source.discard(preview.key)
            self.made.emit(preview.key)

    def _follow_opened(self) -> None:
        self._awaits_frame = True
        self._of_other_source.update(self._images)
        self.dimmed.emit()
        self._invalidate_all()

    def _follow_source(self) -> None:
        if self._playback.source is None:
            self._clear()

    def _follow_setup(self) -> None:
        """Drop images that show what is hidden from now on."""
        anonymize = self._edits.setup.anonymize
        if anonymize != self._anonymize:
            self._anonymize = anonymize
            self._clear()
            self._invalidate_all()

    def _clear(self) -> None:
        self._images.clear()
        self._outdated.clear()
        self._of_other_source.clear()
        self.cleared.emit()

    def close(self) -> None:
        """Request nothing any more."""
        self._again.stop()
        self._requested, self._networks = {}, {}
        self._engine.on_previews = None
