"""Streams out: what a target gets, real receivers on this machine, and networks that do not do what they
should.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import threading
import time

import av
import numpy as np
import psutil
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import ExportError, UsageError
from desktop.outputs.encoders import ENCODERS, choose_for, live_options_of
from desktop.outputs.encoding import CONTAINERS, STREAMED, Encoding
from desktop.outputs.frames import fitted
from desktop.outputs.live import _stream_link, live_outputs
from desktop.outputs.live._stream_plan import plan, remembered
from desktop.outputs.live._stream_sink import StreamSink
from desktop.outputs.live._stream_target import target_of, without_secrets
from desktop.outputs.live.feed import CommonOptions, Feeds
from desktop.outputs.live.output import PictureFormat
from tests.stream_rig import (
    COLORS,
    RATE,
    SIZE,
    Receiver,
    Sender,
    free_port,
    quarters,
    quarters_of,
)

OUTPUT = live_outputs()["stream"]
SHOWN = PictureFormat(*SIZE, RATE, sound=True)
KEY = "live_1234_secretKey"


def all_work(encoder, options, size):
    return True


def values(address, **given):
    return OUTPUT.checked({"address": str(address), **given})


def only(*names):
    return lambda encoder, options, size: encoder.name in names


def opened(address, shown=SHOWN, start=None, **given):
    found = values(address, **given)
    return StreamSink(plan(found, shown), start) if start else OUTPUT.open(found, shown)


# -- what a target gets, before anything is sent -------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "there", "name", "said"),
    [
        ("rtmp://a/live", ("libx264", "libsvtav1"), "libx264", ""),
        ("rtmp://a/live", ("h264_nvenc", "libsvtav1"), "h264_nvenc", ""),
        # What the bundles have on Linux without a graphics card's encoder.
        ("rtmp://a/live", ("libvpx-vp9", "libsvtav1", "mpeg4"), "libsvtav1", "Enhanced RTMP"),
        ("udp://a:1234", ("libvpx-vp9", "libsvtav1", "mpeg4"), "mpeg4", "libx264"),
        ("folder", ("libvpx-vp9", "libsvtav1", "mpeg4"), "libvpx-vp9", "Not every player"),
    ],
)
def test_what_a_target_gets_is_said(address, there, name, said):
    found = plan(values(address), SHOWN, only(*there))
    assert found.choice.encoder.name == name
    assert f"{SIZE[0]} x {SIZE[1]}" in found.notes[0] and "Mbit/s" in found.notes[0]
    assert bool(said) == (len(found.notes) > 1) and said in " ".join(found.notes)


def test_nothing_that_encodes_is_said_with_what_to_do():
    with pytest.raises(ExportError, match="install Lightloom with pip"):
        plan(values("rtmp://a/live"), SHOWN, only("mpeg4"))
    with pytest.raises(ExportError, match="does not take MPEG-4"):
        plan(values("rtmp://a/live", codec="mpeg4"), SHOWN, all_work)
    assert "does not take" in OUTPUT.foresee(values("rtmp://a/live", codec="mpeg4"), SHOWN)[0]


def test_hardware_is_asked_first_where_it_is_wanted():
    found = plan(values("udp://a:1", hardware=True), SHOWN, only("h264_qsv", "libx264"))
    assert found.choice.encoder.name == "h264_qsv"
    found = plan(values("udp://a:1", hardware=True), SHOWN, only("libx264"))
    assert found.choice.encoder.name == "libx264" and "No hardware encoder" in found.notes[1]


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda each: each.name)
def test_no_encoder_holds_pictures_back(encoder):
    options = live_options_of(encoder, 2_000_000)
    assert options["b"] == options["maxrate"] == "2000000" and options.get("bf", "0") == "0"
    assert "cq" not in options and "qp" not in options


def test_size_and_rates():
    large = PictureFormat(1920, 1080, 60.0)
    found = plan(values("udp://a:1", size="720p", rate=25.0, bitrate=3.0), large, all_work)
    assert (found.size, found.rate, found.bit_rate) == ((1280, 720), 25.0, 3_000_000)
    assert plan(values("udp://a:1", size="1080p"), SHOWN, all_work).size == SIZE  # never larger
    assert plan(values("udp://a:1"), large, all_work).bit_rate == 6_000_000
    for rate in (0.0, float("nan"), float("inf"), 1e9, -1.0):
        assert plan(values("udp://a:1"), PictureFormat(*SIZE, rate), all_work).rate == 30.0


def test_what_an_encoder_can_is_tried_once():
    tried = []
    trial = remembered(lambda encoder, options, size: tried.append((encoder.name, size)) or True)
    for address, size in (("udp://a:1", SIZE), ("udp://b:2", SIZE), ("udp://a:1", (320, 200))):
        for _ in range(3):
            assert plan(values(address), PictureFormat(*size, RATE), trial).size == size
    assert tried == [("libx264", SIZE), ("libx264", (320, 200))]


def test_no_container_of_streams_is_offered_for_files():
    files = {container.format for container in CONTAINERS.values()}
    assert not files & {container.format for container in STREAMED.values()}
    with pytest.raises(UsageError):
        choose_for(STREAMED["hls"], Encoding(codec="mpeg4"), trial=all_work)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "give an address"),
        ("whip:///b", "no host"),
        ("gopher://a/b", "use one of rtmp://"),
        ("rtmp:///app", "no host"),
        ("udp://a", "no port"),
        ("udp://a:99999", "not one"),
        ("rtmp://[::1/app", "not one"),
        ("rtmp://a b/app", "blank"),
    ],
)
def test_what_is_no_address_is_said(address, said):
    assert said in OUTPUT.missing(values(address, key=KEY))


def test_protocols_are_those_of_this_ffmpeg():
    assert OUTPUT.missing(values("rtmps://a/live")) == OUTPUT.missing(values("udp://a:1")) == ""
    # PyAV's wheels have no SRT; a build that has it takes it.
    said = OUTPUT.missing(values("srt://a:9000"))
    assert not said or ("SRT" in said and "install" in said)


def test_a_picture_of_another_shape_keeps_it():
    wide = fitted(np.full((50, 200, 4), 255, np.uint8), (100, 100))
    assert wide.shape == (100, 100, 4)
    assert (wide[:37, :, :3] == 0).all() and (wide[38:62] == 255).all() and (wide[63:, :, :3] == 0).all()
    # An odd row is repeated and not black.
    assert (fitted(np.full((97, 161, 4), 255, np.uint8), (162, 98)) == 255).all()


# -- the key -------------------------------------------------------------------------------------------------


def senders():
    """Return the processes that send, with their command lines; one that ends meanwhile has none."""
    found = {}
    for each in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            found[each] = " ".join(each.cmdline())
    return {each: line for each, line in found.items() if "send-stream" in line}


def test_the_key_is_in_nothing_that_is_said(caplog):
    caplog.set_level(logging.DEBUG)
    port = free_port()  # where nobody listens
    said = []
    for address in (f"rtmp://user:{KEY}@127.0.0.1:{port}/live", f"rtmp://127.0.0.1:{port}/live/{KEY}"):
        found = values(address, key=KEY)
        said += [repr(plan(found, SHOWN)), *OUTPUT.foresee(found, SHOWN), OUTPUT.missing(found)]
        sink = OUTPUT.open(found, SHOWN)
        sender = Sender(sink, lambda index: quarters())
        # Not in the words of the process that has it either, which anybody may list.
        until(lambda s=sender: senders() or s.error, "no process")
        said += senders().values()
        sender.thread.join(LIMIT_S)
        assert isinstance(sender.error, ExportError) and "refuses the connection" in str(sender.error)
        said += [str(sender.error), repr(sender.error), repr(sink.figures())]
        sender.stop()
    assert f"rtmp://127.0.0.1:{port}/live" in said[0]
    assert not [text for text in [*said, caplog.text] if KEY in text]


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        (f"rtmp://user:{KEY}@host:1936/app/{KEY}?token={KEY}", "rtmp://host:1936/app"),
        (f"rtmps://host/app/{KEY}", "rtmps://host/app"),
        (f"srt://host:9000?passphrase={KEY}&streamid={KEY}", "srt://host:9000"),
        (f"http://host/{KEY}", "http://host"),
        (f"rtmp://[::1/app/{KEY}", ""),
        # A character of the password ended the host.
        (f"rtmp://anna:12/x@{KEY}/{KEY}@host/app/{KEY}", "rtmp://…@host/app"),
        ("udp://239.0.0.1:5000?ttl=4", "udp://239.0.0.1:5000?ttl=4"),
        ("rtmp://live.twitch.tv/app", "rtmp://live.twitch.tv/app"),
        ("~/web/film.m3u8", "~/web/film.m3u8"),
        ("", ""),
    ],
)
def test_what_of_an_address_is_written_down(address, kept):
    assert without_secrets(address) == kept
    (field,) = (each for each in OUTPUT.fields if each.name == "address")
    assert field.storable(address) == kept


# -- real receivers ------------------------------------------------------------------------------------------


def numbered(index):
    """A picture that says which one it is, by four shades of gray: some are dropped where the machine is
    busy.
    """
    return quarters([(40 + 60 * (index >> 2 * digit & 3),) * 3 for digit in range(4)])


def number_of(pixels):
    shades = np.rint((quarters_of(pixels).mean(1) - 40) / 60).astype(int)
    return sum(int(shade) << 2 * digit for digit, shade in enumerate(shades))


def beep(index):
    """A block of sound as long as a picture: a tone in the twentieth of each second's 25."""
    samples = np.zeros((1920, 2), np.float32)
    if index % 25 == 20:
        samples[:, :] = 0.8 * np.sin(np.arange(1920) * 2 * np.pi * 1000 / 48_000)[:, None]
    return samples


