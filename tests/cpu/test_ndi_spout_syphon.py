"""NDI between two programs where cyndilib is installed; NDI, Spout and Syphon against stand-ins with the
calls of their packages.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
import types
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import ExportError
from desktop.outputs.live import live_outputs
from desktop.outputs.live._package import Package
from desktop.outputs.live.feed import CommonOptions, Feeds
from desktop.outputs.live.ndi import ndi_output
from desktop.outputs.live.output import PictureFormat
from desktop.outputs.live.spout import spout_output
from desktop.outputs.live.syphon import syphon_output

PLAIN = CommonOptions(overlay=False, mirrored=False)
SHOWN = PictureFormat(64, 36, 30.0)
HERE = Path(__file__).parent


def package(*modules, name="", **more):
    """One that has these modules; none for one that is not installed."""
    by_name = {module.__name__: module for module in modules}

    def load(wanted):
        if wanted not in by_name:
            raise ImportError(f"libsomething.so.1 is missing for {wanted}")
        return by_name[wanted]

    first = name or modules[0].__name__
    return Package(first, "extra", "Something", find=lambda wanted: bool(modules) or None, load=load, **more)


def quarters(width, height):
    """Red, green, blue and a brown: what a wrong order of channels or rows shows in."""
    made = np.full((height, width, 4), 255, np.uint8)
    colors = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (200, 150, 100))
    for number, color in enumerate(colors):
        y, x = divmod(number, 2)
        made[y * height // 2 : (y + 1) * height // 2, x * width // 2 : (x + 1) * width // 2, :3] = color
    return made


# -- NDI, really ---------------------------------------------------------------------------------------------


@pytest.fixture
def network(tmp_path, monkeypatch):
    """Sources of this machine are found without a service that makes them known."""
    if importlib.util.find_spec("cyndilib") is None:
        pytest.skip("cyndilib is not installed")
    settings = {"ndi": {"networks": {"ips": "127.0.0.1,", "discovery": ""}}}
    (tmp_path / "ndi-config.v1.json").write_text(json.dumps(settings))
    monkeypatch.setenv("NDI_CONFIG_DIR", str(tmp_path))
    return tmp_path


def received(folder, values, pictures, picture, takes_audio=None):
    """Send a picture again and again until another program has it; what that has."""
    found = folder / "found.npz"
    name = f"Test {os.getpid()} {values.get('size', '')}{values.get('alpha', '')}{bool(takes_audio)}"
    output = ndi_output(avahi=None)
    feeds = Feeds()
    listeners = []

    def listen(heard):
        listeners.append(heard)
        return lambda: None

    values = output.checked({**values, "name": name})
    feed = feeds.begin(output, values, pictures, PLAIN, listen if takes_audio else None)
    arguments = [name, "sound" if takes_audio else "", str(found)]
    program = subprocess.Popen([sys.executable, str(HERE / "ndi_receiver.py"), *arguments])
    shown = 0

    def show():
        nonlocal shown
        assert feed.state in ("opening", "running"), feed.error
        at = shown / pictures.rate
        feeds.offer(lambda overlay: lambda: picture, at)
        for heard in listeners:
            heard(at, takes_audio(shown))
        shown += 1
        return program.poll() is not None

    try:
        until(show, "nothing was received", each=1 / pictures.rate)
    finally:
        program.kill()
        feeds.close()
    assert program.returncode == 0
    with np.load(found) as got:
        return dict(got)


def error_of(got, sent):
    """The greatest error in the middle of each quarter: the codec halves the colors' width."""
    height, width = sent.shape[:2]
    centers = [(height * y // 4, width * x // 4) for y in (1, 3) for x in (1, 3)]
    assert got.shape == sent.shape
    return max(np.abs(got[at][:3].astype(int) - sent[at][:3]).max() for at in centers)


def test_another_program_receives_the_picture_in_its_colors_and_size(network):
    picture = quarters(320, 180)
    got = received(network, {}, PictureFormat(320, 180, 25.0), picture)
    # NDI's codec is lossy: pure blue comes as 240.
    assert error_of(got["picture"], picture) <= 20
    assert tuple(got["rate"]) == (25, 1) and (got["picture"][..., 3] == 255).all()


def test_another_size_gets_borders_and_transparency_stays(network):
    picture = quarters(180, 180)
    picture[..., 3] = 96
    got = received(network, {"size": "640x360", "alpha": True}, PictureFormat(180, 180, 30.0), picture)
    assert got["picture"].shape == (360, 640, 4)
    inside = got["picture"][:, 140:500]
    assert error_of(inside, np.kron(picture, np.ones((2, 2, 1), np.uint8))) <= 20
    assert np.abs(inside[40:-40, 40:-40, 3].astype(int) - 96).max() <= 4
    assert got["picture"][:, :130, :3].max() <= 4 and got["picture"][100, 20, 3] == 255


def test_its_sound_is_received_as_loud_as_it_was_played(network):
    def tone(number):
        times = (1600 * number + np.arange(1600)) / 48_000
        wave = 0.5 * np.sin(2 * np.pi * 1000 * times)
        return np.stack((wave, np.zeros(1600)), 1).astype(np.float32)

    got = received(network, {}, PictureFormat(64, 36, 30.0, sound=True), quarters(64, 36), tone)
    left, right = got["heard"]
    spectrum = np.abs(np.fft.rfft(left))
    # A receiver plays by a clock of its own, and silence where a busy machine sent too late: what it takes
    # for 44.1 kHz is 9 % off.
    assert abs(np.fft.rfftfreq(len(left), 1 / 48_000)[spectrum.argmax()] - 1000) < 50
    assert abs(np.percentile(np.abs(left), 95) - 0.5) < 0.05 and np.abs(right).max() < 0.01


# -- NDI's calls ---------------------------------------------------------------------------------------------


class VideoSendFrame:
    def set_resolution(self, width, height):
        self.size = width, height

    def set_frame_rate(self, rate):
        assert isinstance(rate, Fraction)
        self.rate = rate

    def set_fourcc(self, code):
        self.code = code


class AudioSendFrame:
    def __init__(self, most):
        self.most = most


class Sender:
    """As cyndilib's; `made` has all of them, `gate` holds them in `write_video`."""

    made = []
    fails = None
    gate = threading.Event()

    def __init__(self, ndi_name, ndi_groups="", clock_video=True, clock_audio=True):
        self.name, self.clocks = ndi_name, (clock_video, clock_audio)
        self.video = self.audio = None
        self.pictures, self.sound, self.running = [], [], False
        Sender.made.append(self)

    def set_video_frame(self, frame):
        self.video = frame

    def set_audio_frame(self, frame):
        self.audio = frame

    def open(self):
        if Sender.fails:
            raise Sender.fails
        self.running = True

    def write_video(self, data):
        assert Sender.gate.wait(LIMIT_S)
        # A Cython view of bytes that may be written to.
        assert data.dtype == np.uint8 and data.flags.writeable and data.ndim == 1
        assert data.size == 4 * self.video.size[0] * self.video.size[1]
        if self.running:
            self.pictures.append(data.reshape(self.video.size[1], self.video.size[0], 4).copy())
        return self.running

    def write_audio(self, data):
        assert data.dtype == np.float32 and data.flags.writeable
        # cyndilib takes less, and then sends what lies in memory.
        assert data.shape == (self.audio.num_channels, self.audio.most)
        self.sound.append(data.copy())
        return self.running

    def close(self):
        self.running = False


@pytest.fixture
def cyndilib():
    Sender.made, Sender.fails = [], None
    Sender.gate = threading.Event()
    Sender.gate.set()
    module = types.ModuleType("cyndilib")
    module.Sender, module.VideoSendFrame, module.AudioSendFrame = Sender, VideoSendFrame, AudioSendFrame
    module.FourCC = types.SimpleNamespace(RGBA="RGBA", RGBX="RGBX")
    return package(module)


def ndi_sink(cyndilib, pictures=SHOWN, **values):
    output = ndi_output(cyndilib, None)
    return output.open(output.checked(values), pictures), Sender.made[-1]


def test_pictures_go_to_ndi_as_they_are(cyndilib):
    sink, sender = ndi_sink(cyndilib, name="  Stage ")
    assert (sender.name, sender.clocks, sender.audio) == ("Stage", (False, False), None)
    assert (sender.video.size, sender.video.rate, sender.video.code) == ((64, 36), 30, "RGBX")
    picture = quarters(64, 36)
    picture.flags.writeable = False
    sink.write(picture, 1.0)
    assert np.array_equal(sender.pictures[0], picture) and sink.figures().pictures == 1
    sink.write(picture[:, ::-1], 2.0)
    assert np.array_equal(sender.pictures[1], picture[:, ::-1])
    sink.close()
    assert not sender.running
    with pytest.raises(ExportError, match="NDI takes no more"):
        sink.write(picture, 3.0)


def test_ndi_is_told_size_rate_and_transparency(cyndilib):
    _, sender = ndi_sink(cyndilib, size="1280x720", rate="24", alpha=True)
    assert (sender.video.size, sender.video.rate, sender.video.code) == ((1280, 720), 24, "RGBA")
    _, sender = ndi_sink(cyndilib, PictureFormat(65, 37, 30000 / 1001))
    assert (sender.video.size, sender.video.rate) == ((64, 36), Fraction(30000, 1001))
    for rate in (0.0, float("nan"), 1e9, -5.0):
        assert ndi_sink(cyndilib, PictureFormat(64, 36, rate))[1].video.rate == 30


def test_no_more_pictures_a_second_go_to_ndi_than_asked_for(cyndilib):
    sink, sender = ndi_sink(cyndilib, PictureFormat(4, 4, 60.0), rate="30")
    for number in range(60):
        sink.write(quarters(4, 4), number / 60)
    assert len(sender.pictures) == 30


def test_sound_goes_to_ndi_when_it_is_heard_and_in_pieces_that_it_takes(cyndilib):
    sink, sender = ndi_sink(cyndilib, PictureFormat(64, 36, 30.0, sound=True))
    assert (sender.audio.sample_rate, sender.audio.num_channels) == (48_000, 2)
    first, second = np.random.default_rng(0).uniform(-1, 1, (2, 6000, 2)).astype(np.float32)
    first.flags.writeable = False
    sink.send_audio(first, 10.0)
    sink.send_audio(second, 10.125)
    sink.write(quarters(64, 36), 9.9)
    assert not sender.sound
    sink.write(quarters(64, 36), 10.0)
    sent = np.concatenate(sender.sound, 1)
    assert sent.shape[1] > 5000 and np.array_equal(sent, first.T[:, : sent.shape[1]])
    sink.write(quarters(64, 36), 10.2)
    assert np.array_equal(np.concatenate(sender.sound, 1), np.concatenate((first, second)).T)


def test_ndi_that_cannot_begin_says_so(cyndilib):
    Sender.fails = MemoryError()
    with pytest.raises(ExportError, match="NDI cannot begin"):
        ndi_sink(cyndilib)
    Sender.fails = None
    with pytest.raises(ExportError, match="61 letters; give one of 60"):
        ndi_sink(cyndilib, name="x" * 61)


def test_a_source_that_nobody_will_find_is_said_before(cyndilib, tmp_path):
    output = ndi_output(cyndilib, tmp_path / "socket")
    assert "avahi-daemon" in " ".join(output.foresee(output.checked({}), SHOWN))
    (tmp_path / "socket").touch()
    assert output.foresee(output.checked({}), SHOWN) == ()
    assert "640 x 360" in output.foresee(output.checked({"size": "640x360"}), SHOWN)[0]


def test_no_picture_waits_for_ndi(cyndilib):
    gate = Sender.gate
    gate.clear()
    feeds = Feeds()
    feed = feeds.begin(ndi_output(cyndilib, None), {**ndi_output(cyndilib).checked({})}, SHOWN, PLAIN)
    until(lambda: feed.state == "running")
    for number in range(20):
        feeds.offer(lambda overlay: lambda: quarters(64, 36), float(number))
    assert feed.figures().dropped >= 16
    gate.set()
    until(lambda: feed.figures().sink.pictures >= 1)
    feeds.close()


# -- Spout ---------------------------------------------------------------------------------------------------


class SpoutSender:
    """As SpoutGL's: a buffer that is contiguous and large enough; `answers` has what each picture is
    answered, True behind them.
    """

    def __init__(self):
        self.name, self.sent, self.answers, self.released = "", [], [], 0

    def setSenderName(self, name):
        assert len(name.encode()) < 256
        self.name = name

    def sendImage(self, pixels, width, height, gl_format, invert, host_fbo):
        view = memoryview(pixels)
        assert view.c_contiguous and view.nbytes >= 4 * width * height
        assert (gl_format, invert, host_fbo) == (0x1908, False, 0)
        self.sent.append(np.frombuffer(view, np.uint8).reshape(height, width, 4).copy())
        return self.answers.pop(0) if self.answers else True

    def releaseSender(self):
        self.released += 1


@pytest.fixture
def spout():
    module = types.ModuleType("SpoutGL")
    module.made = SpoutSender()
    module.SpoutSender = lambda: module.made
    module.enums = types.SimpleNamespace(GL_RGBA=0x1908)
    return package(module), module.made


def test_pictures_go_to_spout_as_they_are_whatever_their_size(spout):
    found, sender = spout
    output = spout_output(found)
    sink = output.open(output.checked({"name": "Bühne" * 12}), SHOWN)
    assert sender.name == "Bühne" * 12
    for picture in (quarters(64, 36), quarters(31, 90)[:, ::-1]):
        picture.flags.writeable = False
        sink.write(picture, 0.0)
        assert np.array_equal(sender.sent[-1], picture)
    sink.send_audio(np.zeros((1, 2), np.float32), 0.0)
    assert sink.figures().pictures == 2 and not output.takes_audio
    sink.close()
    assert sender.released == 1


def test_a_picture_that_spout_does_not_take_is_counted_and_the_first_ends_it(spout):
    found, sender = spout
    output = spout_output(found)
    sink = output.open(output.checked({}), SHOWN)
    sender.answers = [True, False, True]
    for _ in range(3):
        sink.write(quarters(64, 36), 0.0)
    assert (sink.figures().pictures, sink.figures().dropped) == (2, 1)
    sender.answers = [False]
    with pytest.raises(ExportError, match="DirectX 11"):
        output.open(output.checked({}), SHOWN).write(quarters(64, 36), 0.0)


# -- Syphon --------------------------------------------------------------------------------------------------


class MetalServer:
    """As syphon-python's SyphonMetalServer; pictures are kept as they would be seen."""

    def __init__(self, name, device=None, command_queue=None):
        self.name, self.device, self.seen, self.stopped = name, object(), [], 0

    def publish_frame_texture(self, texture, region=None, size=None, is_flipped=False):
        assert region is None and size is None
        # Surfaces of Syphon begin at the bottom.
        surface = texture.pixels[::-1] if is_flipped else texture.pixels
        self.seen.append((id(texture), surface[::-1].copy()))

    def stop(self):
        self.stopped += 1


@pytest.fixture
def syphon():
    module = types.ModuleType("syphon")
    raw, arrays = types.ModuleType("syphon.utils.raw"), types.ModuleType("syphon.utils.numpy")
    objc = types.ModuleType("objc")
    module.servers, objc.pools = [], 0

    def server(name):
        assert objc.pools == 1
        module.servers.append(MetalServer(name))
        return module.servers[-1]

    def create(device, width, height, pixel_format=70):
        assert device is module.servers[-1].device
        return types.SimpleNamespace(pixels=np.zeros((height, width, 4), np.uint8))

    def copy(image, texture):
        assert image.shape == texture.pixels.shape and objc.pools == 1
        texture.pixels = np.frombuffer(image.tobytes(), np.uint8).reshape(image.shape)

    @contextlib.contextmanager
    def pool():
        objc.pools += 1
        yield
        objc.pools -= 1

    module.SyphonMetalServer, raw.create_mtl_texture, arrays.copy_image_to_mtl_texture = server, create, copy
    objc.autorelease_pool = pool
    return package(module, raw, arrays, objc), module


def test_pictures_go_to_syphon_upright_whatever_their_size(syphon):
    found, module = syphon
    output = syphon_output(found)
    sink = output.open(output.checked({"name": ""}), SHOWN)
    (server,) = module.servers
    assert server.name == "Lightloom"
    for picture in (quarters(64, 36), quarters(64, 36)[::-1], quarters(31, 90)):
        sink.write(picture, 0.0)
        assert np.array_equal(server.seen[-1][1], picture)
    # One may still be read while the next is written.
    assert server.seen[0][0] != server.seen[1][0]
    sink.send_audio(np.zeros((1, 2), np.float32), 0.0)
    assert sink.figures().pictures == 3 and not output.takes_audio
    sink.close()
    assert server.stopped == 1


def test_a_mac_without_metal_says_so(syphon):
    found, module = syphon

    def fails(name):
        raise AttributeError("'NoneType' object has no attribute 'newCommandQueue'")

    module.SyphonMetalServer = fails
    with pytest.raises(ExportError, match="a graphics device with Metal"):
        output = syphon_output(found)
        output.open(output.checked({}), SHOWN)


# -- all of them ---------------------------------------------------------------------------------------------

ALL = {"cyndilib": ndi_output, "SpoutGL": spout_output, "syphon": syphon_output}


@pytest.mark.parametrize("name", ALL)
def test_what_is_not_installed_says_how_to_install_it(name):
    output = ALL[name](Package(name, "that", "This", find=lambda wanted: None))
    text = output.missing(output.checked({}))
    assert text.startswith("This needs a package") and "pip install '.[that]'" in text
    with pytest.raises(ExportError, match="This needs a package"):
        output.open(output.checked({}), SHOWN)


@pytest.mark.parametrize("name", ALL)
def test_what_cannot_be_loaded_says_why(name):
    output = ALL[name](package(types.ModuleType("other"), name=name))
    with pytest.raises(ExportError, match=r"libsomething\.so\.1 is missing.*pip install '\.\[extra\]'"):
        output.open(output.checked({}), SHOWN)


@pytest.mark.parametrize(
    ("system", "found"), [("linux", {"ndi"}), ("win32", {"ndi", "spout"}), ("darwin", {"ndi", "syphon"})]
)
def test_each_system_is_offered_what_it_can_have(system, found, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    assert set(live_outputs.__wrapped__()) - {"virtual_camera", "stream"} == found


def test_none_is_imported_before_it_is_switched_on():
    program = (
        "import sys; from desktop.outputs.live import live_outputs\n"
        "for output in live_outputs().values(): output.missing(output.checked({}))\n"
        "print({'cyndilib', 'SpoutGL', 'syphon', 'objc'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    assert done.stdout.strip() == "set()"
