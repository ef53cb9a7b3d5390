"""Folders of the user's own: filters, presets, settings, logs."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_APP = "lightloom"


def _folder(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or default)


def user_filter_folder() -> Path:
    """Return the folder of the user's `.wgsl` filters (it may not exist); LIGHTLOOM_FILTERS overrides it."""
    return _folder(
        "LIGHTLOOM_FILTERS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "filters")
    )


def user_preset_folder() -> Path:
    """Return the folder in which the window offers to save presets; LIGHTLOOM_PRESETS overrides it."""
    return _folder(
        "LIGHTLOOM_PRESETS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "presets")
    )


def user_model_folder(chosen: str = "") -> Path:
    """Return the folder of downloaded networks: `chosen`, if any; LIGHTLOOM_MODELS overrides it."""
    default = chosen or str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "models")
    return _folder("LIGHTLOOM_MODELS", default)


def user_remote_folder() -> Path:
    """Return the folder of the user's decisions about networks on servers; LIGHTLOOM_REMOTE overrides it."""
    return _folder(
        "LIGHTLOOM_REMOTE", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "remote")
    )


def user_label_folder() -> Path:
    """Return the folder for labels of frames in read-only folders; LIGHTLOOM_LABELS overrides it."""
    return _folder(
        "LIGHTLOOM_LABELS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "labels")
    )


def user_package_folder() -> Path:
    """Return the folder of optional packages that the user installed; LIGHTLOOM_PACKAGES overrides it."""
    return _folder(
        "LIGHTLOOM_PACKAGES", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "packages")
    )


def user_config_folder() -> Path:
    """Return the folder of the window's settings; LIGHTLOOM_CONFIG overrides it."""
    return _folder("LIGHTLOOM_CONFIG", platformdirs.user_config_dir(_APP, appauthor=False))


def user_log_folder() -> Path:
    """Return the folder of the logs; LIGHTLOOM_LOGS overrides it."""
    return _folder("LIGHTLOOM_LOGS", platformdirs.user_log_dir(_APP, appauthor=False))


def user_cache_folder() -> Path:
    """Return the folder of prepared networks, safe to delete; LIGHTLOOM_CACHE overrides it."""
    return _folder("LIGHTLOOM_CACHE", platformdirs.user_cache_dir(_APP, appauthor=False))


def user_state_folder() -> Path:
    """Return the folder of what a service has to know after a restart, not safe to delete; LIGHTLOOM_STATE
    overrides it.
    """
    return _folder("LIGHTLOOM_STATE", platformdirs.user_state_dir(_APP, appauthor=False))


def user_export_folder() -> Path:
    """Return the folder of the window's unfinished exports; LIGHTLOOM_EXPORTS overrides it."""
    return _folder(
        "LIGHTLOOM_EXPORTS", str(Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "exports")
    )


def user_pictures_folder() -> Path:
    """Return the system's image folder, for snapshots and recordings; LIGHTLOOM_PICTURES overrides it."""
    return _folder("LIGHTLOOM_PICTURES", platformdirs.user_pictures_dir())
