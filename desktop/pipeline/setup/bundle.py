"""A preset with all its files in one file, `.lightloom`: a ZIP that any program can read.

    preset.toml         the preset (preset.py)
    contents.toml       `lightloom_bundle = 1`, and tables of files, and of networks left out for their size:
                        [[file]]     name = "files/look.cube"  kind = "lut"  bytes = 1234  sha256 = "..."
                        [[left_out]] name = "big.onnx"  bytes = 123456  sha256 = "..."  origin = "https://..."
    files/              shaders, tables, images, networks and their sidecar files, under plain names

The file is untrusted: names are checked, sizes limited while reading, checksums compared. It is unpacked into
a new folder named by its content, so that no file of the user is ever replaced.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import tomli_w

from desktop.base.errors import ExportError, PresetError, writing_advice
from desktop.base.file_names import is_device_name
from desktop.base.files import PART_SUFFIX, move_over, reason, resolved
from desktop.base.paths import user_model_folder, user_preset_folder
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.formats import NETWORKS
from desktop.pipeline.filters.header import is_glsl
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.preset import LoadedPreset, document_of, load_preset, preset_data
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.sidecar import sidecar_path

SUFFIX: Final = ".lightloom"
_VERSION: Final = 1
_PRESET, _CONTENTS, _FILES = "preset.toml", "contents.toml", "files"
_CHUNK: Final = 1 << 20
_MAX_ENTRIES: Final = 128
_MAX_DIRECTORY: Final = 64 << 10
_MAX_TOTAL: Final = 1 << 30
_MAX_NETWORK: Final = 256 << 20
# What may be in files/, and how large it may be: text that is parsed, text that is long, frames, networks.
_LARGEST: Final = {
    **dict.fromkeys((".wgsl", ".toml", ".txt"), 1 << 20),
    **dict.fromkeys((".cube", ".png", ".jpg", ".jpeg", ".webp", ".avif", ".bmp", ".tif", ".tiff"), 64 << 20),
    **dict.fromkeys(NETWORKS, _MAX_NETWORK),
}
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_LONGEST_NAME: Final = 100
_NAME: Final = re.compile(rf"files/[A-Za-z0-9_][A-Za-z0-9_. -]{{0,{_LONGEST_NAME - 1}}}")
# Names that Windows takes for devices, whatever their ending.
# What `save_bundle` writes. LZMA's dictionary may be 4 GiB, and its errors are of a kind of their own.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END, _ZIP64 = b"PK\5\6", b"PK\6\7"
_END_SIZE: Final = 22


@dataclass(frozen=True)
class Carried:
    """A file that goes into a bundle: where it is, what it is for, its bytes and checksum.

    `data` is what is written in its place, if it is not the file itself.
    """

    path: Path
    kind: str
    size: int
    sha256: str
    data: bytes | None = None


def is_bundle(path: Path) -> bool:
    """Tell by the name whether a file is a preset in one file."""
    return path.suffix.lower() == SUFFIX


def open_preset(path: Path, library: FilterLibrary) -> LoadedPreset:
    """Read a preset, unpacking a bundle into the folder `imported`; raise PresetError if it is invalid."""
    imported = user_preset_folder() / "imported"
    preset = unpack(path, imported) if is_bundle(path) else path
    # An unpacked preset is still untrusted when it is opened again.
    if not _is_in(preset, imported):
        return load_preset(path, library)
    loaded = load_preset(preset, library, inside=True)
    return _with_left_out(path.name, preset.parent, loaded)


def _is_in(path: Path, folder: Path) -> bool:
    """Return True if a path lies in a folder, by its name or after resolving relative parts and links."""
    try:
        return folder in path.parents or resolved(folder) in resolved(path).parents
    except ValueError:  # no path at all, which the code that opens it says
        return False


# -- writing -------------------------------------------------------------------------------------------------


def save_bundle(
    setup: Setup, library: FilterLibrary, path: Path, *, most_network: int = _MAX_NETWORK
) -> None:
    """Write a setup with its shaders, tables, images and networks, replacing an existing file atomically.

    A network over `most_network` bytes is left out, but named with its checksum and origin, if known. Raise
    ExportError if the file cannot be written or a needed file cannot be read.
    """
    # Imported here: the library brings what the window's start does not wait for.
    from desktop.vision.models.settings import labels_path

    names: dict[Path, str] = {}
    carried: dict[str, Carried] = {}
    left_out: list[dict[str, Any]] = []

    def place(file: Path, kind: str) -> str:
        source = resolved(file)
        if source in names:
            return names[source]
        if kind == "model" and source.is_dir():
            raise ExportError(
                sentence(
                    "The look needs the folder {path}, which does not go into one file; save it as "
                    ".toml, which names the folder.",
                    path=source,
                )
            )
        if kind == "video":
            raise ExportError(
                sentence(
                    "The look has a layer with the video {path}, which does not go into one file; save it as "
                    ".toml, which names the video.",
                    path=source,
                )
            )
        # A shader in GLSL is stored as its translation, which needs no files beside it.
        is_translated = kind == "shader" and is_glsl(source)
        entry = _translated(source, library) if is_translated else _describe_file(source, kind)
        if kind == "model" and entry.size > most_network:
            left_out.append(
                {"name": source.name, "bytes": entry.size, "sha256": entry.sha256, "origin": _origin(source)}
            )
            names[source] = source.name
            return source.name
        beside = [sidecar_path(source), labels_path(source)] if kind == "model" else []
        beside = [each for each in beside if each.is_file()]
        # A shader's name is its filter's; library and chain have it only once.
        stem = source.stem if kind == "shader" else ""
        called = source.with_suffix(".wgsl") if is_translated else source
        name, *followers = _free_names(called, beside, carried, stem=stem)
        carried[name] = entry
        for follower, each in zip(followers, beside, strict=True):
            carried[follower] = _describe_file(each, "beside")
        names[source] = name
        return name

    written = path.with_name(f"{path.name}.{os.getpid()}{PART_SUFFIX}")
    try:
        preset = preset_data(document_of(setup, library, place), path)
        _check_carried(path, carried)
        contents = {
            "lightloom_bundle": _VERSION,
            "file": [
                {"name": name, "kind": c.kind, "bytes": c.size, "sha256": c.sha256}
                for name, c in carried.items()
            ],
            "left_out": left_out,
        }
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_CONTENTS, tomli_w.dumps(contents))
            archive.writestr(_PRESET, preset)
            for name, entry in carried.items():
                _write(archive, name, entry)
        move_over(written, path)
    except OSError as error:
        raise ExportError(
            sentence(
                "The look {path} cannot be written: {reason}; {advice}.",
                path=path,
                reason=reason(error),
                advice=writing_advice(reason(error)),
            )
        ) from error
    finally:
        with suppress(OSError):
            written.unlink(missing_ok=True)


def _check_carried(path: Path, carried: Mapping[str, Carried]) -> None:
    """Raise ExportError for files that `unpack` would refuse: the look could never be opened again."""
    for name, entry in carried.items():
        limit = _LARGEST.get(Path(name).suffix.lower())
        if limit is None:
            raise ExportError(
                sentence(
                    "The look needs {path}, and a .lightloom file cannot hold files of its kind; save that image as "
                    "PNG, or the look as .toml.",
                    path=entry.path,
                )
            )
        if entry.size > limit:
            raise ExportError(
                sentence(
                    "The look needs {path}, which has {size:.1f} MiB, more than the {limit} MiB that a file of its "
                    "kind may have in a .lightloom file; make it smaller, or save the look as .toml.",
                    path=entry.path,
                    size=entry.size / (1 << 20),
                    limit=limit >> 20,
                )
            )
    total = sum(entry.size for entry in carried.values())
    if total > _MAX_TOTAL - _MAX_DIRECTORY - 2 * _LARGEST[".toml"] or len(carried) > _MAX_ENTRIES - 2:
        raise ExportError(
            sentence(
                "{path} is not saved: it would hold {count} files of {size} MiB in total, and at most {most} files "
                "and {limit} MiB can be opened; save the look as .toml.",
                path=path,
                count=len(carried),
                size=total >> 20,
                most=_MAX_ENTRIES - 2,
                limit=_MAX_TOTAL >> 20,
            )
        )


def _write(archive: zipfile.ZipFile, name: str, entry: Carried) -> None:
    """Write a file whose checksum is in the bundle already; raise ExportError if it has changed."""
    if entry.data is not None:
        archive.writestr(zipfile.ZipInfo(name), entry.data, zipfile.ZIP_DEFLATED)
        return
    # Files of package stores (Nix, OSTree) are of 1970, and a ZIP's dates begin in 1980.
    info = zipfile.ZipInfo.from_file(entry.path, name, strict_timestamps=False)
    info.compress_type = zipfile.ZIP_DEFLATED
    digest, left = hashlib.sha256(), entry.size
    with entry.path.open("rb") as file, archive.open(info, "w") as out:
        while left >= 0 and (chunk := file.read(min(_CHUNK, left + 1))):
            left -= len(chunk)
            digest.update(chunk)
            out.write(chunk)
    if digest.hexdigest() != entry.sha256:
        raise ExportError(
            sentence(
                "{path} was changed while the look was being written; save the look again.",
                path=entry.path,
            )
        )


def _translated(path: Path, library: FilterLibrary) -> Carried:
    data = library.get(path.stem).text.encode()
    return Carried(path, "shader", len(data), hashlib.sha256(data).hexdigest(), data)


def _describe_file(path: Path, kind: str) -> Carried:
    digest, size = hashlib.sha256(), 0
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(0, "it is not a file")
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except (OSError, ValueError) as error:
        raise ExportError(
            sentence(
                "The look needs {path}, which cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return Carried(path, kind, size, digest.hexdigest())


def _plain_name(name: str, most: int = _LONGEST_NAME) -> str:
    plain = _plain(name)[-most:].lstrip(". -")
    return f"_{plain}"[:most] if not plain or is_device_name(plain) else plain


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_. -]", "_", text)


def _free_names(path: Path, beside: Sequence[Path], taken: Iterable[str], *, stem: str = "") -> list[str]:
    """Return unused names in the bundle for a file (with a required `stem`, if any) and its sidecar files."""
    endings = [_plain(path.suffix), *(_plain(each.name.removeprefix(path.stem)) for each in beside)]
    stem = stem or _plain_name(path.stem, _LONGEST_NAME - max(map(len, endings)) - len(f"-{_MAX_ENTRIES}"))
    used = {name.casefold() for name in taken}
    for count in itertools.count(1):
        numbered = stem if count == 1 else f"{stem}-{count}"
        names = [f"{_FILES}/{numbered}{ending}" for ending in endings]
        if used.isdisjoint(name.casefold() for name in names):
            return names
    raise AssertionError


def _origin(model: Path) -> str:
    """Return the source of a network of the catalogue; '' for another one."""
    from desktop.vision.models.library.catalogue import read_catalogue

    entries = read_catalogue().values()
    return next((entry.source for entry in entries if entry.file_name == model.name), "")


# -- reading -------------------------------------------------------------------------------------------------


def unpack(path: Path, folder: Path) -> Path:
    """Unpack a preset into its own folder below `folder`, or reuse that; return its `preset.toml`.

    Raise PresetError if it cannot be read, breaks the format, or exceeds the size limit.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(0, "it is not a file")
        with path.open("rb") as file:
            _check_directory(path.name, file)
            file.seek(0)
            target = (
                folder
                / f"{_plain_name(path.stem)[:40]}-{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"
            )
            if (target / _PRESET).is_file():
                return target / _PRESET
            with zipfile.ZipFile(file) as archive:
                _check_entries(path.name, archive.infolist())
                try:
                    _unpack_into(path.name, archive, target)
                except OSError as error:
                    # Another process may have unpacked the same meanwhile.
                    if not (target / _PRESET).is_file():
                        raise _not_unpacked(path, folder, error) from error
    except (OSError, ValueError) as error:
        raise PresetError(
            sentence(
                "The look {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        struct.error,
        zlib.error,
    ) as error:
        raise PresetError(sentence("{name} is damaged, or no look; get it again.", name=path.name)) from error
    return target / _PRESET


def _check_directory(name: str, file: Any) -> None:
    """Check the end record before the directory is read: the standard library would trust its size."""
    size = file.seek(0, os.SEEK_END)
    if size > _MAX_TOTAL:
        raise PresetError(
            sentence(
                "{name} has {size} MiB, and a look may have {limit}; choose another file.",
                name=name,
                size=size >> 20,
                limit=_MAX_TOTAL >> 20,
            )
        )
    tail_size = min(size, (1 << 16) + _END_SIZE + 20)
    file.seek(size - tail_size)
    tail = file.read(tail_size)
    at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        raise zipfile.BadZipFile
    entries, directory = struct.unpack_from("<HI", tail, at + 10)
    if entries > _MAX_ENTRIES or directory > _MAX_DIRECTORY or tail[max(0, at - 20) : at].startswith(_ZIP64):
        raise _too_many(name)


def _too_many(name: str) -> PresetError:
    return PresetError(
        sentence(
            "{name} has more than {max_entries} files in it, which no look of Lightloom has; choose "
            "another file.",
            name=name,
            max_entries=_MAX_ENTRIES,
        )
    )


def _not_unpacked(path: Path, folder: Path, error: OSError) -> PresetError:
    return PresetError(
        sentence(
            "The look {path} cannot be unpacked into {folder}: {reason}; check that this folder can be "
            "written to.",
            path=path,
            folder=folder,
            reason=reason(error),
        )
    )


def _unpack_into(name: str, archive: zipfile.ZipFile, target: Path) -> None:
    part = target.with_name(f"{target.name}.{os.getpid()}{PART_SUFFIX}")
    shutil.rmtree(part, ignore_errors=True)
    try:
        (part / _FILES).mkdir(parents=True)
        checksums = {
            entry.filename: _unpack_entry(archive, entry, part / entry.filename)
            for entry in archive.infolist()
        }
        _check_contents(name, (part / _CONTENTS).read_bytes(), checksums)
        move_over(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> str:
    """Write one entry to a new file and return the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    with path.open("xb") as out:
        for chunk in _chunks(archive, entry):
            digest.update(chunk)
            out.write(chunk)
    return digest.hexdigest()


def _check_contents(name: str, contents: bytes, checksums: Mapping[str, str]) -> None:
    """Compare `contents.toml` with what was unpacked; raise PresetError if it is unreadable or differs."""
    try:
        document = parse_toml(contents)
    except ValueError as error:
        raise PresetError(
            sentence(
                "{name} is damaged: its list of files, {contents}, cannot be read ({error}); get it again.",
                name=name,
                contents=_CONTENTS,
                error=error,
            )
        ) from error
    version = document.get("lightloom_bundle")
    if type(version) is not int or version < 1:
        raise PresetError(
            sentence(
                "{name} is no look of Lightloom: {contents} does not say 'lightloom_bundle = {version}'; "
                "choose another file.",
                name=name,
                contents=_CONTENTS,
                version=_VERSION,
            )
        )
    if version > _VERSION:
        raise PresetError(
            sentence(
                "{name} was written by a newer Lightloom (format {version}; this one reads {known}); get "
                "the newer program.",
                name=name,
                version=version,
                known=_VERSION,
            )
        )
    listed = _listed(document.get("file", []))
    present = {file: digest for file, digest in checksums.items() if file not in (_PRESET, _CONTENTS)}
    for file in sorted(present.keys() | listed.keys()):
        if file not in listed or present.get(file) != listed[file]:
            raise PresetError(
                sentence(
                    "{name} is damaged: {file} is not what its list of files says; get it again.",
                    name=name,
                    file=repr(file[:80]),
                )
            )


def _listed(files: Any) -> dict[str, str]:
    """Return the checksums that `contents.toml` gives, by the files' names; one that is no checksum is ''."""
    entries = [entry for entry in files if isinstance(entry, dict)] if isinstance(files, list) else []
    return {
        str(entry.get("name")): digest if _SHA256.fullmatch(digest := str(entry.get("sha256"))) else ""
        for entry in entries
    }


def _check_entries(name: str, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MAX_ENTRIES:  # the end record may say less
        raise _too_many(name)
    names = [entry.filename for entry in entries]
    if len({n.casefold() for n in names}) < len(names) or not {_PRESET, _CONTENTS} <= set(names):
        raise PresetError(
            sentence(
                "{name} is no look of Lightloom: {preset} or {contents} is missing, or a name is there "
                "twice; export it again.",
                name=name,
                preset=_PRESET,
                contents=_CONTENTS,
            )
        )
    for entry in entries:
        _check_entry(name, entry)
    if sum(entry.file_size for entry in entries) > _MAX_TOTAL:
        raise PresetError(
            sentence(
                "{name} holds more than {limit} MiB; it was not opened.", name=name, limit=_MAX_TOTAL >> 20
            )
        )


def _check_entry(name: str, entry: zipfile.ZipInfo) -> None:
    plain = entry.filename in (_PRESET, _CONTENTS)
    limit = _LARGEST.get(Path(entry.filename).suffix.lower(), 0)
    bad = not plain and (not _NAME.fullmatch(entry.filename) or is_device_name(entry.filename[6:]))
    if bad or limit == 0 or entry.flag_bits & 1:
        raise PresetError(
            sentence(
                "{name} has a file in it that no look has, {file}; it was not opened.",
                name=name,
                file=repr(entry.filename[:80]),
            )
        )
    if entry.compress_type not in _METHODS:
        raise PresetError(
            sentence("{name} is packed in a way that no look of Lightloom is; it was not opened.", name=name)
        )
    if entry.file_size > limit:
        raise PresetError(
            sentence(
                "{name}: {file} has {size} MiB, and {limit} at most are opened; choose another file.",
                name=name,
                file=entry.filename,
                size=entry.file_size >> 20,
                limit=limit >> 20,
            )
        )


def _chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """The bytes of an entry, no more than it says that it has."""
    left = entry.file_size
    with archive.open(entry) as stream:
        while chunk := stream.read(min(_CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise zipfile.BadZipFile
            yield chunk


def _with_left_out(name: str, folder: Path, loaded: LoadedPreset) -> LoadedPreset:
    """Add a sentence for each network that was too large to go along, with what is known of it."""
    try:
        listed = parse_toml((folder / _CONTENTS).read_bytes()).get("left_out", [])
    except (OSError, ValueError):
        listed = []
    said = []
    for entry in listed[:_MAX_ENTRIES] if isinstance(listed, list) else ():
        if not isinstance(entry, dict):
            continue
        model, digest, origin = (str(entry.get(key, ""))[:200] for key in ("name", "sha256", "origin"))
        where = f", from {origin}" if origin else ""
        said.append(
            f"{name}: the network {model!r} was too large to be in it; get it{where} (SHA-256 "
            f"{digest[:16]}...), "
            f"put it into {user_model_folder()} and choose it on its card."
        )
    return replace(loaded, warnings=(*loaded.warnings, *said))
