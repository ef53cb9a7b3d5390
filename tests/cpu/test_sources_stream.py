"""Network streams over loopback: real servers, real decoding; the reference is the frame number that each
picture carries.
"""

from __future__ import annotations

import contextlib
import io
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import av
import cv2
import numpy as np
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import SourceError, SourceUnsupportedError, StreamError, UsageError
from desktop.media.containers import network_error
from desktop.media.sources._live import Backlog
from desktop.media.sources.opening import open_source
from desktop.media.sources.stream import StreamSource, public_address

WIDTH, HEIGHT, BITS = 192, 96, 12
RATE = 25


def stamp(number):
    """A gray picture whose columns spell a number in black and white."""
    bits = [number >> k & 1 for k in range(BITS)]
    return np.repeat(np.array([[20 + 210 * b for b in bits]], np.uint8), WIDTH // BITS, 1).repeat(HEIGHT, 0)


def number_of(frame):
    luma = frame.planes[0]
    rows = np.frombuffer(luma.data, np.uint8)[: luma.stride * luma.height].reshape(luma.height, luma.stride)
    columns = rows[HEIGHT // 4 : HEIGHT * 3 // 4, :WIDTH].mean(0).reshape(BITS, -1)[:, 4:-4].mean(1)
    return sum(int(value > 128) << k for k, value in enumerate(columns))


class Sender:
    """Sends numbered pictures, in real time or slower. It never makes up for lost time, so that what is late
    is counted in pictures.
    """

    def __init__(self, drop_after=None, rate=RATE):
        self.sent = 0
        self.connections = 0
        self.drop_after = drop_after
        self.rate = rate
        self.stop = threading.Event()

    def pictures(self):
        self.connections += 1
        first = self.sent
        for k in range(4000):
            if self.drop_after and self.connections == 1 and k == self.drop_after:
                return
            if self.stop.wait(1 / self.rate):
                return
            self.sent = first + k + 1
            yield first + k

    def ts(self, write):
        sink = type(
            "Sink",
            (io.RawIOBase,),
            {"write": lambda _, b: write(bytes(b)) or len(b), "writable": lambda _: True},
        )()
        with av.open(sink, "w", format="mpegts", options={"flush_packets": "1"}) as out:
            stream = out.add_stream("mpeg2video", rate=RATE)
            stream.width, stream.height, stream.pix_fmt, stream.gop_size = WIDTH, HEIGHT, "yuv420p", 10
            stream.codec_context.max_b_frames = 0
            stream.bit_rate = 3_000_000
            for k, number in enumerate(self.pictures()):
                picture = av.VideoFrame.from_ndarray(stamp(number), "gray").reformat(format="yuv420p")
                picture.pts = k
                for packet in stream.encode(picture):
                    out.mux(packet)

    def mjpeg(self, write):
        for number in self.pictures():
            data = cv2.imencode(".jpg", stamp(number), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            write(head.encode() + data + b"\r\n")


def clip(count=25, format="matroska", codec="mjpeg"):
    """A recording of one second, numbered."""
    sink = io.BytesIO()
    with av.open(sink, "w", format=format) as out:
        stream = out.add_stream(codec, rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuvj420p"
        for k in range(count):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(stamp(k), "gray").reformat(format="yuvj420p")))
        out.mux(stream.encode(None))
    return sink.getvalue()


@pytest.fixture
def serve():
    servers, senders = [], []

    def start(sender, seen=None, redirect_to=""):
        moved = {"/moved": "/clip.mkv", "/to-file": redirect_to}

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, kind, body=b""):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                if body:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                path = self.path.split("?")[0]
                try:
                    if path == "/private" and not self.headers.get("Authorization"):
                        self.send_response(401)
                        self.send_header("WWW-Authenticate", 'Basic realm="x"')
                        self.end_headers()
                    elif path == "/private":
                        if seen is not None:
                            seen.append(self.headers["Authorization"])
                        self.send_error(403)
                    elif path == "/page":
                        self.answer("text/html", b"<html><body>no video here</body></html>" * 50)
                    elif path == "/list.m3u8":
                        text = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
                        self.answer("application/vnd.apple.mpegurl", text.encode())
                    elif path in moved:
                        self.send_response(302)
                        self.send_header("Location", moved[path])
                        self.end_headers()
                    elif path == "/clip.mkv":
                        self.answer("video/x-matroska", clip())
                    elif path == "/clip.h264":
                        self.answer("video/h264", clip(format="h264", codec="libx264"))
                    elif path == "/cut.mkv":
                        whole = clip(100)
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(whole)))
                        self.end_headers()
                        self.wfile.write(whole[: len(whole) * 2 // 3])
                    elif path == "/ts":
                        self.answer("video/mp2t")
                        sender.ts(self.wfile.write)
                    elif path == "/mjpeg":
                        self.answer("multipart/x-mixed-replace; boundary=frame")
                        sender.mjpeg(self.wfile.write)
                    else:
                        self.send_error(404)
                except (OSError, av.FFmpegError):
                    pass  # the client went away

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        senders.append(sender)
        return f"127.0.0.1:{server.server_address[1]}"

    yield start
    for sender in senders:
        if sender is not None:
            sender.stop.set()
    for server in servers:
        server.shutdown()
        server.server_close()


def take(source, count):
    """Take this many frames, which come; returns their numbers."""
    numbers = []

    def look():
        frame = source.take(time.perf_counter())
        if frame is not None:
            numbers.append(number_of(frame))
        return len(numbers) == count

    until(look, lambda: (source.state, source.error, numbers))
    return numbers


@pytest.mark.parametrize("path", ["ts", "mjpeg"])
def test_frames_arrive_in_order_and_whole(serve, path):
    sender = Sender()
    source = StreamSource(f"http://{serve(sender)}/{path}")
    assert source.capabilities.live is source and source.state == "idle"
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        numbers = take(source, 25)
    finally:
        source.close()
    assert numbers == sorted(set(numbers)) and numbers[-1] < sender.sent
    assert source.info.size == (WIDTH, HEIGHT) and source.info.live and source.info.kind == "stream"
    assert source.info.detail["codec"] == {"ts": "mpeg2video", "mjpeg": "mjpeg"}[path]
    assert source.state == "closed"


@pytest.mark.parametrize("path", ["ts", "mjpeg"])
def test_a_slow_consumer_sees_the_present(serve, path):
    sender = Sender()
    source = StreamSource(f"http://{serve(sender)}/{path}")
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        behind = []
        for _ in range(5):
            time.sleep(0.4)
            taken = take(source, 1)
            behind.append(sender.sent - taken[0])
    finally:
        source.close()
    # A decoder's delay. A consumer that is given the next picture, and not the newest, is 45 behind in the
    # end.
    assert max(behind[1:]) < 20, behind
    assert source.stats.dropped > source.stats.taken


def test_a_slow_decoder_drops_its_backlog(serve):
    class Slow(StreamSource):
        def _pictures(self, packet):
            time.sleep(0.12)  # three times the sender's interval
            return super()._pictures(packet)

    sender = Sender()
    source = Slow(f"http://{serve(sender)}/mjpeg")
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        behind = []
        while sender.sent < 150:
            taken = take(source, 1)
            behind.append(sender.sent - taken[0])
    finally:
        source.close()
    # Decoding everything would end 100 pictures behind, and be 50 behind in the middle.
    assert max(behind[len(behind) // 2 :]) < 38, behind
    assert source.stats.dropped > 10


def test_a_recording_is_played_at_its_own_pace_and_ends(serve):
    source = StreamSource(f"http://{serve(None)}/clip.mkv")
    put, shown, taken = source._slot.put, [], []

    def watched(frame):
        shown.append((frame, time.perf_counter()))
        put(frame)

    source._slot.put = watched
    source.start()

    def look():
        frame = source.take(time.perf_counter())
        if frame is not None:
            taken.append(number_of(frame))

    until(lambda: look() or source.state == "ended", lambda: source.error)
    look()  # what came between the last look and the end
    source.close()
    assert [number_of(frame) for frame, _ in shown] == list(range(25))
    # Nothing is shown before its time, counted from when the first picture came. How much later is the
    # machine's affair, and so is how many of them a consumer that is late does not see.
    begun = shown[0][0].captured_at
    assert all(at - begun > frame.pts - 0.002 for frame, at in shown)
    assert taken == sorted(set(taken)) and set(taken) <= set(range(25)) and taken[-1] == 24


def test_frames_gives_every_picture(serve):
    source = StreamSource(f"http://{serve(None)}/clip.mkv")
    frames = list(source.frames())
    assert [number_of(frame) for frame in frames] == list(range(25))
    assert [frame.index for frame in frames] == list(range(25))
    assert [frame.pts for frame in frames] == pytest.approx([k / RATE for k in range(25)], abs=0.002)
    assert source.info.size == (WIDTH, HEIGHT) and source.error is None


@pytest.mark.parametrize(("end", "rate"), [("", 25.0), ("#fps=12.5", 12.5), ("#FPS=12.5", 12.5)])
def test_a_stream_without_time_stamps_has_a_rate_that_is_assumed_or_given(serve, end, rate):
    source = StreamSource(f"http://{serve(Sender(drop_after=5))}/mjpeg{end}")
    source.until_end = True
    times = [frame.pts for frame in source.frames()]
    assert times == pytest.approx([k / rate for k in range(len(times))], abs=0.002) and len(times) > 2
    assert source.info.rate == rate
    assumed = "sends no time stamps, so 25 frames per second are assumed; add its rate to the address"
    assert (assumed in source.info.assumption) == (not end)


def test_a_rate_for_a_stream_with_time_stamps_is_refused(serve):
    with pytest.raises(
        SourceUnsupportedError, match="sends time stamps, so #fps=10 has no effect; leave it out"
    ):
        next(StreamSource(f"http://{serve(None)}/clip.mkv#fps=10").frames())
    for text in ("#fps=0", "#fps=", "#fps=1e3", "#fps=9999", "#FPS=0", "#fps", "#fps:10", "#fps=5&x=1"):
        with pytest.raises(UsageError, match=f"'{text}' is no frame rate; write one of 0.1 to 1000"):
            StreamSource(f"http://host/{text}")


def test_options_that_an_address_does_not_have_are_told_with_the_nearest_one():
    for address, said in (
        (
            "http://host/a#fsp=10",
            "'#fsp' is no option of an address; the only one is the frame rate, as in #fps=10",
        ),
        ("rtsp://host/a#rate=10", "'#rate' is no option of an address"),
        (
            "udp://239.0.0.1:1234?fifosize=5",
            r"'\?fifosize' is no option of udp addresses; did you mean 'fifo_size'\?",
        ),
        (
            "UDP://239.0.0.1:1234?ttl=1&REUSE=1",
            "'\\?REUSE' is no option of udp addresses; did you mean 'reuse'",
        ),
        ("rtp://host:5004?localrtport=2", "did you mean 'localrtpport'"),
        ("tcp://host:5?listn", "did you mean 'listen'"),
        (
            "tcp://host:5?token=hunter2",
            "'\\?token' is no option of tcp addresses; leave it out, or choose one of ",
        ),
        # FFmpeg takes 'anna' for the host, as `urlsplit` does.
        ("rtsp://anna:hunter2#ss@host/a", "contains #, / or \\?, which ends the host name; write # as %23"),
        ("rtsp://anna:hunter2/ss@host/a", "contains #, / or \\?, which ends the host name; write # as %23"),
        # A password that begins as a port does.
        ("rtsp://anna:12#hunter2@host/a", "contains #, / or \\?, which ends the host name; write # as %23"),
        (
            "rtsp://anna:12/hunter2@host:554/a",
            "contains #, / or \\?, which ends the host name; write # as %23",
        ),
        ("rtsp://anna:12?hunter2@host/a", "contains #, / or \\?, which ends the host name; write # as %23"),
        # No password, which cannot be known of a host without a dot.
        ("rtsp://cam:554/live/anna@example.org", "If the @ belongs to the path, write it as %40"),
        ("rtsp://anna:hunter2@host:99999/a", "of the address rtsp://host:99999 is not valid"),
        ("rtsp://anna:hunter2@ho st/a", "of the address rtsp://ho st is not valid"),
        ("rtsp://anna:hunter2@[::1/a", r"of the address rtsp://\[::1 is not valid"),
        ("rtsp://anna:hunter2@/a", "names no host"),
        ("rtsp://:554/a", "names no host"),
    ):
        with pytest.raises(UsageError, match=said) as refused:
            StreamSource(address)
        assert "hunter2" not in str(refused.value)
    # A query for a server is the server's, and a text behind '#' that is no option stays part of the address.
    for address in (
        "http://host/a?fifosize=5",
        "rtsp://host/a?anything=1",
        "rtsp://anna:pa%23ss@host/a",
        "rtsp://cam:554/live/anna%40example.org",
        "http://host/a#2",
        "http://host.example:8080/@anna/live.m3u8",
        "http://host:8080/live.m3u8?user=anna@example.org",
        "udp://:1234",
        "udp://@:1234",
        "udp://239.0.0.1:1234?fifo_size=5&overrun_nonfatal=1",
    ):
        StreamSource(address)


def test_frames_without_a_container_are_timed_by_their_arrival(serve):
    address = f"http://{serve(None)}/clip.h264"
    said = r"sends no time stamps, and its frames are timed by their arrival, so #fps=10 has no effect; leave it out"
    with pytest.raises(SourceUnsupportedError, match=said):
        next(StreamSource(f"{address}#fps=10").frames())
    source = StreamSource(address)
    source.until_end = True
    begun = time.perf_counter()
    times = [frame.pts for frame in source.frames()]
    assert source.info.detail["container"] == "h264" and source.info.assumption == ""
    assert len(times) == 25 and times == sorted(times)
    assert times[-1] <= time.perf_counter() - begun


def test_frames_end_with_the_stream_where_that_is_asked_for(serve):
    sender = Sender(drop_after=60)
    source = StreamSource(f"http://{serve(sender)}/ts")
    assert source.capabilities.live is source
    source.until_end = True
    numbers = [number_of(frame) for frame in source.frames()]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) and len(numbers) > 40
    assert source.end.kind == "end" and "stopped sending" in str(source.end.error)
    assert sender.connections == 1


@pytest.mark.parametrize("path", ["ts", "mjpeg"])
def test_frames_go_on_where_a_stream_comes_back(serve, path):
    sender = Sender(drop_after=40)
    source = StreamSource(f"http://{serve(sender)}/{path}")
    told = []
    source.on_change = lambda: told.append((source.state, str(source.error or "")))
    found = []
    with contextlib.closing(source.frames()) as frames:
        for frame in frames:
            found.append((number_of(frame), frame.pts))
            if found[-1][0] >= 60:
                break
    source.close()
    numbers, times = zip(*found, strict=True)
    assert list(numbers) == sorted(set(numbers)) and numbers[0] < 40
    assert np.all(np.diff(times) > 0), "times go on over a break"
    # The break takes at least as long as the wait before the first try.
    assert np.diff(times).max() > 0.4
    assert [state for state, _ in told] == ["opening", "live", "reconnecting", "live"]
    assert source.info.live and source.info.reconnects and source.end.kind == "canceled"


def test_frames_of_a_recording_that_breaks_off_raise(serve):
    source = StreamSource(f"http://{serve(None)}/cut.mkv")
    frames = []
    with pytest.raises(StreamError, match="broke off before its end"):
        frames.extend(source.frames())
    assert source.end.kind == "broken" and source.end.error is source.error
    assert not source.info.reconnects


def test_a_source_that_never_opened_says_so(serve):
    source = StreamSource(f"http://{serve(None)}/nothing")
    with pytest.raises(StreamError, match="404"):
        next(source.frames())
    assert source.end.kind == "refused"


def test_backlog_drops_whole_groups_and_starts_again_at_a_key():
    backlog = Backlog()
    skipped = [backlog.skip(0.1 * k, 0.0, k % 5 == 0) for k in range(8)]
    assert skipped == [False, False, False, False, True, True, True, True]
    assert backlog.skip(0.81, 0.01, False), "caught up, but in the middle of a group"
    assert backlog.skip(0.82, 0.01, False)
    assert not backlog.skip(0.83, 0.01, True)
    assert not backlog.skip(0.84, 0.01, False)


def test_it_comes_back_after_the_server_drops(serve):
    sender = Sender(drop_after=60)
    source = StreamSource(f"http://{serve(sender)}/ts")
    states = []
    source.on_change = lambda: states.append((source.state, str(source.error or "")))
    source.start()
    try:
        until(lambda: sender.connections >= 2 and source.state == "live", lambda: (states[-3:], source.error))
        until(lambda: take(source, 1)[0] >= 60)
    finally:
        source.close()
    reasons = [reason for state, reason in states if state == "reconnecting"]
    assert reasons and reasons[0].endswith(".") and "stopped sending" in reasons[0]


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("nothing", StreamError, "404"),
        ("page", SourceUnsupportedError, "not a video stream"),
        ("list.m3u8", SourceUnsupportedError, "not a video stream"),
        ("private", StreamError, "name and password"),
    ],
)
def test_refusals_say_why(serve, path, kind, words):
    source = StreamSource(f"http://{serve(None)}/{path}")
    source.start()
    until(lambda: source.state == "failed")
    source.close()
    assert isinstance(source.error, kind) and words in str(source.error)
    assert str(source.error).count(". ") == 0


def test_a_refused_connection_says_so():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for scheme in ("http", "tcp", "rtsp"):
        with pytest.raises(StreamError, match="refuses the connection"):
            next(StreamSource(f"{scheme}://127.0.0.1:{port}/x").frames())


@pytest.mark.parametrize(
    ("number", "kind"),
    [(107, ConnectionRefusedError), (108, ConnectionResetError), (138, TimeoutError), (110, OSError)],
)
def test_numbers_that_windows_has_for_network_errors_are_known(number, kind):
    # As in errno.h of the Universal C Runtime.
    error = av.error.UndefinedError(number, f"Error number -{number} occurred")
    assert type(network_error(error)) is kind
    known = av.error.EOFError(541478725, "End of file")
    assert network_error(known) is known


def test_redirects_lead_to_addresses_and_not_to_files(serve, tmp_path):
    assert number_of(next(StreamSource(f"http://{serve(None)}/moved").frames())) == 0
    (tmp_path / "clip.mkv").write_bytes(clip())
    with pytest.raises(SourceError):
        next(
            StreamSource(
                f"http://{serve(None, redirect_to=(tmp_path / 'clip.mkv').as_uri())}/to-file"
            ).frames()
        )


def test_secrets_are_sent_but_never_shown(serve):
    seen = []
    host = serve(None, seen)
    source = StreamSource(f"http://anna:s3cret@{host}/private?token=abc")
    source.start()
    until(lambda: source.state == "failed")
    source.close()
    assert seen and seen[0].startswith("Basic ")
    shown = f"{source.info} {source.error!r} {source.error.__cause__!r}"
    assert "403" in shown and not any(secret in shown for secret in ("s3cret", "anna", "abc"))
    assert public_address("rtsp://u:p@[::1]:554/a?b#c") == "rtsp://[::1]:554/a"


@pytest.mark.parametrize(
    ("address", "title"),
    [
        (" rtsp://anna:hunter2@host/a ", "rtsp://host/a"),
        ("rtsp://anna.b:12#hunter2=x@host/a", "rtsp://…@host/a"),
        ("rtsp://host/user=anna&password=hunter2", "rtsp://host/user=anna&password=…"),
    ],
)
def test_an_address_with_a_blank_or_an_odd_password_is_an_address_and_shows_no_secret(address, title):
    assert open_source(address).info.title == title


@pytest.mark.parametrize("address", ["file:///etc/passwd", "concat://a", "gopher://x/y", "http:///path"])
def test_other_schemes_are_refused(address):
    with pytest.raises(UsageError):
        StreamSource(address)


def test_mpeg_ts_over_tcp(serve):
    sender = Sender()
    listener = socket.create_server(("127.0.0.1", 0))

    def send():
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError, av.FFmpegError):
            sender.ts(connection.sendall)

    threading.Thread(target=send, daemon=True).start()
    source = StreamSource(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        numbers = take(source, 6)
    finally:
        sender.stop.set()
        source.close()
        listener.close()
    assert numbers == sorted(set(numbers)) and numbers[-1] < sender.sent


def test_the_shape_of_pixels_may_change_within_a_stream(tmp_path):
    from test_video import write_change_of_aspect

    write_change_of_aspect(tmp_path / "broadcast.ts")
    data = (tmp_path / "broadcast.ts").read_bytes()
    listener = socket.create_server(("127.0.0.1", 0))

    def send():
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            connection.sendall(data)

    threading.Thread(target=send, daemon=True).start()
    source = StreamSource(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
    source.until_end = True
    try:
        sizes = [frame.display_size for frame in source.frames()]
    finally:
        source.close()
        listener.close()
    before, after = (77, 56), (102, 56)
    # A packet at the joint counts as damaged.
    assert sizes[-20:] == [after] * 20 and source.info.size == after
    assert set(sizes[:-20]) == {before} and len(sizes) >= 38


def test_mpeg_ts_over_udp():
    sender = Sender()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def datagrams(data):
        for at in range(0, len(data), 1316):
            out.sendto(data[at : at + 1316], ("127.0.0.1", port))

    thread = threading.Thread(target=lambda: sender.ts(datagrams), daemon=True)
    source = StreamSource(f"udp://127.0.0.1:{port}")
    source.start()
    thread.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        numbers = take(source, 6)
    finally:
        sender.stop.set()
        thread.join(LIMIT_S)
        source.close()
        out.close()
    assert numbers == sorted(set(numbers)) and numbers[-1] < sender.sent


class RtspServer(threading.Thread):
    """RTSP 1.0 (RFC 2326) for one client: MPEG-TS in RTP (RFC 2250, payload type 33), interleaved in the
    connection.
    """

    def __init__(self, sender):
        super().__init__(daemon=True)
        self.sender, self.listener, self.methods = sender, socket.create_server(("127.0.0.1", 0)), []

    def run(self):
        connection, _ = self.listener.accept()
        with connection, connection.makefile("rb") as lines:
            try:
                while self.answer(connection, lines):
                    pass
            except (OSError, av.FFmpegError):
                pass

    def answer(self, connection, lines):
        request = lines.readline().decode().split()
        if not request:
            return False
        headers = {}
        while (line := lines.readline().decode().strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        method = request[0]
        self.methods.append(method)
        extra, body = "", ""
        if method == "OPTIONS":
            extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        elif method == "DESCRIBE":
            body = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=test\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track1\r\n"
            extra = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
        elif method == "SETUP":
            extra = f"Transport: {headers['transport']}\r\n"
        reply = f"RTSP/1.0 200 OK\r\nCSeq: {headers['cseq']}\r\nSession: 1\r\n{extra}\r\n{body}"
        connection.sendall(reply.encode())
        if method == "PLAY":
            self.play(connection)
        return method != "TEARDOWN"

    def play(self, connection):
        sequence = 0

        def send(data):
            nonlocal sequence
            for at in range(0, len(data), 1316):
                part = data[at : at + 1316]
                clock = int(time.perf_counter() * 90000) & 0xFFFFFFFF
                rtp = struct.pack(">BBHII", 0x80, 33, sequence & 0xFFFF, clock, 1) + part
                connection.sendall(b"$\0" + struct.pack(">H", len(rtp)) + rtp)
                sequence += 1

        self.sender.ts(send)


def test_rtsp():
    sender = Sender()
    server = RtspServer(sender)
    server.start()
    source = StreamSource(f"rtsp://127.0.0.1:{server.listener.getsockname()[1]}/live")
    source.start()
    try:
        until(lambda: source.state == "live", lambda: source.error)
        numbers = take(source, 8)
    finally:
        sender.stop.set()
        source.close()
        server.listener.close()
    assert server.methods[:4] == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"]
    assert numbers == sorted(set(numbers)) and numbers[-1] < sender.sent
    assert source.info.detail["transport"] == "rtsp"