def beginnings(sound):
    """When tones begin, in seconds."""
    found = []
    for t, samples in sound:
        loud = np.flatnonzero(np.abs(samples) > 0.2)
        if len(loud) and (not found or t - found[-1] > 0.5):
            found.append(t + loud[0] / 48_000)
    return found


@pytest.mark.parametrize("codec", ["h264", "mpeg4"])
def test_udp_brings_pictures_of_the_right_colors_and_sound(codec):
    port = free_port()
    receiver = Receiver(f"udp://127.0.0.1:{port}", format="mpegts", seconds=1.0, port=port)
    sink = opened(f"udp://127.0.0.1:{port}", codec=codec)
    sender = Sender(sink, lambda index: quarters(), lambda index: np.full((1920, 2), 0.1, np.float32))
    receiver.thread.join(LIMIT_S)
    until(lambda: sink.figures().bits_per_second, "no figures")
    figures = sink.figures()
    sender.stop()
    assert sender.error is None and receiver.codecs == {"video": codec, "audio": "aac"}
    assert receiver.pictures[-1][1].shape == (SIZE[1], SIZE[0], 3)
    # 8 bits of limited range, color of half the size: 2 of 255 on the average, 4 at worst.
    error = np.abs(quarters_of(receiver.pictures[-1][1]) - COLORS)
    assert error.mean() < 2 and error.max() < 4
    assert np.abs(np.concatenate([samples for _, samples in receiver.sound])).max() > 0.05
    assert figures.pictures > 0 and figures.latency_s > 0 and figures.note == ""


