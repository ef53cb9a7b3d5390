"""Who decodes a video: chosen by what was measured, with devices that are stand-ins; a device that fails
midway loses no picture.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

import av
import pytest
from video_rig import number_of, write_clip

from desktop.media.sources._decoding import Decision, Hardware, Trials, decide, first_pictures, title_of
from desktop.media.sources._video_file import open_file
from desktop.media.sources._video_reader import VideoReader
from desktop.media.sources.video import VideoSource

VARIABLE = [Fraction(n, 600) for n in (0, 20, 25, 60, 61, 100, 160, 400, 420, 900, 930, 960)]


@dataclass
class Device:
    """As PyAV tells of one that a codec works with."""

    name: str


@dataclass
class Offer:
    device_type: Device
    is_supported: bool = True


@dataclass
class Codec:
    name: str
    hardware_configs: tuple[Offer, ...]


@dataclass
class Context:
    codec: Codec
    width: int
    height: int
    pix_fmt: str = "yuv420p"


@dataclass
class Stream:
    codec_context: Context


def stream(width=1920, height=1080, offered=("cuda", "vaapi"), codec="h264"):
    return Stream(Context(Codec(codec, tuple(Offer(Device(name)) for name in offered)), width, height))


class Measuring:
    """Says how long a picture takes, and counts how often it was asked."""

    def __init__(self, **times):
        self.times, self.asked = times, []

    def __call__(self, path, device):
        self.asked.append(device or "software")
        return self.times.get(device or "software")


# A Linux machine whose FFmpeg has NVDEC and VAAPI.
MACHINE = Hardware(("cuda", "vaapi"), "linux")


def choose(wanted, path, given, trials, measure):
    return decide(wanted, path, given, trials, measure, MACHINE)


def test_the_faster_one_decodes_and_the_figures_are_shown(tmp_path):
    trials = Trials(tmp_path / "decoding.json")
    measure = Measuring(cuda=2.04, software=3.1)
    found = choose("auto", tmp_path / "a.mp4", stream(), trials, measure)
    assert found == Decision("cuda", "NVDEC (2.0 ms per frame, by software 3.1)")
    # VAAPI was tried first, and is not there.
    assert measure.asked == ["vaapi", "cuda", "software"]


def test_software_decodes_where_the_copy_back_takes_longer(tmp_path):
    measure = Measuring(cuda=4.0, software=3.1)
    found = choose("auto", tmp_path / "a.mp4", stream(), Trials(tmp_path / "d.json"), measure)
    assert found == Decision(None, "software (3.1 ms per frame, by NVDEC 4.0)")


def test_a_size_and_codec_is_measured_once(tmp_path):
    file = tmp_path / "cache" / "decoding.json"
    measure = Measuring(vaapi=2.0, software=3.0)
    for _ in range(3):
        assert choose("auto", tmp_path / "a", stream(), Trials(file), measure).device == "vaapi"
    assert measure.asked == ["vaapi", "software"]
    assert json.loads(file.read_text()) == {"vaapi h264 yuv420p 1080p": [2.0, 3.0]}
    # Another size, another codec: each its own.
    slow = Measuring(vaapi=9.0, software=3.0)
    assert choose("auto", tmp_path / "a", stream(3840, 2160), Trials(file), slow).device is None
    assert choose("auto", tmp_path / "a", stream(codec="hevc"), Trials(file), slow).device is None
    assert slow.asked[:2] == ["vaapi", "software"] and len(json.loads(file.read_text())) == 3
    assert choose("auto", tmp_path / "a", stream(1900, 1000), Trials(file), Measuring()).device == "vaapi"


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{", '{"vaapi h264 yuv420p 1080p": [0, "x"]}', "\0", '{"a": [1]}', "[" * 9999),
        f'{{"a": [{10**400}, 1]}}',
    ],
)
def test_a_damaged_cache_is_measured_anew(tmp_path, content):
    file = tmp_path / "d.json"
    file.write_text(content)
    measure = Measuring(vaapi=2.0, software=3.0)
    assert choose("auto", tmp_path / "a", stream(), Trials(file), measure).device == "vaapi"
    assert measure.asked == ["vaapi", "software"]


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    (tmp_path / "file").write_text("")
    trials = Trials(tmp_path / "file" / "d.json")
    assert (
        choose("auto", tmp_path / "a", stream(), trials, Measuring(vaapi=2.0, software=3.0)).device == "vaapi"
    )


@pytest.mark.parametrize(
    ("wanted", "given", "expected"),
    [
        ("software", stream(), "software (hardware decoding is off)"),
        ("none", stream(), "software (hardware decoding is off)"),
        ("auto", stream(640, 360), "software (faster than a hardware decoder's copy back at this size)"),
        ("auto", stream(offered=()), "software (no hardware decoder for h264 in this build)"),
        ("auto", stream(), "software (this machine has no VAAPI, NVDEC for h264)"),
        (
            "videotoolbox",
            stream(),
            "software (videotoolbox is not in this build of FFmpeg, which has cuda, vaapi)",
        ),
        ("cuda", stream(offered=("vaapi",)), "software (cuda does not decode h264)"),
    ],
)
def test_software_and_why(tmp_path, wanted, given, expected):
    found = choose(wanted, tmp_path / "a", given, Trials(tmp_path / "d.json"), Measuring())
    assert found == Decision(None, expected)


def test_a_device_that_was_asked_for_is_not_measured(tmp_path):
    measure = Measuring()
    found = choose("cuda", tmp_path / "a", stream(16, 16), Trials(tmp_path / "d.json"), measure)
    assert found == Decision("cuda", "NVDEC (as it is set)") and not measure.asked


def test_only_kinds_of_this_system_and_build_are_tried():
    for platform, expected in (
        ("linux", ("cuda",)),
        ("darwin", ("videotoolbox",)),
        ("win32", ("cuda",)),
        ("aix", ()),
    ):
        assert Hardware(("cuda", "qsv", "drm", "videotoolbox"), platform).kinds() == expected
    assert title_of("d3d11va") == "D3D11VA" and title_of("new") == "new"


def test_the_first_pictures_are_measured(tmp_path):
    path = tmp_path / "a.mp4"
    write_clip(path, count=40)
    assert 0.0 < first_pictures(path, None) < 1000.0
    # Nothing decodes on the device of a stand-in, and a damaged file is not measured.
    assert first_pictures(path, "no such device") is None
    (tmp_path / "b.mp4").write_bytes(path.read_bytes()[:500])
    assert first_pictures(tmp_path / "b.mp4", None) is None


# -- a device that fails -------------------------------------------------------------------------------------

CLIPS = {
    "b-frames": ("a.mp4", {"options": {"g": "8", "bf": "2", "qp": "0"}}),
    "long gop": ("a.mp4", {"options": {"g": "250", "bf": "3", "qp": "0"}, "count": 60}),
    "open gop": ("a.ts", {"options": {"g": "8", "bf": "2", "x264-params": "open-gop=1", "qp": "0"}}),
    "variable rate": ("a.mp4", {"stamps": VARIABLE, "options": {"g": "4", "bf": "2", "qp": "0"}}),
    "without times": ("a.h264", {"options": {"g": "6", "bf": "2", "qp": "0"}, "format_name": "h264"}),
    "starts late": ("a.mkv", {"stamps": [5 + s for s in VARIABLE], "options": {"g": "4", "qp": "0"}}),
}


class Passing:
    """Stands for an object of PyAV, whose attributes it has."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return getattr(self._real, name)


