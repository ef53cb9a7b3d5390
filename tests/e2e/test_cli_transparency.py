"""Transparency through the command line and the window: one rule for the picture that is shown and the file
that is written.
"""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from desktop.__main__ import main

# Opaque red, half-transparent white, and green that is wholly transparent; each a third of the picture.
PARTS = ((200, 30, 30, 255), (255, 255, 255, 128), (0, 255, 0, 0))
OVER_BLACK = ((200, 30, 30), (128, 128, 128), (0, 0, 0))


@pytest.fixture
def source(tmp_path):
    """Five pictures of 96x64 in ProRes 4444, by FFmpeg's encoder."""
    picture = np.repeat(np.array(PARTS, np.uint8), 32, 0)[None].repeat(64, 0)
    with av.open(str(tmp_path / "source.mov"), "w") as container:
        stream = container.add_stream("prores_ks", rate=25)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuva444p10le"
        for index in range(5):
            frame = av.VideoFrame.from_ndarray(picture, format="rgba").reformat(format="yuva444p10le")
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return tmp_path / "source.mov"


def parts(path, decoder=""):
    """The means of the three parts of the third picture, R'G'B'A; by FFmpeg's own conversion."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        context = av.CodecContext.create(decoder, "r") if decoder else stream.codec_context
        frames = [frame for packet in container.demux(stream) for frame in context.decode(packet)]
    image = frames[min(2, len(frames) - 1)].to_ndarray(format="rgba")
    return np.stack([image[8:-8, left + 8 : left + 24].mean((0, 1)) for left in (0, 32, 64)])


def test_alpha_is_kept_where_it_is_asked_for(source, tmp_path, capsys):
    assert main(["process", str(source), "-o", str(tmp_path / "kept.webm"), "--alpha"]) == 0
    assert "transparency" not in capsys.readouterr().err
    np.testing.assert_allclose(parts(tmp_path / "kept.webm", "libvpx-vp9")[:, 3], (255, 128, 0), atol=4)


@pytest.mark.parametrize("name", ["flat.mp4", "flat.jpg", "flat-%04d.jpg"])
def test_without_it_what_was_hidden_stays_hidden_and_that_is_said(source, tmp_path, capsys, name):
    assert main(["process", str(source), "-o", str(tmp_path / name)]) == 0
    assert "black" in capsys.readouterr().err
    written = tmp_path / name.replace("%04d", "0001")
    np.testing.assert_allclose(parts(written)[:, :3], OVER_BLACK, atol=10)


def test_what_a_gif_makes_of_half_transparent_pixels_is_said(source, tmp_path, capsys):
    path = tmp_path / "hard.gif"
    assert main(["process", str(source), "-o", str(path)]) == 0
    assert "A GIF has no half-transparent pixels, so those of hard.gif" in capsys.readouterr().err
    np.testing.assert_array_equal(parts(path)[[0, 2], 3], (255, 0))
    # What has none is written without that sentence.
    assert main(["process", str(path), "-o", str(tmp_path / "again.gif")]) == 0
    assert "half-transparent" not in capsys.readouterr().err


def test_only_the_input_itself_is_kept_from_being_replaced(tmp_path, capsys):
    """Pictures beside the input may be numbered; a name that one of them would take may not be the input's."""
    picture = np.full((48, 64, 4), 255, np.uint8)
    for name in ("in.png", "out-0001.png"):
        with av.open(str(tmp_path / name), "w", format="image2") as container:
            stream = container.add_stream("png", rate=1)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "rgba"
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgba")))
            container.mux(stream.encode(None))
    series = str(tmp_path / "out-%04d.png")
    assert main(["process", str(tmp_path / "out-0001.png"), "-o", series]) == 2
    assert "would be among the images of the input" in capsys.readouterr().err
    (tmp_path / "out-0001.png").unlink()
    assert main(["process", str(tmp_path / "in.png"), "-o", series]) == 0
    assert (tmp_path / "out-0001.png").exists()


def test_a_file_that_cannot_hold_it_is_wrong_usage(source, tmp_path, capsys):
    assert main(["process", str(source), "-o", str(tmp_path / "no.mp4"), "--alpha"]) == 2
    assert "choose a file that does" in capsys.readouterr().err and not (tmp_path / "no.mp4").exists()
