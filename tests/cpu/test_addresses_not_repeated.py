"""Addresses may hold passwords: no command repeats one that it refuses."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from windows_marks import colons_in_names

from desktop.__main__ import main
from desktop.base.errors import SourceNotFoundError
from desktop.media.sources import file_kinds
from desktop.media.sources.opening import open_source

SECRET = "hunter2"
ADDRESSES = (
    f"http://anna:{SECRET}@host/v2/models/net",
    f"grpc://anna:{SECRET}@host:8001/net",
    f"grpc://anna:12/{SECRET}@host",
)


@pytest.mark.parametrize("address", ADDRESSES, ids=["http", "grpc", "grpc with a slash"])
@pytest.mark.parametrize(
    "words",
    [
        ["model", "check", "ADDRESS"],
        ["model", "run", "ADDRESS", "--input", "x=none.npy"],
        ["model", "tune", "ADDRESS"],
        ["model", "verify", "ADDRESS"],
        ["model", "profile", "ADDRESS"],
        ["model", "compare", "ADDRESS", "none.png"],
        ["export-web", "ADDRESS", "-o", "FOLDER"],
        ["bench", "inference", "--models", "ADDRESS"],
        ["serve", "ADDRESS"],
        ["detect", "sample:64x64", "--model", "ADDRESS"],
        ["classify", "sample:64x64", "--model", "ADDRESS"],
        ["analyze", "sample:64x64", "--model", "ADDRESS", "-o", "FOLDER"],
        ["process", "sample:64x64", "--model", "ADDRESS", "-o", "FOLDER/x.png"],
    ],
    ids=lambda words: " ".join(word for word in words if word.isalpha() and word.islower()),
)
def test_a_password_in_an_address_is_not_said_again(words, address, tmp_path, capsys):
    check_refusal(words, address, tmp_path, capsys)


@pytest.mark.parametrize(
    "address",
    [
        f"rtsp:/anna:{SECRET}@host/live",
        f"rtsp:anna:{SECRET}@host",
        f"http:/host/live?password={SECRET}",
        f"anna:{SECRET}@host:554/live",
        f"rtsp//anna:{SECRET}@host",
        f'"rtsp://anna:{SECRET}@host"',
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        ["detect", "ADDRESS"],
        ["cuts", "ADDRESS"],
        ["process", "ADDRESS", "-o", "FOLDER/x.png"],
        ["process", "sample:64x64", "-o", "ADDRESS"],
    ],
    ids=" ".join,
)
def test_a_password_in_a_text_that_lacks_a_part_of_an_address_is_not_said_again(
    words, address, tmp_path, capsys
):
    said = check_refusal(words, address, tmp_path, capsys)
    assert "looks like an address" in said and "two slashes" in said


@pytest.mark.parametrize(
    "error",
    [FileNotFoundError(2, "not found"), OSError(22, "Invalid argument"), OSError(36, "File name too long")],
)
def test_a_password_is_not_said_again_whatever_hinders_its_file(error, monkeypatch):
    """Windows has an error of its own for a colon or a quotation mark in a name."""

    def refused(path):
        raise error

    monkeypatch.setattr(file_kinds, "open_regular", refused)
    with pytest.raises(SourceNotFoundError) as raised:
        file_kinds.classify_drop(Path(f'"rtsp://anna:{SECRET}@host"'))
    assert SECRET not in str(raised.value) and "looks like an address" in str(raised.value)


def test_a_password_in_a_name_that_is_too_long_is_not_said_again(tmp_path, capsys):
    said = check_refusal(["detect", "ADDRESS"], f"anna:{SECRET}@host{'x' * 300}", tmp_path, capsys)
    assert "looks like an address" in said


@colons_in_names
@pytest.mark.parametrize("name", ["12:30 anna@home.png", "rtsp:x.png"])
def test_a_file_may_be_named_like_an_address_without_its_slashes(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cv2.imwrite(name, np.zeros((8, 8, 3), np.uint8))
    assert open_source(name).info.title == name


def check_refusal(words, address, tmp_path, capsys):
    """Assert that a command refuses an address without its secret, and return what it says."""
    typed = [word.replace("ADDRESS", address).replace("FOLDER", str(tmp_path)) for word in words]
    try:
        status = main(typed)
    except SystemExit as ended:
        status = ended.code
    said = "".join(capsys.readouterr())
    assert status not in (0, None) and "Traceback" not in said
    assert said.strip() and SECRET not in said
    return said
