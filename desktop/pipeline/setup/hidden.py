"""Settings of redaction as a table: `[anonymize]` of a preset (docs/anonymize.md lists its keys).

A preset with the table enables redaction. The table is untrusted: invalid values are reported and replaced by
the defaults. Even an invalid table redacts: people whose redaction was requested must not be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop.base.errors import UsageError
from desktop.base.wording import Text, sentence
from desktop.vision.tracking.anonymize import AnonymizeSpec, with_anonymize_value


def anonymize_table(spec: AnonymizeSpec) -> dict[str, Any]:
    """Return the table of a spec, with all values, so that it does not depend on the defaults."""
    return {**vars(spec), "classes": list(spec.classes)}


def take_anonymize(document: dict[str, Any], warn: Callable[[Text], None]) -> AnonymizeSpec | None:
    """Remove and read the key `anonymize` of a preset, or return None; report ignored values to `warn`."""
    if "anonymize" not in document:
        return None
    given = document.pop("anonymize")
    spec = AnonymizeSpec()
    if not isinstance(given, dict):
        warn(sentence("'anonymize' is not a table: all that the network finds is hidden in the usual way."))
        return spec
    for name, value in given.items():
        try:
            spec = with_anonymize_value(spec, name, value)
        except UsageError as error:
            warn(sentence("{error} The usual one is used.", error=error))
    return spec
