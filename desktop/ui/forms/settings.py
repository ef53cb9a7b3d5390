"""Persistent settings (an INI file in the user's configuration folder), and the program's log file.

A broken file is moved aside and gives the defaults; `Settings.problem` has the message. A new setting is one
line of `Settings`. See docs/architecture.md, "A setting".
"""

from __future__ import annotations

import logging
import logging.handlers
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QSettings

from desktop.base.addresses import has_secrets, is_address
from desktop.base.fields import Available, Flag, Folder, Integer, Line, Number, Selection
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
    Consent,
    Count,
    Moment,
    Names,
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
        Selection(
            "theme",
            "system",
            titles={
                "system": sentence("As the system"),
                # Not "Light" alone, which is a group of filters and has another translation.
                "dark": sentence("Dark theme"),
                "light": sentence("Light theme"),
            },
            label=sentence("Theme"),
            help=sentence("Colors of the window. The text size is that of the desktop."),
        ),
        WINDOW,
    )
    motion = Setting(
        Selection(
            "window/motion",
            "system",
            titles={"system": sentence("As the system"), "on": sentence("On"), "off": sentence("Off")},
            label=sentence("Reduce motion"),
            help=sentence("Panels appear at once, and the images of the library stand still."),
        ),
        WINDOW,
    )
    """Whether animations are left out: 'system', 'on' or 'off'."""
    # The window's texts are created once: updating them live would need a second, untested path for each.
    language = Setting(
        Available(
            "language",
            empty=sentence("As the system"),
            available=offers.languages,
            label=sentence("Language"),
        ),
        WINDOW,
        at_once=False,
    )
    """Code of the language, '' for the system's."""
    adapter = Setting(
        Available(
            "adapter",
            empty=sentence("The best"),
            available=offers.adapters,
            slow=True,
            label=sentence("Graphics adapter"),
            help=sentence("What effects and networks compute on. The chain is kept."),
        ),
        WINDOW,
    )
    """Name of the adapter, '' for the best."""
    look_fade = Setting(
        Number(
            "looks/fade",
            0.0,
            0.0,
            60.0,
            0.5,
            "s",
            has_slider=False,
            label=sentence("Cross-fade of looks"),
            help=sentence("How long one look takes to become the next. 0 for a cut."),
        ),
        WINDOW,
    )
    """Seconds of the cross-fade from one look to the next, 0.0 for none."""
    show_stats = Setting(
        Flag(
            "overlay/stats",
            False,
            label=sentence("Performance overlay"),
            help=sentence("Rate, latency and dropped frames, over the video."),
        ),
        WINDOW,
    )
    """True if the performance overlay is pinned; off by default, since the header shows the rate."""
    shows_seen = Setting(
        Flag(
            "overlay/seen",
            True,
            label=sentence("What the network sees"),
            help=sentence("Boxes, masks, names and trails over the video in the window."),
        ),
        WINDOW,
    )
    library_tab = Setting(
        Selection(
            "library/tab",
            "looks",
            titles={
                "looks": sentence("Looks"),
                "effects": sentence("Effects"),
                "networks": sentence("Networks"),
            },
            label=sentence("Page of the library"),
        ),
        WINDOW,
    )
    library_view = Setting(
        Selection(
            "library/view",
            "tiles",
            titles={"tiles": sentence("Images"), "rows": sentence("List")},
            label=sentence("View of the library"),
            help=sentence("Images of the current frame with each effect, or one row for each."),
        ),
        WINDOW,
    )
    shows_look = Setting(
        Flag(
            "chain/begin",
            True,
            label=sentence("Begin with an effect on the sample"),
            help=sentence("Until its chain is changed once."),
        ),
        WINDOW,
        at_once=False,
    )
    """True if the window starts with a filter on the sample, until the user changes that chain."""
    restores_session = Setting(
        Flag(
            "session/restore",
            True,
            label=sentence("Restore the last session"),
            help=sentence(
                "Source, chain, network and zones come back when Lightloom is started without a file. After a "
                "crash it asks first."
            ),
        ),
        WINDOW,
        at_once=False,
    )
    """True if a start without arguments restores the previous session."""
    weekly_updates = Setting(
        Consent(
            "updates/weekly",
            label=sentence("Look for a new version once a week"),
            help=sentence("Nothing about you is sent, and nothing is downloaded or installed."),
        ),
        WINDOW,
    )
    """Whether to check for updates once a week; None until the user was asked."""
    metrics_address = Setting(
        Line(
            "metrics/address",
            placeholder=sentence("none: nothing is served"),
            verify=offers.check_metrics_address,
            label=sentence("Address of metrics"),
            help=sentence(
                "Figures for Prometheus, as at 127.0.0.1:9464; anyone who can reach the address can read them."
            ),
        ),
        WINDOW,
    )
    """Address at which metrics are served to Prometheus, '' for none."""
    midi_device = Setting(
        Line(
            "controllers/midi",
            placeholder=sentence("off"),
            label=sentence("MIDI devices"),
            help=sentence("Part of a device's name, or 'all'; what automations follow."),
        ),
        WINDOW,
    )
    """The MIDI devices that are listened to, '' for none."""
    osc_address = Setting(
        Line(
            "controllers/osc",
            placeholder=sentence("off"),
            verify=offers.check_osc_address,
            label=sentence("OSC port"),
            help=sentence("Such as 9000 for programs here, or 0.0.0.0:9000 for all that reach this machine."),
        ),
        WINDOW,
    )
    """Port or HOST:PORT at which OSC messages are received, '' for none."""
    audio_input = Setting(
        Available(
            "controllers/audio",
            empty=sentence("Off"),
            available=offers.audio_inputs,
            slow=True,
            label=sentence("Audio input for automations"),
            help=sentence(
                "What effects that follow the audio hear with cameras, streams and images; open only while one does."
            ),
        ),
        WINDOW,
    )
    """The audio input that automations follow, as `audio_inputs` has it; '' for none."""

    snapshot_folder = Setting(
        Folder("snapshot/folder", usual=saved_folder, label=sentence("Folder of snapshots")), SNAPSHOTS
    )
    snapshot_format = Setting(
        Selection(
            "snapshot/format",
            "png",
            titles={"png": "PNG", "jpg": "JPEG", "webp": "WebP"},
            label=sentence("Format of snapshots"),
            help=sentence("PNG keeps every pixel as it is."),
        ),
        SNAPSHOTS,
    )
    snapshot_quality = Setting(
        Integer(
            "snapshot/quality",
            95,
            1,
            100,
            has_slider=False,
            label=sentence("Quality of snapshots"),
            help=sentence("Of JPEG and WebP, from 1 to 100; 100 is WebP without loss."),
        ),
        SNAPSHOTS,
    )
    saves_overlay = Setting(
        Flag(
            "overlay/saved",
            True,
            label=sentence("Save results with the image"),
            help=sentence("Draws what a network sees into snapshots and recordings."),
        ),
        SNAPSHOTS,
    )
    """True if a network's results are drawn into snapshots and recordings, as on the screen."""

    recording_folder = Setting(
        Folder("recording/folder", usual=saved_folder, label=sentence("Folder of recordings")), RECORDINGS
    )
    recording_kind = Setting(
        Selection(
            "recording/kind", ".mp4", titles=offers.CONTAINERS, label=sentence("Kind of file of recordings")
        ),
        RECORDINGS,
    )
    """File extension."""
    recording_codec = Setting(
        Selection(
            "recording/codec",
            "",
            titles=offers.CODECS,
            label=sentence("Codec of recordings"),
            help=sentence("Where the kind of file takes it; the usual one elsewhere."),
        ),
        RECORDINGS,
    )
    recording_quality = Setting(
        Selection("recording/quality", "", titles=offers.QUALITIES, label=sentence("Quality of recordings")),
        RECORDINGS,
    )
    """Steps from the default quality on a scale to 51, as text; '' for the default."""
    recording_lines = Setting(
        Selection("recording/lines", "", titles=offers.HEIGHTS, label=sentence("Size of recordings")),
        RECORDINGS,
    )
    recording_rate = Setting(
        Selection("recording/rate", "", titles=offers.RATES, label=sentence("Rate of recordings")), RECORDINGS
    )
    recording_segment = Setting(
        Selection(
            "recording/segment",
            "",
            titles=offers.SEGMENTS,
            label=sentence("Begin a new file"),
            help=sentence(
                "Names of files end in the time at which each begins. GIF and WebP remain one file."
            ),
        ),
        RECORDINGS,
    )
    """Length of a segment, as `SegmentLimit.parse` takes it; '' for one file."""
    records_sound = Setting(
        Flag(
            "recording/sound",
            True,
            label=sentence("Record audio"),
            help=sentence("What is heard while the recording runs."),
        ),
        RECORDINGS,
    )
    records_microphone = Setting(
        Flag(
            "sound/microphone",
            False,
            label=sentence("Record the microphone with a camera"),
            help=sentence("Also with streams that have no audio."),
        ),
        RECORDINGS,
    )
    """True if recordings of cameras and of streams without audio include the microphone."""
    hardware_encoding = Setting(
        Flag(
            "recording/hardware",
            False,
            label=sentence("Encode on the graphics card"),
            help=sentence("If it can; of recordings and exports. It is quicker, and makes larger files."),
        ),
        RECORDINGS,
    )

    volume = Setting(
        Number(
            "sound/volume", 1.0, 0.0, 1.0, 0.05, "%", has_slider=False, scale=100.0, label=sentence("Volume")
        ),
        PLAYBACK,
    )
    """Volume of videos, from 0 to 1."""
    muted = Setting(Flag("sound/muted", False, label=sentence("Hear nothing")), PLAYBACK)
    """True if videos are muted."""
    sound_device = Setting(
        Available(
            "sound/device",
            empty=sentence("As the system"),
            available=offers.sound_devices,
            slow=True,
            label=sentence("Audio device"),
        ),
        PLAYBACK,
    )
    """Audio device, as `open_device` takes it; '' for the system's default."""
    deinterlaces = Setting(
        Flag(
            "video/deinterlaces",
            True,
            label=sentence("Deinterlace"),
            help=sentence("Makes interlaced videos whole."),
        ),
        PLAYBACK,
    )
    """True if interlaced videos are deinterlaced."""
    stabilizes_live = Setting(
        Flag(
            "video/stabilizes_live",
            False,
            label=sentence("Stabilize live sources"),
            help=sentence(
                "Takes the shaking out of cameras and streams: frames are enlarged by a tenth, and shown ten "
                "frames later."
            ),
        ),
        PLAYBACK,
    )
    """True if live sources are stabilized."""
    picture_seconds = Setting(
        Number(
            "playlist/picture_seconds",
            5.0,
            0.5,
            3600.0,
            0.5,
            "s",
            has_slider=False,
            label=sentence("Images of a playlist stay"),
            help=sentence("How long an image is shown, of a playlist or of a folder in it."),
        ),
        PLAYBACK,
    )
    shuffles = Setting(
        Flag(
            "playlist/shuffles",
            False,
            label=sentence("Shuffle playlists"),
            help=sentence("Each entry is played once before any comes again."),
        ),
        PLAYBACK,
    )
    """True if playlists are shuffled."""
    playlist_loop = Setting(
        Selection(
            "playlist/loop",
            "none",
            titles={
                "none": sentence("Nothing"),
                "all": sentence("The first one again"),
                "one": sentence("Each entry again and again"),
            },
            label=sentence("After a playlist's last entry"),
        ),
        PLAYBACK,
    )
    decoding = Setting(
        Available(
            "video/decoding",
            empty=sentence("What is faster here"),
            available=offers.decoders,
            label=sentence("Decoding of videos"),
            help=sentence("Counts from the next video on."),
        ),
        PLAYBACK,
    )
    """Video decoder: '' for the fastest, 'software', or a device by FFmpeg's name."""
    shows_subtitles = Setting(
        Flag(
            "video/subtitles",
            False,
            label=sentence("Subtitles"),
            help=sentence("Videos begin with those that they carry, or that are beside them."),
        ),
        PLAYBACK,
    )
    """True if videos start with subtitles."""

    output_screen = Setting(
        Available(
            "output/screen",
            empty=sentence("The second screen, or a window"),
            available=offers.screens,
            label=sentence("Where the clean output is"),
            help=sentence("The whole of a screen, or a window."),
        ),
        OUTPUT,
    )
    """Name of a screen, 'window' for a window; '' for the whole second screen if there is one."""
    output_mirrored = Setting(
        Flag("output/mirrored", False, label=sentence("Mirror the clean output")), OUTPUT
    )
    output_seen = Setting(
        Flag(
            "output/seen",
            False,
            label=sentence("What the network sees in the clean output"),
            help=sentence("Draws boxes, masks, names and trails there too."),
        ),
        OUTPUT,
    )

    names_things = Setting(
        Flag(
            "network/begin",
            True,
            label=sentence("Begin with a network"),
            help=sentence("On the sample; until a network is removed, and again once one is used."),
        ),
        NETWORKS,
        at_once=False,
    )
    """True if the window starts with a network; False after the user removes it, until one is used."""
    first_network = Setting(
        Available(
            "network/first",
            empty=sentence("The bundled classifier"),
            available=offers.networks,
            label=sentence("Network at the start"),
        ),
        NETWORKS,
        at_once=False,
    )
    """Name of a bundled network, or the path of another; '' for the classifier."""
    model_folder = Setting(
        Folder(
            "models/folder",
            usual=user_model_folder,
            label=sentence("Folder of networks"),
            help=sentence("Where they are downloaded to. Those that are in another folder stay there."),
        ),
        NETWORKS,
    )
    """Folder of downloaded networks, '' for the default one."""
    model_mirror = Setting(
        Line(
            "models/mirror",
            placeholder=sentence("none: each network's own web page"),
            verify=offers.check_mirror,
            label=sentence("Address of a mirror"),
            help=sentence("A folder on a web server with the files of the list under their names."),
        ),
        NETWORKS,
    )
    """Mirror from which networks are downloaded instead of the catalogue's addresses, '' for those."""
    offline = Setting(
        Flag("models/offline", False, label=sentence("Work offline"), help=sentence("Downloads no network.")),
        NETWORKS,
    )
    """True if downloads are forbidden."""

    folder = Setting(
        Folder(
            "folder", usual=Path.home, written=False, label=sentence("Folder in which files were opened last")
        ),
        REMEMBERED,
    )
    """Folder of the last opened file, '' for none."""
    recent = Setting(Names("recent", label=sentence("Sources opened lately")), REMEMBERED)
    """Newest first."""
    models = Setting(Names("library/models", label=sentence("Networks used lately")), REMEMBERED)
    """Paths of networks that were used, newest first."""
    favorites = Setting(Names("library/favourites", label=sentence("Favorite effects")), REMEMBERED)
    """Their ids."""
    commands = Setting(Names("palette/uses", label=sentence("Commands used lately")), REMEMBERED)
    """See `command_uses.uses_of`."""
    favorite_presets = Setting(
        Names("library/favorite_presets", label=sentence("Favorite looks")), REMEMBERED
    )
    """Names of bundled presets, paths of others."""
    favorite_networks = Setting(
        Names("library/favorite_networks", label=sentence("Favorite networks")), REMEMBERED
    )
    """Keys of the networks of the library."""
    recent_filters = Setting(Names("library/recent", label=sentence("Effects used lately")), REMEMBERED)
    """Their ids, newest first."""
    recent_presets = Setting(Names("library/recent_presets", label=sentence("Looks used lately")), REMEMBERED)
    """As `favorite_presets`, newest first."""
    export_kind = Setting(
        Selection(
            "export/kind",
            ".mp4",
            titles={**offers.CONTAINERS, **offers.SERIES},
            label=sentence("Kind of file of the last export"),
        ),
        REMEMBERED,
    )
    """File extension."""
    export_lines = Setting(
        Selection("export/lines", "", titles=offers.HEIGHTS, label=sentence("Size of the last export")),
        REMEMBERED,
    )
    export_quality = Setting(
        Selection(
            "export/quality", "", titles=offers.QUALITIES, label=sentence("Quality of the last export")
        ),
        REMEMBERED,
    )
    """As `recording_quality`."""
    geometry = Setting(State("window/geometry", label=sentence("Place and size of the window")), REMEMBERED)
    output_geometry = Setting(
        State("output/geometry", label=sentence("Place and size of the clean output")), REMEMBERED
    )
    docks = Setting(State("window/docks", label=sentence("Places of the panels")), REMEMBERED)
    # The kinds of scopes, and 'source' or 'result', the image that they are of.
    scopes = Setting(
        Names(
            "scopes/shown",
            ["histogram", "waveform", "result"],
            label=sentence("The scopes that are shown"),
            internal=True,
        ),
        REMEMBERED,
    )
    hinted = Setting(
        Flag("help/hinted", False, label=sentence("The first hint was shown")), REMEMBERED, at_once=False
    )
    playlist_hinted = Setting(
        Flag("help/playlist_hinted", False, label=sentence("Where the playlist is was shown")),
        REMEMBERED,
        at_once=False,
    )
    starts = Setting(
        Count(
            "started",
            0,
            min=0,
            max=10**9,
            label=sentence("Number of starts"),
            help=sentence("From the third start on it may ask about new versions."),
        ),
        REMEMBERED,
        at_once=False,
    )
    last_update_look = Setting(
        Moment("updates/last", 0.0, max=1e12, label=sentence("Last look for a new version")),
        REMEMBERED,
        at_once=False,
    )
    """In seconds since 1970; 0.0 for never."""
    playlist_place = Setting(
        Integer(
            "playlist/place",
            0,
            0,
            10000,
            has_slider=False,
            label=sentence("Entry of the playlist that is in turn"),
            help=sentence("Counted from 0."),
        ),
        REMEMBERED,
        at_once=False,
    )
    playlist_left_out = Setting(
        Count(
            "playlist/left_out",
            0,
            min=0,
            max=10**6,
            label=sentence("Entries of the playlist that are not stored"),
            help=sentence("Cameras, the sample, addresses with a password, and unusual file names."),
        ),
        REMEMBERED,
        at_once=False,
    )
    camera_controls = Setting(
        Tables("cameras/controls", most=16, label=sentence("What was set on cameras")), REMEMBERED
    )
    """Control values by camera name and control id; to be validated by the reader."""
    live_outputs = Setting(Tables("outputs/live", label=sentence("Settings of the outputs")), REMEMBERED)
    """Options of live outputs: id -> field -> value; to be validated by the reader; no secrets."""

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

    def stored(self, key: str) -> Any:
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
        if is_address(name) and has_secrets(name):
            return
        self.recent = [name, *(n for n in self.recent if n != name)][:_RECENT]

    def add_recent_filter(self, name: str) -> None:
        """Move a filter to the front of those used lately."""
        self.recent_filters = [name, *(n for n in self.recent_filters if n != name)][:_RECENT]

    def add_recent_preset(self, name: str) -> None:
        """Move a preset to the front of those used lately."""
        self.recent_presets = [name, *(n for n in self.recent_presets if n != name)][:_RECENT]

    def clear_recent(self) -> None:
        """Clear the list of recent sources."""
        self.recent = []

    def sync(self) -> None:
        """Write the file now."""
        self._store.sync()
