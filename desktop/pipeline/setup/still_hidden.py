"""Keep redaction safe when a preset replaces the setup."""

from __future__ import annotations

from dataclasses import replace

from desktop.pipeline.setup.setup import Setup


def still_hidden(before: Setup, loaded: Setup) -> Setup:
    """Return a preset's setup, but keep redaction, and the network it needs, if the preset has no table for
    it: trying a preset would otherwise show faces and write them into a running recording.
    """
    if before.anonymize is None or loaded.anonymize is not None:
        return loaded
    if before.network is None:
        return replace(loaded, anonymize=before.anonymize)
    return replace(
        loaded,
        anonymize=before.anonymize,
        network=before.network,
        network_enabled=before.network_enabled,
    )
