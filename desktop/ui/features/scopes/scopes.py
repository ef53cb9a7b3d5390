"""The requested scopes, the image that they are of, and the picked color."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop.pipeline.engine import Engine
from desktop.pipeline.scopes.values import (
    MAGNIFIED,
    Color,
    MagnifiedPixels,
    Magnifier,
    PickedColor,
    ScopeKind,
    ScopePoint,
    ScopesSpec,
    ScopeValues,
)
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

KINDS: Final[tuple[ScopeKind, ...]] = ("histogram", "waveform", "parade", "vectorscope")


def codes_of(color: Color) -> tuple[int, int, int]:
    """Return the 8-bit codes of a color."""
    red, green, blue = (int(255.0 * value + 0.5) for value in color)
    return red, green, blue


def hex_of(color: Color) -> str:
    """Return a color as '#RRGGBB'."""
    return "#{:02X}{:02X}{:02X}".format(*codes_of(color))


def hsv_of(color: Color) -> tuple[int, int, int]:
    """Return hue in degrees, saturation and value in percent, of a color's 8-bit codes."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(code / 255.0 for code in codes_of(color)))
    return round(360.0 * hue) % 360, round(100.0 * saturation), round(100.0 * value)


Notation = Literal["codes", "shares", "hex"]
"""0..255, 0..1, or hexadecimal."""


def value_text(value: Sequence[float], notation: Notation) -> str:
    """Return R, G, B and A as text; only shares can show what is below 0 or above 1."""
    if notation == "shares":
        return " ".join(f"{number:.4f}" for number in value)
    codes = [int(255.0 * min(1.0, max(0.0, number)) + 0.5) if number == number else 0 for number in value]
    return "#" + "".join(f"{code:02X}" for code in codes) if notation == "hex" else " ".join(map(str, codes))


