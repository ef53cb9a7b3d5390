"""Keep redaction safe when a preset replaces the setup."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.presets.preset import Setup


def still_hidden(before: Setup, loaded: Setup) -> Setup:
    """Return a preset's setup for use in place of another one: who was hidden stays so where the preset has no table.

    The network that finds what is hidden stays with it; that of the preset may know no such class. Weighed: what the preset says and
    nothing else. Then a look that somebody tries on while faces are hidden shows them, and has them in a recording that is running.
    """
    if before.anonymize is None or loaded.anonymize is not None:
        return loaded
    return replace(loaded, anonymize=before.anonymize, network=before.network or loaded.network)
