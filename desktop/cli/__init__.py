"""The command line: the same sources, engine and networks as the window, without one.

Each module is a command, described by its `Command` COMMAND; a package is a group of commands with a `Group`
in its `__init__.py`. Names of shared modules begin with an underscore. Only the module of the command that
runs is imported. Exit status: 0; 1 for a failure, with one sentence on stderr; 2 for a usage error.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from desktop.base import console
from desktop.base.discovery import module_names
from desktop.base.interrupt import Interrupt
from desktop.base.notices import forward_notices
from desktop.base.plugins import Decisions, is_off, loaded, offers, provided_by_name


class CommandParser(console.Parser):
    """A command's parser: errors show its own usage, and the values of `several` may surround an option."""

    several = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; remaining arguments are further values of `several`, or an error of this command."""
        known, left = super().parse_known_args(self._joined(args), namespace)
        if left and self.several and not any(text.startswith("-") for text in left):
            setattr(known, self.several, [*getattr(known, self.several), *left])
        elif left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return known, []

    def _joined(self, args: Sequence[str] | None) -> list[str]:
        """Join an option with a value that begins with a dash, which argparse takes for an option."""
        found: list[str] = []
        rest = iter(sys.argv[1:] if args is None else args)
        for text in rest:
            action = self._option_string_actions.get(text)
            takes_one = action is not None and action.nargs is None
            value = next(rest, None) if takes_one else None
            if value is None:
                found.append(text)
            elif value.startswith("-") and value not in ("-", "--") and not self._is_option(value):
                found.append(f"{text}={value}" if text.startswith("--") else f"{text}{value}")
            else:
                found += [text, value]
        return found

    def _is_option(self, text: str) -> bool:
        return text.partition("=")[0] in self._option_string_actions

    def needs_more(self, argv: Sequence[str]) -> bool:
        """Return whether arguments ask for help or name an option that was not added; True for no arguments."""
        return not argv or any(
            text in ("-h", "--help") or (text.startswith("--") and not self._is_option(text)) for text in argv
        )


@dataclass(frozen=True)
class Command:
    """Description of a command.

    Attributes:
        text: a sentence for --help.
        run: runs the command with the parsed options, with `argv` and `interrupt`, and returns the exit
            status.
        several: the positional argument that may be repeated, '' for none.
        add_late_options: adds options whose declaration imports much; called only if the arguments need them.
    """

    text: str
    run: Callable[[argparse.Namespace], int]
    add_options: Callable[[argparse.ArgumentParser], None] = lambda parser: None
    several: str = ""
    add_late_options: Callable[[argparse.ArgumentParser], None] | None = None


@dataclass(frozen=True)
class Group:
    """A package of commands under a common word. `text`: a sentence for --help."""

    text: str


def names_in(package: ModuleType) -> tuple[str, ...]:
    """Return the names of a package's commands, without importing them."""
    return tuple(sorted(name.replace("_", "-") for name in module_names(package.__name__)))


def command_names() -> tuple[str, ...]:
    """Return the names of all commands and groups, plug-ins included; only plug-ins are imported."""
    return tuple(sorted({*names_in(sys.modules[__name__]), *provided_by_name("commands")}))


def _fill(parser: CommandParser, module: ModuleType, argv: Sequence[str]) -> None:
    """Configure a parser for a command, or for a group with the command that `argv` names, or all."""
    command: Command | Group = module.COMMAND
    _fill_with(parser, command, module, argv)


def _fill_with(
    parser: CommandParser, command: Command | Group, module: ModuleType, argv: Sequence[str]
) -> None:
    parser.description = command.text
    if isinstance(command, Command):
        parser.several = command.several
        parser.set_defaults(run=command.run)
        command.add_options(parser)
        if command.add_late_options is not None and parser.needs_more(argv):
            command.add_late_options(parser)
        return
    names = names_in(module)
    actions = parser.add_subparsers(dest="action", required=True, metavar="|".join(names))
    for name in argv[:1] if argv and argv[0] in names else names:
        action = module_of(module, name)
        _fill(actions.add_parser(name, help=action.COMMAND.text), action, argv[1:])


def module_of(package: ModuleType, name: str) -> ModuleType:
    """Import a package's command or group."""
    return importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")


def parser_of(words: Sequence[str]) -> CommandParser:
    """Return the parser of a command, or of a command of a group, from the words that name it."""
    module = sys.modules[__name__]
    for word in words:
        module = module_of(module, word)
    parser = CommandParser(prog=" ".join(("lightloom", *words)))
    _fill(parser, module, ())
    return parser


def _parser(name: str, rest: Sequence[str]) -> CommandParser:
    parser = CommandParser(prog=f"lightloom {name}")
    here = sys.modules[__name__]
    if name in names_in(here):
        _fill(parser, module_of(here, name), rest)
    else:
        added = provided_by_name("commands")[name]
        _fill_with(parser, Command(added.text, added.run, added.add_options), here, rest)
    return parser


def command_parsers() -> dict[str, CommandParser]:
    """Return the parser of each command by its words, such as 'model check'; imports all commands."""
    here = sys.modules[__name__]
    found: dict[str, CommandParser] = {}
    for name in names_in(here):
        parser = _parser(name, ())
        groups = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
        found |= (
            {f"{name} {word}": each for group in groups for word, each in group.choices.items()}
            if groups
            else {name: parser}
        )
    return found


def run_command(argv: Sequence[str]) -> int:
    """Run `argv`, a command's name and arguments; return the exit status, or raise LightloomError."""
    name, *rest = argv
    # Importing a command takes a second or more: a signal during that ends it with a sentence, as later.
    with Interrupt() as interrupt:
        options = _parser(name, rest).parse_args(rest)
        interrupt.check()
    options.argv = tuple(argv)
    # The command line reports errors itself; without a handler Python would print warnings and tracebacks.
    logging.getLogger("desktop").addHandler(logging.NullHandler())
    if name != "plugins":
        _offer_new_plugins()
    with forward_notices(console.err, under_way=True), Interrupt() as options.interrupt:
        return int(options.run(options))


def _offer_new_plugins() -> None:
    """Report unusable plug-ins; on a terminal, never in scripts, ask about each new one once."""
    for name, why in loaded().failures.items():
        console.fail(f"The plug-in '{name}' is left out: {why}")
    if is_off() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for offer in offers():
        if offer.decision != "new":
            continue
        console.err(
            f"The package {offer.package} {offer.version} offers the plug-in '{offer.name}', which is code."
        )
        console.err("Use it from the next start on? [y/N]")
        use = sys.stdin.readline().strip().lower() in ("y", "yes")
        Decisions().decide(offer, use=use)
        if not use:
            console.err(f"It is left out; 'lightloom plugins --allow {offer.name}' takes it after all.")
