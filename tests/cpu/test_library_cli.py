"""`lightloom models`, as a user types it, against a server on the loopback."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from library_server import FileServer, answer, drop_after

from desktop.__main__ import main

DATA = os.urandom(50_000)
CATALOGUE = f"""
[[network]]
id = "net"
title = "The net"
task = "mask"
bytes = {len(DATA)}
sha256 = "{hashlib.sha256(DATA).hexdigest()}"
licence = "MIT"
source = "https://example.invalid"
addresses = ["https://example.invalid/net.onnx"]
[network.preprocess]
colors = "BGR"
"""


@pytest.fixture
def server() -> Iterator[FileServer]:
    found = FileServer(DATA)
    yield found
    found.close()


@pytest.fixture
def models(tmp_path, server, monkeypatch):
    """Run `lightloom models ...` with a catalogue, a folder and settings of its own."""
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("LIGHTLOOM_MODELS", str(tmp_path / "models"))
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    catalogue = tmp_path / "catalogue.toml"
    catalogue.write_text(CATALOGUE)

    def run(action: str, *rest: str) -> int:
        return main(["models", action, "--catalogue", str(catalogue), *rest])

    return run


def test_get_verify_path_list_remove(models, server, tmp_path, capsys):
    path = tmp_path / "models" / "net.onnx"
    assert models("get", "net", "--mirror", server.address) == 0
    out = capsys.readouterr()
    assert out.out == f"{path}\n"
    assert "The net, 50.0 KB, MIT" in out.err
    assert path.read_bytes() == DATA
    assert 'colors = "BGR"' in (tmp_path / "models" / "net.onnx.lightloom.toml").read_text()
    assert models("get", "net", "--mirror", server.address) == 0
    assert len(server.asked) == 1
    assert models("verify") == 0
    assert models("path", "net") == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["ok    net", str(path)]
    assert models("list", "--json") == 0
    row = json.loads(capsys.readouterr().out)["catalogue"][0]
    assert (row["state"], row["bytes_here"], row["path"], row["input"]) == (
        "ready",
        len(DATA),
        str(path),
        "any size BGR, NCHW",
    )
    path.write_bytes(bytes(len(DATA)))
    assert models("verify", "net") == 1
    out = capsys.readouterr()
    assert (
        out.out.startswith("FAIL  net: ")
        and out.err == "lightloom: 1 of 1 network not what the catalogue names: net; download again.\n"
    )
    assert models("remove", "net") == 0
    assert list((tmp_path / "models").iterdir()) == []


def test_interrupted_download_is_listed_and_goes_on(models, server, capsys):
    server.script(drop_after(20_000), then=answer(404))
    assert models("get", "net", "--mirror", server.address) == 1
    assert "404 (Not Found)" in capsys.readouterr().err
    assert models("list") == 0
    assert "40% here" in capsys.readouterr().out
    server.script()
    server.asked.clear()
    assert models("get", "--all", "--mirror", server.address) == 0
    assert [r.range for r in server.asked] == ["bytes=20000-49999"]


def test_ctrl_c_keeps_what_has_arrived(models, server, capsys, monkeypatch):
    from desktop.base.interrupt import Interrupt

    server.pause_s = 0.3

    def check(_: Interrupt) -> None:
        if server.asked:
            raise KeyboardInterrupt

    server.data = DATA
    monkeypatch.setattr(Interrupt, "check", check)
    assert models("get", "net", "--mirror", server.address) == 1
    assert capsys.readouterr().err.endswith("lightloom: stopped.\n")
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["get", "other"], 1, "no network 'other'"),
        (["get"], 2, "give --all"),
        (["get", "net", "--all"], 2, "give --all"),
        (["get", "net", "--offline"], 1, "set to work offline"),
        (["get", "net", "--mirror", "ftp://x"], 1, "is not an http or https address"),
        (["path", "net"], 1, "lightloom models get net"),
        (["verify", "net"], 1, "not what the catalogue names"),
        (["remove", "other"], 1, "no network 'other'"),
        (["get", "classifier"], 1, "'classifier' is bundled"),
        (["verify", "classifier"], 1, "'classifier' is bundled"),
        (["remove", "classifier"], 1, "'classifier' is bundled"),
    ],
)
def test_errors(models, server, capsys, arguments, status, word):
    assert models(*arguments) == status
    err = capsys.readouterr().err
    assert word in err and err.rstrip().splitlines()[-1].startswith("lightloom: ")
    assert server.asked == []


def test_window_s_settings_are_the_commands_settings(models, server, tmp_path, capsys, monkeypatch):
    from desktop.ui.forms.settings import Settings

    monkeypatch.delenv("LIGHTLOOM_MODELS")
    kept = Settings.load()
    kept.model_folder, kept.model_mirror, kept.offline = str(tmp_path / "mine"), server.address, True
    kept.sync()
    assert models("path") == 0
    assert capsys.readouterr().out == f"{tmp_path / 'mine'}\n"
    assert models("get", "net") == 1
    kept.offline = False
    kept.sync()
    assert models("get", "net") == 0
    assert (tmp_path / "mine" / "net.onnx").read_bytes() == DATA


def test_own_catalogue_is_listed(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path))
    monkeypatch.setenv("LIGHTLOOM_MODELS", str(tmp_path / "none"))
    assert main(["models", "list"]) == 0
    assert "fastestdet_coco" in capsys.readouterr().out
    assert not Path(tmp_path / "none").exists()
