"""Addresses may hold passwords: no command repeats one that it refuses."""

from __future__ import annotations

import pytest

from desktop.__main__ import main

SECRET = "hunter2"
ADDRESSES = (f"http://anna:{SECRET}@host/v2/models/net", f"grpc://anna:{SECRET}@host:8001/net")


@pytest.mark.parametrize("address", ADDRESSES, ids=["http", "grpc"])
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
    typed = [word.replace("ADDRESS", address).replace("FOLDER", str(tmp_path)) for word in words]
    try:
        status = main(typed)
    except SystemExit as ended:
        status = ended.code
    said = "".join(capsys.readouterr())
    assert status not in (0, None) and "Traceback" not in said
    assert said.strip() and SECRET not in said
