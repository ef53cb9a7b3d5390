"""Title, chapters and the language of the sound go along into what `process` writes, or are said to be left
out.
"""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from desktop.__main__ import main

CHAPTERS = (("One", 0.0, 1.0), ("Two", 1.0, 2.0), ("Three", 2.0, 3.0))


@pytest.fixture
def source(tmp_path):
    """Three seconds with sound in Matroska, by FFmpeg's muxer; its clock begins at 0."""
    path = tmp_path / "source.mkv"
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        sound = container.add_stream("aac", rate=48000)
        sound.layout = "mono"
        sound.metadata.update(language="deu", title="Commentary")
        container.metadata.update(title="My film", artist="Somebody", comment="as it is")
        container.set_chapters(
            [
                {
                    "id": number,
                    "start": round(start * 1000),
                    "end": round(end * 1000),
                    "time_base": Fraction(1, 1000),
                    "metadata": {"title": title},
                }
                for number, (title, start, end) in enumerate(CHAPTERS, 1)
            ]
        )
        for index in range(30):
            frame = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 10)
            container.mux(video.encode(frame))
            samples = av.AudioFrame.from_ndarray(
                np.zeros((1, 4800), np.float32), format="fltp", layout="mono"
            )
            samples.sample_rate, samples.pts, samples.time_base = 48000, index * 4800, Fraction(1, 48000)
            container.mux(sound.encode(samples))
        container.mux(video.encode(None))
        container.mux(sound.encode(None))
    return path


def chapters_of(container):
    return [
        (
            each["metadata"]["title"],
            float(each["start"] * each["time_base"]),
            float(each["end"] * each["time_base"]),
        )
        for each in container.chapters()
    ]


def is_near(found, expected):
    """The same titles, at times within 30 ms: a file's first picture may stand a little after 0."""
    titles = [title for title, _, _ in found] == [title for title, _, _ in expected]
    return titles and np.allclose([each[1:] for each in found], [each[1:] for each in expected], atol=0.03)


@pytest.mark.parametrize("name", ["a.mkv", "a.mp4", "a.mov", "a.webm"])
def test_they_go_along(source, tmp_path, capsys, name):
    assert main(["process", str(source), "-o", str(tmp_path / name)]) == 0
    assert "left out" not in capsys.readouterr().err
    with av.open(str(tmp_path / name)) as container:
        texts = {key.lower(): text for key, text in container.metadata.items()}
        assert (texts["title"], texts["artist"], texts["comment"]) == ("My film", "Somebody", "as it is")
        assert is_near(chapters_of(container), CHAPTERS)
        sound = container.streams.audio[0].metadata
        assert sound["language"] in ("deu", "ger")
        assert "Commentary" in (sound.get("title"), sound.get("name"))


def test_of_a_part_they_are_those_of_the_part(source, tmp_path):
    assert main(["process", str(source), "-o", str(tmp_path / "a.mkv"), "--range", "1.5-2.5"]) == 0
    with av.open(str(tmp_path / "a.mkv")) as container:
        assert is_near(chapters_of(container), (("Two", 0.0, 0.5), ("Three", 0.5, 1.0)))


def test_where_none_are_held_that_is_said(source, tmp_path, capsys):
    assert main(["process", str(source), "-o", str(tmp_path / "a.gif")]) == 0
    assert "Title and chapters are left out" in capsys.readouterr().err