def test_rtmp_keeps_picture_and_sound_together_and_comes_back():
    port = free_port()
    address, listen = f"rtmp://127.0.0.1:{port}/live", {"listen": "1"}
    receiver = Receiver(f"{address}/{KEY}", listen, seconds=2.5, port=port)
    sink = opened(address, key=KEY)
    sender = Sender(sink, numbered, beep)
    receiver.thread.join(LIMIT_S)  # goes in the middle of it
    told = (receiver.error, sender.error, sink.figures(), len(receiver.pictures), len(receiver.sound))
    assert receiver.codecs == {"video": "h264", "audio": "aac"}, told
    # Where the sender's first picture stands in the receiver's time, by each picture and by each tone.
    seen = [t - number_of(pixels) / RATE for t, pixels in receiver.pictures]
    assert np.ptp(seen) < 0.003  # FLV counts milliseconds
    heard = beginnings(receiver.sound)
    assert len(heard) >= 2
    for moment in heard:
        assert abs((moment - seen[0] - 20 / 25 + 0.5) % 1.0 - 0.5) <= 0.040
    before = len(receiver.pictures)
    until(lambda: sink.figures().note, "the broken connection is not noticed")
    assert "again" in sink.figures().note and KEY not in sink.figures().note
    again = Receiver(f"{address}/{KEY}", listen, port=port)
    until(lambda: sink.figures().pictures > before and not sink.figures().note, "it is not back")
    sender.stop()
    again.leave()
    assert again.pictures and sender.error is None


def test_a_picture_that_stands_still_is_sent_until_it_may_not_be():
    port = free_port()
    receiver = Receiver(f"udp://127.0.0.1:{port}", format="mpegts", port=port)
    feeds = Feeds()
    try:
        shown = PictureFormat(*SIZE, RATE)
        feed = feeds.begin(
            OUTPUT, values(f"udp://127.0.0.1:{port}"), shown, CommonOptions(overlay=False, mirrored=False)
        )
        until(lambda: feed.state != "opening", "it does not begin")
        feeds.offer(lambda overlay: quarters, time.perf_counter())
        until(lambda: feed.figures().sink.pictures > 4 or feed.error, "it is not sent again")
        feeds.discard_shown()  # as when things are to be hidden, and no other picture comes
        until(lambda: receiver.pictures and receiver.pictures[-1][1].max() < 20, "it is still sent")
        assert feed.state == "running"
    finally:
        receiver.leave()  # while it is sent to: what reads datagrams looks up with the next one
        feeds.close()
    assert np.abs(quarters_of(receiver.pictures[0][1]) - COLORS).mean() < 4


