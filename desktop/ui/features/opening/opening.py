"""Opening: sources, and whatever is dropped on the window or named on the command line; looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.base.files import home_expanded
from desktop.base.wording import joined
from desktop.media.playlist import Entry
from desktop.media.playlist_file import ListRead, read_playlist
from desktop.media.sources.file_kinds import DropKind, kind_by_name
from desktop.net.inference.address import is_remote
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.description import Description
from desktop.pipeline.setup.known import title_of
from desktop.pipeline.setup.preset import LoadedPreset, save_preset
from desktop.pipeline.setup.setup import Setup, named_models
from desktop.pipeline.setup.still_hidden import still_hidden
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.by_adapter import sample_name
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.fader import Fader
from desktop.ui.workspace.history import AppliedLook
from desktop.ui.workspace.playback import Playback

# Dropped files that act on a frame and contain none.
_NO_SOURCE: Final[frozenset[DropKind]] = frozenset({"model", "filter", "preset", "lut"})


@dataclass(frozen=True)
class _Dropped:
    """The kind of a dropped item; 'unknown' may be a source, which only opening it determines."""

    spec: str
    kind: DropKind = "unknown"
    preset: LoadedPreset | None = None
    listed: ListRead | None = None
    error: LightloomError | None = None


def _open_preset(path: Path, library: FilterLibrary) -> LoadedPreset:
    # With it comes what knows networks' files, which the first frame does without.
    from desktop.pipeline.setup.bundle import open_preset

    return open_preset(path, library)


def _classify_dropped(spec: str, library: FilterLibrary) -> _Dropped:
    if is_remote(spec):
        return _Dropped(spec, "model")
    try:
        path = home_expanded(spec).absolute()
        if "://" in spec or not path.exists():
            return _Dropped(spec)
    except (OSError, ValueError):  # too long, a NUL
        return _Dropped(spec)
    try:
        # By the name alone: of many files none is to be opened before its turn.
        kind = kind_by_name(path)
        preset = _open_preset(path, library) if kind == "preset" else None
        return _Dropped(str(path), kind, preset, read_playlist(path) if kind == "playlist" else None)
    except LightloomError as error:
        return _Dropped(str(path), error=error)


class Opening(QObject):
    """Passes files and addresses to the component for their kind; dropped sources to `take_sources`."""

    subtitles_found = Signal(Path)
    presets_changed = Signal()

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        playlist: PlaylistPlayer,
        edits: Edits,
        networks: Networks,
        shaders: OwnShaders,
        fader: Fader,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._jobs, self._messages = engine, settings, jobs, messages
        self._playback, self._playlist = playback, playlist
        self._edits, self._networks, self._shaders = edits, networks, shaders
        self._fader = fader
        # Looks are read at the same time; one that was chosen before another is not applied after it.
        self._looks_chosen = self._look_applied = 0
        self.take_sources: Callable[[list[Entry | str]], None] = self.play
        self._had_source = False
        playback.opened.connect(self._on_opened)
        playback.changed.connect(self._on_changed)

    def open(self, spec: str) -> None:
        """Open a path, an address, 'sample', 'camera:...' or 'screen:...' as the source."""
        self._playback.open(spec)

    def open_sample(self) -> None:
        """Open the built-in sample."""
        self.open(sample_name(self._engine.gpu.adapter))

    def _on_opened(self, name: str) -> None:
        self._engine.current.clear_source_state()
        self.remember(name)

    def _on_changed(self) -> None:
        """Clear the state that belongs to a source once it is closed."""
        has_source = self._playback.source is not None
        if self._had_source and not has_source:
            self._engine.current.clear_source_state()
        self._had_source = has_source

    def remember(self, name: str) -> None:
        """List a file or an address as used lately."""
        if name and not name.startswith(("sample", "camera", "screen:")):
            self._settings.add_recent(name)

    def drop(self, specs: Sequence[str], *, on_sample: bool = False) -> None:
        """Open paths and addresses of any kind, several sources as the playlist; failures are reported.

        `on_sample`: open the sample if there are only filters, networks and looks, to show their effect.
        """

        def take_in(found: list[_Dropped]) -> None:
            good = [dropped.kind for dropped in found if dropped.error is None]
            if on_sample and good and _NO_SOURCE.issuperset(good):
                self.open_sample()
            self._take_all_in(found)

        # One job for all of them: they are taken in in the order in which they were dropped.
        self._jobs.run(lambda: [_classify_dropped(spec, self._engine.library) for spec in specs], take_in)

    def add(self, specs: Sequence[str], at: int | None = None) -> None:
        """Insert sources into the playlist, by default at the end; other files as in `drop`."""

        def take_in(found: list[_Dropped]) -> None:
            sources, others = self._sorted(found)
            self._playlist.add(sources, at)
            self._take_in(others)

        self._jobs.run(lambda: [_classify_dropped(spec, self._engine.library) for spec in specs], take_in)

    def play(self, sources: list[Entry | str]) -> None:
        """Play a source, or several as the playlist."""
        if len(sources) == 1 and isinstance(sources[0], str):
            self._playback.open(sources[0])
        elif sources:
            self._playlist.play(sources)

    def _take_all_in(self, found: list[_Dropped]) -> None:
        sources, others = self._sorted(found)
        # First: subtitles that are dropped with a video are for that one.
        self.take_sources(sources)
        self._take_in(others)

    def _sorted(self, found: list[_Dropped]) -> tuple[list[Entry | str], list[_Dropped]]:
        """Separate playable dropped items from all others."""
        sources: list[Entry | str] = []
        others = []
        for dropped in found:
            if dropped.listed is not None:
                self._playlist.report_skipped(Path(dropped.spec).name, dropped.listed)
                sources += dropped.listed.entries
            elif dropped.error is None and dropped.kind == "unknown":
                sources.append(dropped.spec)
            else:
                others.append(dropped)
        return sources, others

    def _take_in(self, found: list[_Dropped]) -> None:
        for dropped in found:
            self._take_one_in(dropped)

    def _take_one_in(self, dropped: _Dropped) -> None:
        if is_remote(dropped.spec):
            self._networks.use(dropped.spec)
            return
        path = Path(dropped.spec)
        if dropped.error is not None:
            self._messages.post("error", str(dropped.error), dropped.spec)
            return
        match dropped.kind:
            case "model":
                self._networks.use(path)
            case "filter":
                self._shaders.add(path)
            case "preset":
                self._use_preset(path, dropped.preset)
            case "subtitles":
                self.subtitles_found.emit(path)
            case "lut":
                self._edits.add_filter("lut", {"table": str(path)})

    # -- looks -----------------------------------------------------------------------------------------------

    def load_preset(self, path: Path, fade_s: float | None = None) -> None:
        """Read a look and use it, with a cross-fade of some seconds; None for that of the settings."""
        self._looks_chosen += 1
        number = self._looks_chosen

        def use(loaded: LoadedPreset) -> None:
            if number > self._look_applied:
                self._look_applied = number
                self._use_preset(path, loaded, fade_s)

        self._jobs.run(
            lambda: _open_preset(path, self._engine.library),
            use,
            lambda error: self._messages.post("error", str(error), str(path)),
        )

    def _use_preset(self, path: Path, loaded: LoadedPreset | None, fade_s: float | None = None) -> None:
        assert loaded is not None
        from desktop.pipeline.setup.zones import consent_notice

        for warning in loaded.warnings:
            self._messages.post("warning", warning)
        if off := consent_notice(loaded.setup.scene.events):
            self._messages.post("warning", joined(": ", (path.name, off)), about=f"events {path}")
        for shader in loaded.shaders:
            self._shaders.follow(shader)
        if loaded.shaders:
            self._shaders.filters_changed.emit()
        setup = still_hidden(self._edits.setup, loaded.setup)
        if setup.network != loaded.setup.network and loaded.setup.network is not None:
            said = self.tr(
                "Anonymize stays on, with its network: {0} says nothing of it, and its own network is not "
                "used."
            )
            self._messages.post("warning", said.format(path.name))
        elif setup != loaded.setup:
            said = self.tr("Anonymize stays on: {0} says nothing of it.")
            self._messages.post("info", said.format(path.name))
        title = title_of(path, loaded.description)
        look = AppliedLook(title, setup.chain, str(path), setup.network, is_whole=loaded.has_all_filters)
        label = self.tr("Look {0}").format(translated(title))
        # Called once the user has decided whether hosts in the untrusted preset may receive frames.
        self._networks.confirm_hosts(
            named_models(setup), lambda: self._apply_look(setup, label, look, fade_s)
        )

    def _apply_look(self, setup: Setup, label: str, look: AppliedLook, fade_s: float | None) -> None:
        before = self._edits.setup
        self._fader.apply(setup, label, look, self._settings.look_fade if fade_s is None else fade_s)
        self._networks.report_change(before, translated(look.title))

    def save_preset(self, path: Path, description: Description | None = None) -> None:
        """Write the setup as a look, or as a bundle if the name ends so (pipeline/setup/bundle.py), which has
        no title and purpose of its own.
        """
        from desktop.pipeline.setup.bundle import is_bundle, save_bundle

        setup, library = self._edits.setup, self._engine.library
        described = description or Description()
        history = self._edits.history
        look = AppliedLook(title_of(path, described), setup.chain, str(path), setup.network)

        def save() -> None:
            if is_bundle(path):
                save_bundle(setup, library, path)
            else:
                save_preset(setup, library, path, described)

        def report(_: object) -> None:
            # The user may have gone on meanwhile, or chosen another tile.
            if self._edits.history is history and self._edits.setup is setup:
                self._edits.set_look(look)
            self._settings.add_recent_preset(str(path))
            self._messages.post("info", self.tr("Look saved as {0}").format(path), str(path))
            self.presets_changed.emit()

        self._jobs.run(
            save,
            report,
            lambda error: self._messages.post("error", str(error)),
            saves=True,
        )
