"""`lightloom plugins`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.plugins import Decisions, Offer, is_off, loaded, offers
from desktop.cli import Command


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--allow", metavar="NAME", nargs="+", default=[], help="use these from now on")
    parser.add_argument("--refuse", metavar="NAME", nargs="+", default=[], help="leave these out from now on")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def _named(name: str, found: tuple[Offer, ...]) -> Offer:
    offer = next((each for each in found if each.name == name), None)
    if offer is None:
        names = ", ".join(each.name for each in found) or "none"
        raise UsageError(f"No installed package offers a plug-in '{name}'; there are: {names}.")
    return offer


def _run(options: argparse.Namespace) -> int:
    decisions, found = Decisions(), offers()
    if both := set(options.allow) & set(options.refuse):
        raise UsageError(f"The plug-in '{min(both)}' is to be both allowed and refused; say one of them.")
    chosen = [(_named(name, found), True) for name in options.allow]
    chosen += [(_named(name, found), False) for name in options.refuse]
    for offer, use in chosen:
        decisions.decide(offer, use=use)
    found = offers() if chosen else found
    if options.json:
        console.out_json([asdict(each) for each in found])
        return 0
    failures = {} if chosen else loaded().failures
    for each in found:
        console.out(f"{each.decision:8} {each}")
        if each.name in failures:
            console.out(f"         it cannot be used: {failures[each.name]}")
    if is_off():
        console.err("Those of other packages are left out: LIGHTLOOM_PLUGINS is 'off'.")
    return 0


COMMAND: Final = Command(
    "List the plug-ins, and say which are used: they are code, so a new one of another package is not.",
    _run,
    _add_options,
)
