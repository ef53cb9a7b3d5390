"""Persistent settings (an INI file in the user's configuration folder), and the program's log file.

A broken file is moved aside and gives the defaults; `Settings.problem` has the message. A new setting is one
line of `Settings`. See docs/architecture.md, "A setting".
"""

from __future__ import annotations

import logging
import logging.handlers
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSettings

from desktop.base.files import reason
from desktop.base.paths import user_config_folder, user_log_folder, user_model_folder, user_pictures_folder
from desktop.base.printable import PrintableFormatter
from desktop.base.wording import sentence
from desktop.ui.forms import offers
from desktop.ui.forms.setting import (
    NETWORKS,
    OUTPUT,
    PLAYBACK,
    RECORDINGS,
    REMEMBERED,
    SNAPSHOTS,
    WINDOW,
    AnySetting,
    Choice,
    Consent,
    DynamicChoice,
    Flag,
    Folder,
    Line,
    Moment,
    Names,
    Number,
    Setting,
    State,
    Tables,
)

log = logging.getLogger(__name__)

_RECENT: Final = 12


def start_logging() -> None:
    """Write the log to the user's log folder, at most three files of 1 MiB; without one, to stderr."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    try:
        user_log_folder().mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            user_log_folder() / "lightloom.log", maxBytes=1 << 20, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError as error:
        log.warning("no log file: %s", error)
        return
    handler.setFormatter(PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)


def saved_folder() -> Path:
    """Return the default folder of snapshots and recordings."""
    return user_pictures_folder() / "Lightloom"


class Settings:
    """The settings file. Each attribute is an entry, read and written on access."""

    theme = Setting(
        "theme",
        Choice(
            (
                ("system", sentence("As the system")),
                ("dark", sentence("Dark")),
                ("light", sentence("Light")),
            )
        ),
        WINDOW,
        sentence("Theme"),
    )
    # The window's texts are created once: updating them live would need a second, untested path for each.
    language = Setting(
        "language",
        DynamicChoice(sentence("As the system"), offers.languages),
        WINDOW,
        sentence("Language"),
        at_once=False,
    )
    """Code of the language, '' for the system's."""
    adapter = Setting(
        "adapter",
        DynamicChoice(sentence("The best"), offers.adapters, slow=True),
        WINDOW,
        sentence("Graphics adapter"),
        sentence("What filters and networks compute on. The chain is kept."),
    )
    """Name of the adapter, '' for the best."""
    show_stats = Setting(
        "overlay/stats",
        Flag(),
        WINDOW,
        sentence("Performance overlay"),
        sentence("Rate, latency and dropped frames, over the video."),
    )
    """True if the performance overlay is pinned; off by default, since the header shows the rate."""
    shows_seen = Setting(
        "overlay/seen",
        Flag(default=True),
        WINDOW,
        sentence("What the network sees"),
        sentence("Boxes, masks, names and trails over the video in the window."),
    )
    shows_look = Setting(
        "chain/begin",
        Flag(default=True),
        WINDOW,
        sentence("Begin with a filter on the sample"),
        sentence("Until its chain is changed once."),
        at_once=False,
    )
    """True if the window starts with a filter on the sample, until the user changes that chain."""
    restores_session = Setting(
        "session/restore",
        Flag(default=True),
        WINDOW,
        sentence("Restore the last session"),
        sentence(
            "Source, chain, network and zones come back when Lightloom is started without a file. After a "
            "crash it asks first."
        ),
        at_once=False,
    )
    """True if a start without arguments restores the previous session."""
    weekly_updates = Setting(
        "updates/weekly",
        Consent(),
        WINDOW,
        sentence("Look for a new version once a week"),
        sentence("Nothing about you is sent, and nothing is downloaded or installed."),
    )
    """Whether to check for updates once a week; None until the user was asked."""
    metrics_address = Setting(
        "metrics/address",
        Line(sentence("none: nothing is served"), offers.metrics_fault),
        WINDOW,
        sentence("Address of metrics"),
        sentence(
            "Figures for Prometheus, as at 127.0.0.1:9464; anyone who can reach the address can read them."
        ),
    )
    """Address at which metrics are served to Prometheus, '' for none."""

    snapshot_folder = Setting(
        "snapshot/folder", Folder(saved_folder), SNAPSHOTS, sentence("Folder of snapshots")
    )
    snapshot_format = Setting(
        "snapshot/format",
        Choice((("png", "PNG"), ("jpg", "JPEG"), ("webp", "WebP"))),
        SNAPSHOTS,
        sentence("Format of snapshots"),
        sentence("PNG keeps every pixel as it is."),
    )
    snapshot_quality = Setting(
        "snapshot/quality",
        Number(95, 1, 100),
        SNAPSHOTS,
        sentence("Quality of snapshots"),
        sentence("Of JPEG and WebP, from 1 to 100; 100 is WebP without loss."),
    )
    saves_overlay = Setting(
        "overlay/saved",
        Flag(default=True),
        SNAPSHOTS,
        sentence("Save results with the image"),
        sentence("Draws what a network sees into snapshots and recordings."),
    )
    """True if a network's results are drawn into snapshots and recordings, as on the screen."""

    recording_folder = Setting(
        "recording/folder", Folder(saved_folder), RECORDINGS, sentence("Folder of recordings")
    )
    recording_kind = Setting(
        "recording/kind", Choice(offers.containers), RECORDINGS, sentence("Kind of file of recordings")
    )
    """File extension."""
    recording_codec = Setting(
        "recording/codec",
        Choice(offers.codecs),
        RECORDINGS,
        sentence("Codec of recordings"),
        sentence("Where the kind of file takes it; the usual one elsewhere."),
    )
    recording_quality = Setting(
        "recording/quality", Choice(offers.qualities), RECORDINGS, sentence("Quality of recordings")
    )
    """Steps from the default quality on a scale to 51, as text; '' for the default."""
    recording_lines = Setting(
        "recording/lines", Choice(offers.heights), RECORDINGS, sentence("Size of recordings")
    )
    recording_rate = Setting(
        "recording/rate", Choice(offers.rates), RECORDINGS, sentence("Rate of recordings")
    )
    records_sound = Setting(
        "recording/sound",
        Flag(default=True),
        RECORDINGS,
        sentence("Record audio"),
        sentence("What is heard while the recording runs."),
    )
    records_microphone = Setting(
        "sound/microphone",
        Flag(),
        RECORDINGS,
        sentence("Record the microphone with a camera"),
        sentence("Also with streams that have no audio."),
    )
    """True if recordings of cameras and of streams without audio include the microphone."""
    hardware_encoding = Setting(
        "recording/hardware",
        Flag(),
        RECORDINGS,
        sentence("Encode on the graphics card"),
        sentence("If it can; of recordings and exports. It is quicker, and makes larger files."),
    )

    volume = Setting(
        "sound/volume", Number(1.0, 0.0, 1.0, 0.05, scale=100.0, unit=" %"), PLAYBACK, sentence("Volume")
    )
    """Volume of videos, from 0 to 1."""
    muted = Setting("sound/muted", Flag(), PLAYBACK, sentence("Hear nothing"))
    """True if videos are muted."""
    sound_device = Setting(
        "sound/device",
        DynamicChoice(sentence("As the system"), offers.sound_devices, slow=True),
        PLAYBACK,
        sentence("Audio device"),
    )
    """Audio device, as `open_device` takes it; '' for the system's default."""
    deinterlaces = Setting(
        "video/deinterlaces",
        Flag(default=True),
        PLAYBACK,
        sentence("Deinterlace"),
        sentence("Makes interlaced videos whole."),
    )
    """True if interlaced videos are deinterlaced."""
    picture_seconds = Setting(
        "playlist/picture_seconds",
        Number(5.0, 0.5, 3600.0, 0.5, decimals=1, unit=" s"),
        PLAYBACK,
        sentence("Images of a playlist stay"),
        sentence("How long an image is shown, of a playlist or of a folder in it."),
    )
    shuffles = Setting(
        "playlist/shuffles",
        Flag(),
        PLAYBACK,
        sentence("Shuffle playlists"),
        sentence("Each entry is played once before any comes again."),
    )
    """True if playlists are shuffled."""
    playlist_loop = Setting(
        "playlist/loop",
        Choice(
            (
                ("none", sentence("Nothing")),
                ("all", sentence("The first one again")),
                ("one", sentence("Each entry again and again")),
            )
        ),
        PLAYBACK,
        sentence("After a playlist's last entry"),
    )
    decoding = Setting(
        "video/decoding",
        DynamicChoice(sentence("What is faster here"), offers.decoders),
        PLAYBACK,
        sentence("Decoding of videos"),
        sentence("Counts from the next video on."),
    )
    """Video decoder: '' for the fastest, 'software', or a device by FFmpeg's name."""
    shows_subtitles = Setting(
        "video/subtitles",
        Flag(),
        PLAYBACK,
        sentence("Subtitles"),
        sentence("Videos begin with those that they carry, or that are beside them."),
    )
    """True if videos start with subtitles."""

    output_screen = Setting(
        "output/screen",
        DynamicChoice(sentence("The second screen, or a window"), offers.screens),
        OUTPUT,
        sentence("Where the clean output is"),
        sentence("The whole of a screen, or a window."),
    )
    """Name of a screen, 'window' for a window; '' for the whole second screen if there is one."""
    output_mirrored = Setting("output/mirrored", Flag(), OUTPUT, sentence("Mirror the clean output"))
    output_seen = Setting(
        "output/seen",
        Flag(),
        OUTPUT,
        sentence("What the network sees in the clean output"),
        sentence("Draws boxes, masks, names and trails there too."),
    )

    names_things = Setting(
        "network/begin",
        Flag(default=True),
        NETWORKS,
        sentence("Begin with a network"),
        sentence("On the sample; until a network is removed, and again once one is used."),
        at_once=False,
    )
    """True if the window starts with a network; False after the user removes it, until one is used."""
    first_network = Setting(
        "network/first",
        DynamicChoice(sentence("The bundled classifier"), offers.networks),
        NETWORKS,
        sentence("Network at the start"),
        at_once=False,
    )
    """Name of a bundled network, or the path of another; '' for the classifier."""
    model_folder = Setting(
        "models/folder",
        Folder(user_model_folder),
        NETWORKS,
        sentence("Folder of networks"),
        sentence("Where they are downloaded to. Those that are in another folder stay there."),
    )
    """Folder of downloaded networks, '' for the default one."""
    model_mirror = Setting(
        "models/mirror",
        Line(sentence("none: each network's own web page"), offers.mirror_fault),
        NETWORKS,
        sentence("Address of a mirror"),
        sentence("A folder on a web server with the files of the list under their names."),
    )
    """Mirror from which networks are downloaded instead of the catalogue's addresses, '' for those."""
    offline = Setting(
        "models/offline", Flag(), NETWORKS, sentence("Work offline"), sentence("Downloads no network.")
    )
    """True if downloads are forbidden."""

    folder = Setting(
        "folder",
        Folder(Path.home, written=False),
        REMEMBERED,
        sentence("Folder in which files were opened last"),
    )
    """Folder of the last opened file, '' for none."""
    recent = Setting("recent", Names(), REMEMBERED, sentence("Sources opened lately"))
    """Newest first."""
    models = Setting("library/models", Names(), REMEMBERED, sentence("Networks used lately"))
    """Paths of networks that were used, newest first."""
    favorites = Setting("library/favourites", Names(), REMEMBERED, sentence("Favorite filters"))
    """Their ids."""
    geometry = Setting("window/geometry", State(), REMEMBERED, sentence("Place and size of the window"))
    output_geometry = Setting(
        "output/geometry", State(), REMEMBERED, sentence("Place and size of the clean output")
    )
    docks = Setting("window/docks", State(), REMEMBERED, sentence("Places of the panels"))
    hinted = Setting("help/hinted", Flag(), REMEMBERED, sentence("The first hint was shown"), at_once=False)
    playlist_hinted = Setting(
        "help/playlist_hinted", Flag(), REMEMBERED, sentence("Where the playlist is was shown"), at_once=False
    )
    started_before = Setting(
        "started",
        Flag(),
        REMEMBERED,
        sentence("Lightloom was started before"),
        sentence("From the second start on it may ask about new versions."),
        at_once=False,
    )
    last_update_look = Setting(
        "updates/last", Moment(), REMEMBERED, sentence("Last look for a new version"), at_once=False
    )
    """In seconds since 1970; 0.0 for never."""
    playlist_place = Setting(
        "playlist/place",
        Number(0, 0, 10000),
        REMEMBERED,
        sentence("Entry of the playlist that is in turn"),
        sentence("Counted from 0."),
        at_once=False,
    )
    camera_controls = Setting(
        "cameras/controls", Tables(most=16), REMEMBERED, sentence("What was set on cameras")
    )
    """Control values by camera name and control id; to be validated by the reader."""
    live_outputs = Setting("outputs/live", Tables(), REMEMBERED, sentence("Settings of the outputs"))
    """Options of live outputs: id -> field -> value; to be validated by the reader; no secrets."""
    drivers_told = Setting(
        "drivers_told", Names(), REMEMBERED, sentence("Driver faults that were reported"), at_once=False
    )
    """Adapters, each with its driver version, whose known fault the window has reported."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._followers: list[tuple[frozenset[str], Callable[[], object]]] = []
        self._store = QSettings(str(path), QSettings.Format.IniFormat)
        if self._store.status() == QSettings.Status.FormatError:
            self._begin_anew()
        elif self._store.status() != QSettings.Status.NoError or not self._store.isWritable():
            self.problem = sentence(
                "The settings in {folder} cannot be read or written, so changes last until the window is "
                "closed; "
                "give the folder to your user.",
                folder=path.parent,
            )
        if self.problem:
            log.warning("%s", self.problem)

    def _begin_anew(self) -> None:
        kept = self.path.with_name(self.path.name + ".broken")
        try:
            self.path.replace(kept)
        except OSError as error:
            self.problem = sentence(
                "The settings {path} are damaged and cannot be moved away ({reason}); delete the file.",
                path=self.path,
                reason=reason(error),
            )
        else:
            self.problem = sentence(
                "The settings were damaged and begin anew; the old file is kept as {kept}.", kept=kept
            )
        self._store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self._store.clear()

    @classmethod
    def load(cls) -> Settings:
        """Open the user's settings."""
        return cls(user_config_folder() / "settings.ini")

    @classmethod
    def all(cls) -> Iterator[AnySetting]:
        """Yield every setting in order of definition."""
        for owner in reversed(cls.__mro__):
            yield from (entry for entry in vars(owner).values() if isinstance(entry, Setting))

    def stored(self, key: str) -> object:
        """Return the value stored under a key, None if there is none."""
        return self._store.value(key)

    def store(self, setting: AnySetting, value: object) -> None:
        """Store the value that a setting wrote, None to remove it; notify followers if it has changed."""
        if self._store.value(setting.key) == value:
            return
        if value is None:
            self._store.remove(setting.key)
        else:
            self._store.setValue(setting.key, value)
        for names, call in tuple(self._followers):
            if not names or setting.name in names:
                call()

    def follow(self, call: Callable[[], object], *settings: AnySetting) -> Callable[[], None]:
        """Call a function when one of `settings`, by default any, changes; return a function to stop."""
        entry = (frozenset(setting.name for setting in settings), call)
        self._followers.append(entry)

        def end() -> None:
            if entry in self._followers:
                self._followers.remove(entry)

        owner = getattr(call, "__self__", None)
        if isinstance(owner, QObject):
            owner.destroyed.connect(end)
        return end

    @property
    def snapshots_go_to(self) -> Path:
        """The folder of snapshots."""
        return Path(self.snapshot_folder) if self.snapshot_folder else saved_folder()

    @property
    def recordings_go_to(self) -> Path:
        """The folder of recordings."""
        return Path(self.recording_folder) if self.recording_folder else saved_folder()

    def add_model(self, path: str) -> None:
        """Move a network to the front of the recent ones."""
        self.models = [path, *(p for p in self.models if p != path)][:_RECENT]

    def remove_model(self, path: str) -> None:
        """Remove a network from the list of networks used."""
        self.models = [p for p in self.models if p != path]

    def add_recent(self, name: str) -> None:
        """Move a source to the front of the recent ones. Addresses with a password are not stored."""
        from urllib.parse import urlsplit

        if "://" in name and (urlsplit(name).password or urlsplit(name).query):
            return
        self.recent = [name, *(n for n in self.recent if n != name)][:_RECENT]

    def clear_recent(self) -> None:
        """Clear the list of recent sources."""
        self.recent = []

    def sync(self) -> None:
        """Write the file now."""
        self._store.sync()
