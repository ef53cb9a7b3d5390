"""The process that sends a stream: `python -m desktop send-stream` (bundled: `lightloom send-stream`).

It is separate, as PyAV connects with the GIL held and without a timeout: an unresponsive address would block
every thread. Standard input: a line of JSON, an `Order`, then NUT. Output: lines of JSON, each a `Report`.
"""

from __future__ import annotations

import errno
import faulthandler
import json
import os
import socket
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import av

from desktop.base.errors import ExportError, writing_advice
from desktop.base.wording import Text, packed, sentence
from desktop.media.containers import av_reason, network_error, open_container
from desktop.outputs.video_file import VideoFile

# Of reports, and of the watchdog's being put off.
_EVERY_S: Final = 0.25
# The process ends itself if one call takes this long and its parent is gone.
_HANGS_S: Final = 30.0
# Bytes to read at once: enough for one packet, so that none waits for more.
_INPUT: Final = {"probesize": "32", "analyzeduration": "0"}
_GONE: Final = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
_WHIP: Final = "whip"
"""FFmpeg's name of the muxer."""
_NO_WAY: Final = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN})


@dataclass(frozen=True)
class Order:
    """A destination for the stream process.

    Attributes:
        address: with the key; a file's name in `folder` for HLS.
        public: a form of the address without secrets.
        format: FFmpeg's name of the container, `options` of its muxer, with the token for WHIP.
    """

    address: str = field(repr=False)
    folder: str
    public: str
    host: str
    port: int
    format: str
    options: Mapping[str, str] = field(repr=False)

    def line(self) -> bytes:
        """Return it as the first line of the input."""
        return json.dumps(asdict(self)).encode() + b"\n"


