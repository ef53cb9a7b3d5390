"""Automations in the command line's notation (docs/automation.md).

    1.radius=lfo(period=2,low=0,high=20)
    2.mask.feather=key_frames(0=1 2.5=4:ease)

The number is the effect's position in the chain, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import automation_source
from desktop.pipeline.automation.spec import MOST_AUTOMATIONS
from desktop.pipeline.chain.automating import find_target
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.chain.typed_mixing import assigned
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.automation import count_automations, made_automation

_TYPED: Final = re.compile(r"\s*(\d{1,3})\.([\w.]+)\s*=\s*(\w+)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_KEY_FRAMES: Final = "key_frames"


def typed_automations(library: FilterLibrary, chain: ChainSpec, texts: Sequence[str]) -> ChainSpec:
    """Return a chain with automations; of two for one number the last one counts.

    Raise UsageError for invalid syntax, an unknown name or an invalid value.
    """
    for text in texts:
        chain = _with_typed(library, chain, text)
    if count_automations(chain) > MOST_AUTOMATIONS:
        raise UsageError(
            sentence("A chain has at most {most} automations; leave some out.", most=MOST_AUTOMATIONS)
        )
    return chain


def _with_typed(library: FilterLibrary, chain: ChainSpec, text: str) -> ChainSpec:
    found = _TYPED.fullmatch(text)
    if found is None:
        raise UsageError(
            sentence(
                "The automation '{text}' is not of the form 1.radius=lfo(period=2); write it like that.",
                text=text[:80],
            )
        )
    position, name, source_name, given = int(found[1]), found[2], found[3], found[4] or ""
    if not 1 <= position <= len(chain.stages):
        raise UsageError(
            sentence(
                "The automation '{text}' is of the effect {number}, and the chain has {count}; give another number.",
                text=text[:80],
                number=position,
                count=len(chain.stages),
            )
        )
    stage = chain.stages[position - 1]
    target = find_target(stage, name, library)
    source = automation_source(source_name)
    values: dict[str, str] = {"frames": given} if _is_frames(source_name, given) else assigned(given, text)
    low, high = (_number(values.pop(key, None), key) for key in ("low", "high"))
    return chain.with_automation(
        stage.id, target.name, made_automation(target, source, source.parse(values), low, high)
    )


def _is_frames(source: str, given: str) -> bool:
    """Return whether the text in parentheses is that of key frames itself, rather than `frames="..."`."""
    return source == _KEY_FRAMES and re.match(r"\s*[A-Za-z_]+\s*=", given) is None


def _number(text: str | None, key: str) -> Any:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(
            sentence("'{key}' of an automation is '{text}'; give a number.", key=key, text=text[:40])
        ) from error