def test_sound_that_pauses_stalls_nobody():
    port = free_port()
    receiver = Receiver(f"udp://127.0.0.1:{port}", format="mpegts", seconds=1.0, port=port)
    sink = opened(f"udp://127.0.0.1:{port}")
    sender = Sender(sink, lambda index: quarters())  # sound was announced, and none comes
    receiver.thread.join(LIMIT_S)
    sender.stop()
    length = sum(len(samples) for _, samples in receiver.sound) / 48_000
    assert length > 0.5 and all(np.abs(samples).max() < 0.01 for _, samples in receiver.sound)


@pytest.mark.parametrize("codec", ["h264", "vp9"])
def test_hls_is_read_while_it_grows_and_keeps_a_few_segments(tmp_path, codec):
    folder = tmp_path / "100% [web]"
    sink = opened(folder, codec=codec)
    begun, playlist = time.perf_counter(), folder / "stream.m3u8"
    shown = []

    def watch():
        until(playlist.exists, "no playlist")
        with av.open(str(playlist), timeout=LIMIT_S) as container:
            shown.append(next(container.decode(video=0)).to_ndarray(format="rgb24"))

    viewer = threading.Thread(target=watch)  # one that waits for segments must not stop the sender
    viewer.start()
    index = 0
    while index < 600 or viewer.is_alive():
        at = begun + index / RATE
        sink.send_audio(np.zeros((1920, 2), np.float32), at)
        sink.write(quarters(), at)
        time.sleep(0.004)  # ten times as fast as it is shown
        index += 1
    assert np.abs(quarters_of(shown[0]) - COLORS).mean() < 4
    sink.close()
    text = playlist.read_text()
    listed = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(listed) == 6 and text.rstrip().endswith("#EXT-X-ENDLIST")
    kept = sorted(each.name for each in folder.glob("*.m4s"))
    assert set(listed) <= set(kept) and len(kept) <= 8 and "stream-00000.m4s" not in kept
    assert not list(folder.glob("*.tmp"))
    with av.open(str(playlist)) as container:
        assert sum(1 for _ in container.decode(video=0)) > 50
    opened(folder).close()  # a new stream begins with an empty folder
    assert not playlist.exists() and not list(folder.glob("*.m4s"))


def test_a_playlist_of_music_is_left_alone(tmp_path):
    path = tmp_path / "songs.m3u8"
    path.write_text("#EXTM3U\n#EXTINF:123,Song\nsong.mp3\n")
    with pytest.raises(ExportError, match="another name"):
        opened(path)
    assert "song.mp3" in path.read_text()


