"""The live frame and its audio as a stream: RTMP, WHIP, MPEG-TS by UDP or SRT, HLS in a folder. Frames are encoded
here and sent by a process (`_stream_child.py`) that can be killed in any state of the network.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desktop.base.errors import ExportError, not_written
from desktop.base.fields import Flag, Line, Number, Secret, Selection, Value
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.outputs.encoding import CODECS
from desktop.outputs.live._stream_plan import (
    AS_SHOWN,
    AUTO,
    CODEC_CHOICES,
    HEIGHTS,
    MOST_MEGABITS,
    MOST_RATE,
    plan,
    remembered,
)
from desktop.outputs.live._stream_sink import StreamSink
from desktop.outputs.live._stream_target import check_protocol, init_name, target_of, without_secrets
from desktop.outputs.live.output import LiveOutput, PictureFormat

_HEAD: Final = 4096
# The forecast is requested repeatedly while it is visible; a stream that begins tries anew.
_KNOWN: Final = remembered()
# Servers take a sender that is silent for one that has gone.
_STILL_S: Final = 0.25


def _missing(values: Mapping[str, Value]) -> str:
    try:
        check_protocol(target_of(values))
    except ExportError as error:
        return str(error)
    return ""


def _foresee(values: Mapping[str, Value], pictures: PictureFormat) -> tuple[str, ...]:
    try:
        return plan(values, pictures, _KNOWN).notes
    except ExportError as error:
        return (str(error),)


def _open(values: Mapping[str, Value], pictures: PictureFormat) -> StreamSink:
    found = plan(values, pictures)
    if found.target.kind == "hls":
        _prepare(Path(found.target.address))
    return StreamSink(found)


def _prepare(playlist: Path) -> None:
    """Create a playlist's folder without earlier files; ExportError if unwritable or another program's."""
    try:
        playlist.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=playlist.parent):
            pass
        if not playlist.exists():
            return
        with playlist.open("rb") as file:
            head = file.read(_HEAD)
        # Reject playlists of music or other programs: ours contain the name of the segments' init file.
        if head and os.fsencode(f'#EXT-X-MAP:URI="{init_name(playlist)}"') not in head:
            raise ExportError(
                sentence("{path} is a playlist of another program: give another name.", path=playlist)
            )
        playlist.unlink()
        for old in playlist.parent.glob(f"{_escaped(playlist.stem)}-[0-9][0-9][0-9][0-9][0-9].m4s"):
            old.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise not_written(playlist, reason(error)) from error


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


OUTPUT: Final = LiveOutput(
    id="stream",
    title=sentence("Stream"),
    order=30,
    fields=(
        Line(
            name="address",
            label=sentence("Address"),
            help=sentence(
                "rtmp://host/app, whip://host/path, udp://host:port, srt://host:port, or a folder for HLS"
            ),
            required=True,
            storable=without_secrets,
        ),
        Secret(
            name="key",
            label=sentence("Stream key"),
            help=sentence(
                "What Twitch, YouTube and their like call so, and the bearer token of WHIP. It is neither saved nor "
                "shown; give it here and not in the address."
            ),
        ),
        Selection(
            name="codec",
            label=sentence("Codec"),
            help=sentence("auto: the first that the target takes and this computer encodes"),
            default=AUTO,
            choices=CODEC_CHOICES,
            titles={name: CODECS[name].title for name in CODEC_CHOICES if name in CODECS},
        ),
        Flag(
            name="hardware",
            label=sentence("Hardware encoder"),
            help=sentence("Encoders of the graphics card are asked first."),
            default=False,
        ),
        Number(
            name="bitrate",
            label=sentence("Mbit/s"),
            help=sentence("Bit rate of the video; 0: chosen by size and frame rate"),
            default=0.0,
            step=1.0,
            has_slider=False,
            max=MOST_MEGABITS,
        ),
        Selection(
            name="size",
            label=sentence("Size"),
            help=sentence("Smaller frames are never enlarged."),
            default=AS_SHOWN,
            choices=tuple(HEIGHTS),
        ),
        Number(
            name="rate",
            label=sentence("Frames per second"),
            help=sentence("At most; 0: as many as the source has"),
            default=0.0,
            step=1.0,
            has_slider=False,
            max=MOST_RATE,
        ),
    ),
    missing=_missing,
    foresee=_foresee,
    open=_open,
    repeat_s=_STILL_S,
)
