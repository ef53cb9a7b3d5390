"""Time codes: parsed, counted on and written, with and without dropped numbers."""

from __future__ import annotations

import pytest

from desktop.media.time_code import TimeCode

NTSC = 30000 / 1001


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("00:00:00:00", 25.0),
        ("23:59:59:24", 25.0),
        ("01:00:00;00", NTSC),
        ("10:01:00;02", NTSC),
        ("00:09:59;29", NTSC),
        ("01:00:00:59", 60.0),
        ("12:34:56;59", 2 * NTSC),
        ("00:01:00;04", 2 * NTSC),
        ("00:00:01:100", 120.0),
    ],
)
def test_a_code_is_written_as_it_was_read(text, rate):
    assert TimeCode.parse(text, rate).text == text


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("", 25.0),
        ("1:00:00:00", 25.0),
        ("24:00:00:00", 25.0),
        ("00:60:00:00", 25.0),
        ("00:00:00:25", 25.0),
        ("00:01:00;00", NTSC),
        ("00:00:00:00", 0.0),
        ("00:00:00:00\n\n", float(10**9)),
    ],
)
def test_what_is_no_code_is_refused(text, rate):
    assert TimeCode.parse(text, rate) is None


def test_counting_skips_numbers_and_midnight():
    assert TimeCode.parse("01:00:59;29", NTSC).later(1 / NTSC, NTSC).text == "01:01:00;02"
    assert TimeCode.parse("01:09:59;29", NTSC).later(1 / NTSC, NTSC).text == "01:10:00;00"
    assert TimeCode.parse("23:59:59:24", 25.0).later(0.04, 25.0).text == "00:00:00:00"
    assert TimeCode.parse("23:59:59;29", NTSC).later(1 / NTSC, NTSC).text == "00:00:00;00"
    # Unlike one that drops nothing, the code keeps in step with the clock.
    assert TimeCode.parse("00:00:00;00", NTSC).later(3600.0, NTSC).text == "01:00:00;00"
    assert TimeCode.parse("00:00:00:00", NTSC).later(3600.0, NTSC).text == "00:59:56:12"


def test_another_rate_keeps_the_time():
    assert TimeCode.parse("01:00:00:12", 25.0).at(50.0).text == "01:00:00:24"
    assert TimeCode.parse("01:00:00;00", NTSC).at(25.0).text == "01:00:00:00"