class Scopes(QObject):
    """Requests scopes while their panel is visible, and the color under the pointer while one is picked.

    Signals:
        changed: another choice, or picking has begun or ended.
        arrived: new values or colors.
    """

    changed = Signal()
    arrived = Signal()

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._engine, self._messages, self._playback, self._edits = engine, messages, playback, edits
        self.kinds: frozenset[ScopeKind] = frozenset(kind for kind in KINDS if kind in settings.scopes)
        self.point: ScopePoint = "source" if "source" in settings.scopes else "result"
        self._is_visible = self._is_picking = self._is_magnifying = False
        self.side = MAGNIFIED[1]
        """Pixels of a side of the magnified square."""
        self.notation: Notation = "codes"
        """Notation of the magnifier's values."""
        self._at: tuple[float, float] | None = None
        self._spec = ScopesSpec()
        self._seen: tuple[object, ...] = ()

    # -- choices ---------------------------------------------------------------------------------------------

    def set_visible(self, visible: bool) -> None:
        """Begin or end computing: the panel was shown or hidden."""
        self._is_visible = visible
        if not visible:
            self.set_picking(False)
            self.set_magnifying(False)
        self._apply()

    def set_shown(self, kind: ScopeKind, shown: bool) -> None:
        """Show or hide a scope."""
        self.kinds = self.kinds | {kind} if shown else self.kinds - {kind}
        self._remember()
        self._apply()

    def set_point(self, point: ScopePoint) -> None:
        """Choose the image."""
        self.point = point
        self._remember()
        self._apply()

    def _remember(self) -> None:
        # A stage's id means nothing in the next session, which begins with the result.
        point = self.point if isinstance(self.point, str) else "result"
        self._settings.scopes = [*(kind for kind in KINDS if kind in self.kinds), point]

    def follow_chain(self) -> None:
        """Return to the result if the stage after which scopes are taken is gone."""
        if isinstance(self.point, int) and self.point not in {s.id for s in self._edits.chain.stages}:
            self.set_point("result")

    # -- picking ---------------------------------------------------------------------------------------------

    @property
    def is_picking(self) -> bool:
        """True while the pointer picks colors."""
        return self._is_picking

    @property
    def at(self) -> tuple[float, float] | None:
        """The picked position in fractions of the frame; None before the pointer was on the frame."""
        return self._at

    def set_picking(self, picking: bool) -> None:
        """Begin or end picking; the values of the middle of the frame come first."""
        if picking == self._is_picking:
            return
        self._is_picking = picking
        self._aim_first()
        if picking:
            self._messages.said.emit(self.tr("Point at the video; a click copies the color, Esc ends"))
        self._apply()

    @property
    def is_magnifying(self) -> bool:
        """True while the pixels around the pointer are shown."""
        return self._is_magnifying

    @property
    def is_aiming(self) -> bool:
        """True while the position of the pointer matters."""
        return self._is_picking or self._is_magnifying

    def set_magnifying(self, on: bool) -> None:
        """Begin or end to magnify; the middle of the frame comes first."""
        if on == self._is_magnifying:
            return
        self._is_magnifying = on
        self._aim_first()
        if on:
            self._messages.said.emit(self.tr("Point at the video; arrow keys move by a pixel, Esc ends"))
        self._apply()

    def _aim_first(self) -> None:
        self._at = None if not self.is_aiming else self._at or (0.5, 0.5)

    def set_side(self, side: int) -> None:
        """Magnify more pixels, or fewer."""
        self.side = side
        self._apply()

    def set_notation(self, notation: Notation) -> None:
        """Write values in another way."""
        self.notation = notation
        self.changed.emit()

    def values_text(self, pixels: MagnifiedPixels) -> str:
        """Return R, G, B and A of the pixel at the position, as they are written and copied."""
        return value_text(pixels.value, self.notation)

    def copy_values(self) -> None:
        """Copy the values of the magnified pixel."""
        if self.magnified is not None:
            text = self.values_text(self.magnified)
            QGuiApplication.clipboard().setText(text)
            self._messages.said.emit(self.tr("Copied: {0}").format(text))

    def aim(self, at: tuple[float, float]) -> None:
        """Pick another position."""
        self._at = at
        self._apply()

    def copy(self) -> None:
        """Copy the picked color of the result as text."""
        if self.picked is not None:
            text = hex_of(self.picked.after)
            QGuiApplication.clipboard().setText(text)
            self._messages.said.emit(self.tr("Copied: {0}").format(text))

    # -- values ----------------------------------------------------------------------------------------------

    @property
    def values(self) -> ScopeValues | None:
        """The newest scopes; None before the first."""
        return self._engine.current.scopes

    @property
    def picked(self) -> PickedColor | None:
        """The newest picked color; None before the first."""
        return self._engine.current.picked

    @property
    def magnified(self) -> MagnifiedPixels | None:
        """The newest magnified pixels; None before the first."""
        return self._engine.current.magnified

    @property
    def size(self) -> tuple[int, int]:
        """Size of the frame that is shown."""
        return self._engine.current.picture_size

    def poll(self) -> None:
        """Take in new values, and have a frame that stays drawn once more if it lacks some."""
        if self._spec == ScopesSpec():
            return
        current = self._engine.current
        current.is_busy()
        if current.wants_frames:
            self._playback.woken.emit()
        seen = (current.scopes, current.picked, current.magnified)
        if tuple(map(id, seen)) != tuple(map(id, self._seen)):
            self._seen = seen
            self.arrived.emit()

    def _apply(self) -> None:
        spec = ScopesSpec()
        if self._is_visible:
            spec = replace(
                spec,
                kinds=self.kinds,
                point=self.point if self.kinds else "result",
                picked=self._at if self._is_picking else None,
            )
            if self._is_magnifying and self._at is not None:
                spec = replace(spec, magnifier=Magnifier(self._at, self.point, self.side))
        if spec != self._spec:
            self._spec = spec
            self._engine.watch_scopes(spec)
            self._playback.woken.emit()
        self.changed.emit()