@dataclass(frozen=True)
class Report:
    """Progress since the process began.

    Attributes:
        pictures, size: frames delivered, and bytes of their packets and the audio's.
        pts: of the last frame, in seconds of the stream.
        at: when that was delivered, in seconds of `time.perf_counter`, which all processes share.
        failed: a sentence, packed; None while there is no failure.
    """

    pictures: int = 0
    size: int = 0
    pts: float = 0.0
    at: float = 0.0
    failed: Any = None
    connecting: bool = False

    @classmethod
    def of_line(cls, line: bytes) -> Report | None:
        """Return what a line of the output says, None for one that says something else."""
        try:
            return cls(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            return None


def main() -> int:
    """Send until the input ends; return 0, or 1 after a report of what failed."""
    order: Order | None = None
    with Path(os.devnull).open("w") as nowhere:
        # Output of libraries contains the address and is not read here: a full pipe would block the process.
        os.dup2(nowhere.fileno(), 2)
        _put_off(nowhere)
        try:
            # Unbuffered: a buffered file would wait until as much as FFmpeg asks for is there.
            given = os.fdopen(0, "rb", buffering=0, closefd=False)
            order = Order(**json.loads(given.readline()))
            _send_report(Report(connecting=True))
            _Sending(order, nowhere).run(given)
        except ExportError as error:
            _send_report(Report(failed=packed(error.args[0])))
            return 1
        except Exception as error:
            # Never FFmpeg's own text, which has the address, and the key in it.
            if order is not None:
                is_outside = isinstance(error, OSError | ValueError | av.FFmpegError)
                told = _broken if is_outside else _own_fault
                _send_report(Report(failed=packed(told(order, network_error(error)))))
            return 1
    return 0


def _send_report(report: Report) -> None:
    # Not by sys.stdout, which a program without a console may not have.
    os.write(1, json.dumps(asdict(report)).encode() + b"\n")


def _put_off(nowhere: Any) -> None:
    # In C, on a thread that needs no lock of Python's.
    faulthandler.dump_traceback_later(_HANGS_S, exit=True, file=nowhere)


class _Sending:
    def __init__(self, order: Order, nowhere: Any) -> None:
        self._order, self._nowhere = order, nowhere
        self._files: list[VideoFile] = []
        self._report = Report()
        self._reported_at = 0.0

    def run(self, given: Any) -> None:
        source = open_container(given, format="nut", options=_INPUT, buffer_size=4096)
        if self._order.folder:
            # FFmpeg takes a folder's percent signs for places of numbers.
            os.chdir(self._order.folder)
        else:
            self._find_host()
        # Files through Python: of the errors of a disk FFmpeg's muxer of HLS forgets some.
        arguments = {"io_open": self._open_file} if self._order.folder else {}
        target = open_container(
            self._order.address,
            "w",
            format=self._order.format,
            container_options=dict(self._order.options),
            **arguments,
        )
        # opaque: else PyAV asks for an encoder with the name of the decoder, and has none called libdav1d.
        streams = {each.index: target.add_stream_from_template(each, opaque=True) for each in source.streams}
        try:
            target.start_encoding()
        except (OSError, ValueError, av.FFmpegError) as error:
            raise ExportError(_refused(self._order, network_error(error))) from None
        _send_report(self._report)
        for packet in source.demux():
            if packet.size:
                is_picture, size = packet.stream.type == "video", packet.size
                pts = float(packet.pts * packet.time_base)
                packet.stream = streams[packet.stream.index]
                target.mux(packet)
                self._check_files()
                self._handed_on(size, pts if is_picture else None)
        target.close()
        self._check_files()
        _send_report(self._report)

    def _find_host(self) -> None:
        try:
            socket.getaddrinfo(self._order.host, self._order.port)
        except (OSError, UnicodeError):
            raise ExportError(
                sentence(
                    "There is no host named {host}, or the network is away: check the address.",
                    host=self._order.host,
                )
            ) from None

    def _open_file(self, name: str, flags: int, options: Mapping[str, str]) -> VideoFile:
        file = VideoFile(name, "wb")
        self._files = [each for each in self._files if not each.closed or each.failure] + [file]
        return file

    def _check_files(self) -> None:
        failure = next((each.failure for each in self._files if each.failure is not None), None)
        if failure is not None:
            raise failure

    def _handed_on(self, size: int, pts: float | None) -> None:
        now, last = time.perf_counter(), self._report
        self._report = Report(
            last.pictures + (pts is not None),
            last.size + size,
            last.pts if pts is None else pts,
            last.at if pts is None else now,
        )
        if now - self._reported_at >= _EVERY_S:
            self._reported_at = now
            _put_off(self._nowhere)
            _send_report(self._report)


def _refused(order: Order, error: Exception) -> Text:
    """Return the error of a stream of which nothing was sent yet."""
    if order.folder:
        return _broken(order, error)
    if isinstance(error, ConnectionRefusedError):
        return sentence(
            "{address} refuses the connection: check that the server runs and that the port is right.",
            address=order.public,
        )
    if isinstance(error, TimeoutError) or getattr(error, "errno", 0) in _NO_WAY:
        return sentence(
            "{address} does not answer: check the address, the network and the firewall.",
            address=order.public,
        )
    if isinstance(error, av.error.HTTPClientError | av.error.HTTPServerError):
        return _refused_by_http(order, error)
    if order.format == _WHIP and _is_encryption_error(error):
        return sentence(
            "The encrypted connection to {address} cannot be established: check the server's log for TLS and DTLS, "
            "or use its RTMP address.",
            address=order.public,
        )
    return sentence(
        "{address} does not take the stream: check the address, the key, and which codecs it takes.",
        address=order.public,
    )


def _is_encryption_error(error: Exception) -> bool:
    """Return True for an error of FFmpeg's TLS or DTLS in WHIP: EIO with GnuTLS and OpenSSL, an error of an
    external library with Windows' Schannel.
    """
    return isinstance(error, av.error.ExternalError) or getattr(error, "errno", 0) == errno.EIO


def _refused_by_http(order: Order, error: Exception) -> Text:
    """Return the error for a status that a server of WHIP answered with."""
    if isinstance(error, av.error.HTTPUnauthorizedError | av.error.HTTPForbiddenError):
        return sentence("{address} refuses the stream key: check the key.", address=order.public)
    if isinstance(error, av.error.HTTPNotFoundError):
        return sentence("{address} has nothing at this path: check the whole address.", address=order.public)
    if isinstance(error, av.error.HTTPServerError):
        return sentence("{address} failed (HTTP status 5xx): check the server's log.", address=order.public)
    return sentence(
        "{address} refuses the request: check that the address is one for WHIP.", address=order.public
    )


def _broken(order: Order, error: Exception) -> Text:
    if order.folder:
        return sentence(
            "Writing {path} failed partway: {reason}; {advice}.",
            path=order.public,
            reason=av_reason(error),
            advice=writing_advice(av_reason(error)),
        )
    if isinstance(error, _GONE):
        return sentence("{address} broke the connection off: check the server.", address=order.public)
    return sentence("The connection to {address} failed: check the network.", address=order.public)


def _own_fault(order: Order, error: Exception) -> Text:
    """Return the error for a fault of this program: nothing is wrong with network and server."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return sentence(
        "The stream to {address} ended by a fault of Lightloom's own ({error}); report it.",
        address=order.public,
        error=f"{type(error).__name__}, {Path(place.filename).name}:{place.lineno}",
    )
