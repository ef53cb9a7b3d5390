"""Keep redaction safe when a preset replaces the setup."""

from __future__ import annotations

from dataclasses import replace

from desktop.pipeline.setup.setup import Setup


def still_hidden(before: Setup, loaded: Setup) -> Setup:
    """Return a preset's setup to replace another one: redaction stays on if the preset has no table.

    The network that detects the redacted objects stays too; the preset's may not have their class. Otherwise
    trying a preset would show faces and write them into a running recording.
    """
    if before.anonymize is None or loaded.anonymize is not None:
        return loaded
    return replace(loaded, anonymize=before.anonymize, network=before.network or loaded.network)
