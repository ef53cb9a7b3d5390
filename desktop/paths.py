"""Folders of the user's own: filters, presets, settings, logs."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_APP = "lightloom"


def _folder(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or default)


def user_filter_folder() -> Path:
    """Where the user's own `.wgsl` filters are (it may not exist); LIGHTLOOM_FILTERS overrides it."""
    return _folder(
        "LIGHTLOOM_FILTERS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "filters")
    )


def user_preset_folder() -> Path:
    """Where the window saves presets first; LIGHTLOOM_PRESETS overrides it."""
    return _folder(
        "LIGHTLOOM_PRESETS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "presets")
    )


def user_model_folder(chosen: str = "") -> Path:
    """Where downloaded networks are kept: the folder that the user chose, if any; LIGHTLOOM_MODELS overrides both."""
    default = chosen or str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "models")
    return _folder("LIGHTLOOM_MODELS", default)


def user_remote_folder() -> Path:
    """Where is kept what the user said of networks on servers; LIGHTLOOM_REMOTE overrides it."""
    return _folder(
        "LIGHTLOOM_REMOTE", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "remote")
    )


def user_label_folder() -> Path:
    """Where labels of pictures are kept whose own folder cannot be written; LIGHTLOOM_LABELS overrides it."""
    return _folder(
        "LIGHTLOOM_LABELS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "labels")
    )


def user_config_folder() -> Path:
    """Where the window keeps its settings; LIGHTLOOM_CONFIG overrides it."""
    return _folder("LIGHTLOOM_CONFIG", platformdirs.user_config_dir(_APP, appauthor=False))


def user_log_folder() -> Path:
    """Where logs are written; LIGHTLOOM_LOGS overrides it."""
    return _folder("LIGHTLOOM_LOGS", platformdirs.user_log_dir(_APP, appauthor=False))


def user_cache_folder() -> Path:
    """Where prepared networks are kept, safe to delete; LIGHTLOOM_CACHE overrides it."""
    return _folder("LIGHTLOOM_CACHE", platformdirs.user_cache_dir(_APP, appauthor=False))


def user_export_folder() -> Path:
    """Where the window keeps its exports that are not done; LIGHTLOOM_EXPORTS overrides it."""
    return _folder(
        "LIGHTLOOM_EXPORTS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "exports")
    )


def user_pictures_folder() -> Path:
    """Where snapshots and recordings go first."""
    return Path(platformdirs.user_pictures_dir())
