"""Manifests for package managers, rendered for a made-up release; each is checked by its own linter where
that is installed (flatpak-builder, appstreamcli, ruby, rubocop: the release's workflow installs them), and
for what the documentation asks.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from waiting import LIMIT_S

ROOT = Path(__file__).resolve().parents[2]
METAINFO = ROOT / "packaging" / "linux" / "org.lightloom.Lightloom.metainfo.xml"
URL = "https://example.org/releases/v9.8.7"
FILES = (
    "lightloom-9.8.7-linux-x86_64.tar.xz",
    "lightloom-9.8.7.tar.gz",
    "lightloom-9.8.7-windows-x86_64-setup.exe",
    "Lightloom-9.8.7-macos-arm64.dmg",
    "Lightloom-9.8.7-macos-x86_64.dmg",
)
SUMS = {name: hashlib.sha256(name.encode()).hexdigest() for name in FILES}


def load(name):
    """Import a file of packaging/, which is no package (its name is taken by one that everybody has)."""
    folder = str(ROOT / "packaging")
    sys.path.insert(0, folder)
    try:
        specification = importlib.util.spec_from_file_location(f"packaging_{name}", f"{folder}/{name}.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    return module


channels = load("channels")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """The folder of the descriptions of the release 9.8.7."""
    folder = tmp_path_factory.mktemp("channels")
    for name, text in channels.render("9.8.7", f"{URL}/", SUMS).items():
        (folder / name).write_text(text)
    return folder


def yaml(path):
    return YAML(typ="safe").load(path.read_text())


def run(*command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here; the release's workflow has it")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_version_and_checksums_come_from_the_release_alone(rendered):
    texts = {path.name: path.read_text() for path in rendered.iterdir()}
    known = {digest.lower() for digest in SUMS.values()}
    for name, text in texts.items():
        assert not re.search(r"@(VERSION|URL|SITE|SHA256)", text), name
        assert set(map(str.lower, re.findall(r"\b[0-9a-fA-F]{64}\b", text))) <= known, name
    everything = "\n".join(texts.values()).lower()
    assert all(digest in everything for digest in known), "each file that is described is checked"
    for template in channels.TEMPLATES.iterdir():
        assert not re.search(r"\b[0-9a-fA-F]{64}\b|\b0\.1\.0\b", template.read_text()), template.name


def test_a_release_without_a_file_is_refused():
    with pytest.raises(channels.ChannelError, match=r"arm64\.dmg"):
        channels.render("9.8.7", URL, {name: value for name, value in SUMS.items() if "arm64" not in name})


def test_sums_are_read_as_sha256sum_writes_them(tmp_path):
    (tmp_path / "a b").write_text("x")
    lines = "".join(f"{digest}  {name}\n" for name, digest in SUMS.items())
    assert channels.read_sums(lines) == SUMS
    with pytest.raises(channels.ChannelError):
        channels.read_sums("no sum\n")


def test_the_program_writes_them(tmp_path):
    version = channels.check_release.version()
    sums = tmp_path / "SHA256SUMS"
    sums.write_text("".join(f"{digest}  {name.replace('9.8.7', version)}\n" for name, digest in SUMS.items()))
    done = subprocess.run(
        [sys.executable, ROOT / "packaging" / "channels.py", URL, sums, tmp_path / "out"],
        capture_output=True, text=True, timeout=LIMIT_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out" / "latest.json").read_text()) == {"version": version}


# -- Flatpak -------------------------------------------------------------------------------------------------


def test_flatpak_builder_reads_the_manifest(rendered):
    shown = json.loads(run("flatpak-builder", "--show-manifest", rendered / "org.lightloom.Lightloom.yml"))
    sources = {source["url"]: source["sha256"] for source in shown["modules"][0]["sources"]}
    assert sources == {f"{URL}/{name}": SUMS[name] for name in FILES[:2]}


def test_the_flatpak_manifest_is_what_flathub_asks_for(rendered):
    manifest = yaml(rendered / "org.lightloom.Lightloom.yml")
    assert manifest["id"] == "org.lightloom.Lightloom" and manifest["command"] == "lightloom"
    # Rules of flatpak-builder-lint, which is no package of Debian's or PyPI's: no whole home, no session bus,
    # no X11 beside Wayland.
    arguments = manifest["finish-args"]
    assert not any(
        re.search(r"filesystem=(host|home)|socket=(session|system)-bus|talk-name", a) for a in arguments
    )
    assert "--socket=x11" not in arguments
    assert {"--socket=wayland", "--socket=fallback-x11", "--share=ipc"} <= set(arguments)
    commands = "\n".join(manifest["modules"][0]["build-commands"])
    for path in re.findall(r"source/(\S+)", commands):
        assert (ROOT / path).is_file(), path
    assert "echo flatpak > /app/lib/lightloom/installed-by.txt" in commands


def test_appstream_takes_the_metainfo():
    out = run("appstreamcli", "validate", "--no-net", METAINFO)
    assert "successful" in out


# -- winget --------------------------------------------------------------------------------------------------


def test_the_winget_manifests(rendered):
    """By the documentation of manifest 1.10 (learn.microsoft.com); the workflow holds them to its schemas."""
    version, installer, locale = (
        yaml(rendered / f"Lightloom.Lightloom{part}.yaml") for part in ("", ".installer", ".locale.en-US")
    )
    for manifest, kind in ((version, "version"), (installer, "installer"), (locale, "defaultLocale")):
        assert manifest["PackageIdentifier"] == "Lightloom.Lightloom"
        assert str(manifest["PackageVersion"]) == "9.8.7"
        assert manifest["ManifestType"] == kind and str(manifest["ManifestVersion"]) == "1.10.0"
    assert version["DefaultLocale"] == locale["PackageLocale"] == "en-US"
    assert {"Publisher", "PackageName", "License", "ShortDescription"} <= set(locale)
    assert len(locale["ShortDescription"]) <= 256 and len(locale["Tags"]) <= 16
    assert {one["Scope"] for one in installer["Installers"]} == {"user", "machine"}
    for one in installer["Installers"]:
        assert one["InstallerUrl"] == f"{URL}/{FILES[2]}"
        assert one["InstallerSha256"] == SUMS[FILES[2]].upper()
        assert "/INSTALLEDBY=winget" in one["InstallerSwitches"]["Custom"]
    # The installer's identity is Inno Setup's.
    script = (ROOT / "packaging" / "windows" / "lightloom.iss").read_text()
    (identity,) = re.findall(r"^AppId=\{(\{[0-9A-F-]+\})", script, re.MULTILINE)
    assert installer["ProductCode"] == f"{identity}_is1"
    assert "{param:INSTALLEDBY|}" in script


# -- Homebrew ------------------------------------------------------------------------------------------------

# What `brew style`, which needs Homebrew, asks for beyond RuboCop's own rules or against them.
RUBOCOP = """
AllCops: {NewCops: disable, SuggestExtensions: false}
Style/StringLiterals: {EnforcedStyle: double_quotes}
Style/FrozenStringLiteralComment: {Enabled: false}
Layout/LineLength: {Max: 118, AllowedPatterns: ['^ *url ']}
Style/TrailingCommaInArrayLiteral: {EnforcedStyleForMultiline: comma}
Metrics/BlockLength: {Enabled: false}
Layout/HashAlignment: {EnforcedColonStyle: table}
"""


def test_ruby_takes_the_cask(rendered, tmp_path):
    assert "Syntax OK" in run("ruby", "-c", rendered / "lightloom.rb")
    (tmp_path / "rubocop.yml").write_text(RUBOCOP)
    run("rubocop", "--cache", "false", "--config", tmp_path / "rubocop.yml", rendered / "lightloom.rb")


def test_the_cask_names_both_disk_images(rendered):
    cask = (rendered / "lightloom.rb").read_text()
    for sign, arch in (("arm", "arm64"), ("intel", "x86_64")):
        name = f"Lightloom-9.8.7-macos-{arch}.dmg"
        assert re.search(rf'{sign}:\s+"{SUMS[name]}"', cask)
        (url,) = re.findall(r'^  url "(.*)"', cask, re.MULTILINE)
        assert url.replace("#{version}", "9.8.7").replace("#{arch}", arch) == f"{URL}/{name}"
    # Homebrew's order of stanzas, and a description without an article or a full stop.
    stanzas = re.findall(r"^  (\w+)", cask, re.MULTILINE)
    order = [
        "arch",
        "version",
        "sha256",
        "url",
        "name",
        "desc",
        "homepage",
        "livecheck",
        "depends_on",
        "app",
        "binary",
        "zap",
    ]
    assert [s for s in stanzas if s in order] == order
    (description,) = re.findall(r'desc "(.*)"', cask)
    assert (
        len(description) <= 80 and not re.match(r"(An?|The) ", description) and not description.endswith(".")
    )