class FailingPacket(Passing):
    """A packet that a device may refuse."""

    def __init__(self, real, device):
        super().__init__(real)
        self._device = device

    def decode(self):
        self._device.count_packet()
        return self._real.decode()


class FailingContainer(Passing):
    """A container whose packets a device may refuse."""

    def __init__(self, real, device):
        super().__init__(real)
        self._device = device

    def demux(self, *streams):
        return (FailingPacket(packet, self._device) for packet in self._real.demux(*streams))


class FailingDevice(Hardware):
    """NVDEC, which is software here, that fails behind so many packets."""

    def __init__(self, packets):
        super().__init__(("cuda",))
        object.__setattr__(self, "left", packets)

    def count_packet(self):
        object.__setattr__(self, "left", self.left - 1)
        if self.left < 0:
            raise av.error.ExternalError(542398533, "Generic error in an external library")

    def offered(self, codec):
        return frozenset(self.built)

    def open(self, path, device):
        return FailingContainer(open_file(path), self)

    def is_used(self, context):
        return True


@pytest.mark.parametrize("clip", CLIPS)
def test_no_picture_is_lost_where_a_device_fails(tmp_path, clip):
    name, settings = CLIPS[clip]
    path = tmp_path / name
    write_clip(path, **settings)
    reader = VideoReader(path, hwaccel="cuda", hardware=FailingDevice(10**6))
    expected = [(frame.pts, frame.duration, number_of(frame)) for frame in reader]
    assert reader.notice is None and reader.decoder == "NVDEC (as it is set)"
    reader.close()
    for packets in (0, 1, 2, 3, 7, 11):
        reader = VideoReader(path, hwaccel="cuda", hardware=FailingDevice(packets))
        assert [(frame.pts, frame.duration, number_of(frame)) for frame in reader] == expected, packets
        assert reader.decoder == "software (NVDEC failed)" and "NVDEC failed" in str(reader.notice)
        assert reader.damaged == 0
        reader.close()


def test_a_seek_goes_on_in_software_too(tmp_path):
    path = tmp_path / "a.mp4"
    write_clip(path, options={"g": "8", "bf": "2", "qp": "0"}, count=40)
    for packets in (4, 9, 20, 30):
        reader = VideoReader(path, hwaccel="cuda", hardware=FailingDevice(packets))
        for index in (30, 5, 18, 39):
            reader.seek(index / 25)
            assert number_of(reader.read()) == index % 32
        reader.close()


def test_it_is_told_once(tmp_path):
    path = tmp_path / "a.mp4"
    write_clip(path)
    source, told = VideoSource(path, hwaccel="cuda", hardware=FailingDevice(9)), []
    source.on_notice = told.append
    assert len(list(source.frames())) == 20
    assert [str(text) for text in told] == ["NVDEC failed while it decoded a.mp4; it goes on in software."]
    assert source.info.detail["decoder"] == "software (NVDEC failed)"