def test_a_playlist_that_another_program_wrote_is_left_alone(tmp_path):
    path = tmp_path / "film.m3u8"
    path.write_text(
        '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:9.9,\nfilm-00000.m4s\n'
    )
    (tmp_path / "film-00000.m4s").write_bytes(b"not ours")
    with pytest.raises(ExportError, match="another name"):
        opened(path)
    assert "film-00000" in path.read_text() and (tmp_path / "film-00000.m4s").read_bytes() == b"not ours"
    path.write_text("")  # of a disk that was full, say
    opened(path).close()


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot be written"):
        opened(tmp_path / "file" / "folder")
    with pytest.raises(ExportError, match="cannot be written"):
        opened(str(tmp_path / ("n" * 300)))


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
from desktop.outputs.live._stream_child import main
main()
"""


def child(code, started=None):
    """Return what starts `code` in the place of the program; its processes are added to `started`."""

    def start(arguments, folder, output):
        process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=output)
        if started is not None:
            started.append(process)
        return process

    return start


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of processes there")
def test_a_disk_that_is_full_ends_it_with_a_sentence(tmp_path):
    (tmp_path / "web").mkdir()
    sink = opened(tmp_path / "web", start=child(FULL))
    noise = np.random.default_rng(0).integers(0, 255, (SIZE[1], SIZE[0], 4), np.uint8)
    sender = Sender(sink, lambda index: noise)
    sender.thread.join(LIMIT_S)
    sender.stop()
    assert isinstance(sender.error, ExportError) and "failed partway" in str(sender.error)


# -- networks that do not do what they should ----------------------------------------------------------------


def test_a_name_that_nobody_has_is_said():
    sink = opened("rtmp://nobody.invalid/live", key=KEY)
    sender = Sender(sink, lambda index: quarters())
    sender.thread.join(LIMIT_S)
    sender.stop()
    assert "no host named nobody.invalid" in str(sender.error) and KEY not in str(sender.error)


def test_a_server_that_never_answers_holds_nobody_up():
    import socket

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        sink = opened(f"rtmp://127.0.0.1:{server.getsockname()[1]}/live", key=KEY)
        sender = Sender(sink, lambda index: quarters())
        connection, _ = server.accept()
        with connection:
            connection.recv(1)  # it waits for an answer now
            mine = senders()
            assert mine
            sender.stop()
            until(lambda: not any(each.is_running() for each in mine), "the process is still there")
    assert sender.error is None


SLOW_TO_START = """
import json, sys
sys.stdin.readline()
sys.stdin.readline()  # until the test says so
print(json.dumps({"connecting": True}), flush=True)
sys.stdin.readline()
"""


def test_a_process_that_starts_slowly_is_no_server_that_does_not_answer():
    now = [1000.0]

    def start(arguments, folder, output):
        return subprocess.Popen([sys.executable, "-c", SLOW_TO_START], stdin=subprocess.PIPE, stdout=output)

    def connects() -> bool:
        try:
            link.check()
        except ExportError:
            return False
        return True

    link = _stream_link.Link(target_of(values("udp://127.0.0.1:9")), start, lambda: now[0])
    try:
        now[0] += 59.0
        link.check()
        now[0] += 2.0
        with pytest.raises(ExportError, match="cannot be started"):
            link.check()
        link.write(b"\n")
        until(connects)
        now[0] += 11.0
        link.check()
        now[0] += 2.0
        with pytest.raises(ExportError, match="does not answer"):
            link.check()
        assert not link.is_open
    finally:
        link.end()


STALLED = """
import time
print('{"pictures": 0, "size": 0, "pts": 0.0, "at": 0.0, "failed": null}', flush=True)
time.sleep(1000)
"""


def test_a_receiver_that_takes_nothing_costs_pictures_and_nothing_else(tmp_path):
    started = []
    sink = opened("udp://127.0.0.1:9", start=child(STALLED, started), bitrate=20.0)
    noise = [
        np.random.default_rng(seed).integers(0, 255, (SIZE[1], SIZE[0], 4), np.uint8) for seed in range(5)
    ]
    sender = Sender(sink, lambda index: noise[index % 5], rate=200)
    until(lambda: sink.figures().dropped > 20, "nothing is dropped")
    assert sender.error is None
    sender.stop()
    # Not all children of this process: one of another test's may be left, as multiprocessing's resource
    # tracker is.
    assert started and all(process.poll() is not None for process in started)


FLOOD = """
import os
from desktop.outputs.live import _stream_child
send = _stream_child._Sending.run
def run(self, given):
    os.write(2, b"x" * 1_000_000)
    send(self, given)
_stream_child._Sending.run = run
_stream_child.main()
"""


def test_what_libraries_print_does_not_hold_the_process():
    def start(arguments, folder, output):
        # As `start_own` does: nobody reads what comes by the third.
        return subprocess.Popen(
            [sys.executable, "-c", FLOOD], stdin=subprocess.PIPE, stdout=output, stderr=output
        )

    sink = opened("udp://127.0.0.1:9", start=start)
    sender = Sender(sink, lambda index: quarters())
    until(lambda: sink.figures().pictures > 3 or sender.error, "nothing is sent")
    sender.stop()
    assert sender.error is None


FAULT = """
from desktop.outputs.live import _stream_child
def run(self, given):
    raise TypeError("of the program")
_stream_child._Sending.run = run
_stream_child.main()
"""


def test_a_fault_of_the_program_is_not_told_as_one_of_the_network():
    sink = opened("udp://127.0.0.1:9", start=child(FAULT))
    sender = Sender(sink, lambda index: quarters())
    sender.thread.join(LIMIT_S)
    sender.stop()
    assert "The stream to udp://127.0.0.1:9 ended by a fault of Lightloom's own (TypeError" in str(
        sender.error
    )


def test_what_a_process_prints_besides_is_passed_over():
    sink = opened("udp://127.0.0.1:9", start=child("print('[1, 2]'); print('{\"x\": 1}')"))
    sender = Sender(sink, lambda index: quarters())
    sender.thread.join(LIMIT_S)
    sender.stop()
    assert "ended" in str(sender.error)
