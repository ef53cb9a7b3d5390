"""Documents, docstrings and comments name files, classes and functions that there are; documents, options and
variables that there are.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import desktop.__main__ as main
from desktop import cli
from desktop.ui.shell.composition import find_actions, find_menus
from desktop.ui.workspace.action import plain_text

ROOT = Path(__file__).parents[2]
MODULE = re.compile(r"(?<![\w/.<>*-])(?:[\w-]+/)*\w+\.py\b")
CLASS = re.compile(r"`(_?[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:\.(\w+))?(?:\([^`]*\))?`")
DEFINED = r"\b(?:class|def) {0}\b|^\s*{0}\b.*="
PLACED = re.compile(r"`(\w+)`\s+\(`((?:[\w-]+/)*\w+\.py)`\)")
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^ {4}.*\n)+", re.MULTILINE)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
CALL = re.compile(r"(?<![\w=./-])lightloom ((?:(?!(?<![\w=./-])lightloom )[^|;&()#])*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
SCRIPT = re.compile(r"\bpython3? (?:-m )?([\w/.]+)([^|;&#]*)")
SENTENCE_END = re.compile(r"\.\s|\n\n|\n\|")
KEPT = re.compile(r"`([a-z]+)(?:/|/\*\.plan|\.json)`")
LINKED = re.compile(r"\]\(([^)#:\s]+\.md)(?:#[^)\s]*)?\)")
ENTRY = re.compile(r"(?<!\*)\*([^*\n]+\s>\s[^*]+)\*(?!\*)")

# Of programs that are not this one's, and of Chromium.
OF_OTHERS = {
    "docs/detection.md": {"--decode_in_inference"},
    "docs/diffusion.md": {"--local-dir"},
    "docs/watch.md": {"--now", "--read-only", "--tmpfs", "--device"},
    "docs/facts.md": {"--disable-gpu", "--in-process-gpu"},
    "docs/many-machines.md": {
        *("--job-name", "--nodes", "--ntasks-per-node", "--gpus-per-node", "--cpus-per-task", "--time"),
        *(
            "--requeue",
            "--ntasks",
            "--exclude",
            "--head",
            "--port",
            "--address",
            "--block",
            "--disable-usage-stats",
        ),
    },
    "docs/macos-check.md": {"--verify", "--deep"},
    "docs/releasing.md": {"--verify", "--deep", "--apple-id"},
    "packaging/licences/about.md": {"--enable-nonfree"},
}


# What a checkout has beside its own files.
MADE = frozenset({"build", "dist", "out"})


@cache
def tracked() -> tuple[str, ...]:
    """Without git, which a copied tree and a bare system lack."""
    own = [
        path
        for path in ROOT.iterdir()
        if path.name not in MADE and not path.name.startswith((".venv", ".git"))
    ]
    paths = [inner for path in own for inner in (path.rglob("*") if path.is_dir() else [path])]
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths if path.suffix in (".py", ".md"))
    return tuple(name for name in names if not name.startswith(".") and (ROOT / name).is_file())


@cache
def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def called(path: str) -> list[str]:
    """Return the files that a document may mean by a path or the end of one."""
    return [name for name in tracked() if f"/{name}".endswith(f"/{path}")]


def documents() -> list[str]:
    return [name for name in tracked() if name.endswith(".md")]


def sources() -> list[str]:
    return [name for name in tracked() if name.startswith("desktop/") and name.endswith(".py")]


@cache
def code_and_prose(name: str) -> tuple[str, str]:
    """Return a module's code without its docstrings and comments, and these."""
    docstrings = {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(ast.parse(read(name)))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    code, prose = [], []
    for token in tokenize.generate_tokens(io.StringIO(read(name)).readline):
        is_prose = token.type == tokenize.COMMENT or token.start in docstrings
        (prose if is_prose else code).append(token.string)
    return " ".join(code), "\n".join(prose)


def prose() -> list[tuple[str, str]]:
    return [(name, read(name)) for name in documents()] + [
        (name, code_and_prose(name)[1]) for name in sources()
    ]


def test_modules_named_in_documents_and_comments_exist() -> None:
    missing = [
        (name, path)
        for name, text in prose()
        for path in sorted(set(MODULE.findall(text)))
        if not called(path)
    ]
    assert not missing


def test_classes_named_in_documents_exist() -> None:
    names = {word for name in sources() for word in re.findall(r"\w+", code_and_prose(name)[0])}
    missing = [
        (name, word)
        for name in documents()
        for found in CLASS.findall(read(name))
        for word in found
        if word and word not in names
    ]
    assert not missing


def test_code_that_documents_show_is_the_program_s() -> None:
    """Line by line, but for comments, what `...` leaves out, and brackets at a line's ends, where a formatter
    puts some.
    """

    def lines(text: str) -> list[str]:
        return [line.split("  #")[0].strip(" (),") for line in text.splitlines()]

    code = {line for name in tracked() if name.endswith(".py") for line in lines(read(name))}
    other = [
        (name, line)
        for name in documents()
        for block in re.findall(r"```python\n(.*?)```", read(name), re.DOTALL)
        for line in lines(block)
        if line and "..." not in line and line not in code
    ]
    assert not other


def test_what_is_said_to_be_in_a_module_is_in_it() -> None:
    elsewhere = [
        (name, thing, path)
        for name, text in prose()
        for thing, path in PLACED.findall(text)
        if not any(re.search(DEFINED.format(thing), read(each), re.MULTILINE) for each in called(path))
    ]
    assert not elsewhere


def shown(text: str) -> Iterator[str]:
    """Yield what a document shows as code, line by line; what goes on after a backslash is one line."""
    for block in (*FENCED.findall(text), *INDENTED.findall(FENCED.sub("", text))):
        yield from block.replace("\\\n", " ").splitlines()
    yield from SPAN.findall(FENCED.sub("", text))


@cache
def options_of(*words: str) -> frozenset[str]:
    """Return the options of a command, or of a command of a group; without a word, the window's."""
    parser = cli.parser_of(words) if words else main.window_parser(cli.command_names())
    return parser.option_names


def command_of(words: list[str]) -> tuple[str, ...] | None:
    """Return which command a line begins with: () is the window; None, a group without one of its own, whose
    options nobody knows.
    """
    if not words or words[0] not in cli.command_names():
        return ()
    module = cli.module_of(cli, words[0])
    if isinstance(module.COMMAND, cli.Command):
        return (words[0],)
    return (words[0], words[1]) if words[1:] and words[1] in cli.names_in(module) else None


def test_commands_in_documents_have_the_options_that_they_are_shown_with() -> None:
    seen, unknown = 0, []
    for name in documents():
        for call in (call for line in shown(read(name)) for call in CALL.findall(line)):
            command, options = command_of(call.split()), OPTION.findall(call)
            known = options_of(*command) if command is not None else frozenset()
            seen += len(options)
            unknown += [(name, call, option) for option in options if option not in known]
    assert not unknown
    assert seen > 80


def every_option() -> set[str]:
    """Of the commands, whose networks' settings are options too, and those that any module's code names."""
    found = {
        option
        for name in tracked()
        if name.endswith(".py")
        for option in OPTION.findall(code_and_prose(name)[0])
    }
    for name in cli.command_names():
        module = cli.module_of(cli, name)
        group = not isinstance(module.COMMAND, cli.Command)
        for words in [(name, each) for each in cli.names_in(module)] if group else [(name,)]:
            found |= options_of(*words)
    return found


def test_options_in_documents_are_some_program_s() -> None:
    known = every_option()
    unknown = [
        (name, option)
        for name in documents()
        for line in shown(read(name))
        for option in OPTION.findall(line)
        if option not in known | OF_OTHERS.get(name, set())
    ]
    assert not unknown


def code_options(code: str) -> set[str]:
    """Options that code names, also without their names' --no- where argparse adds it."""
    named = set(OPTION.findall(code))
    opposites = {f"--no-{option[2:]}" for option in named} if "BooleanOptionalAction" in code else set()
    return named | opposites


def test_scripts_in_documents_have_the_options_that_they_are_shown_with() -> None:
    """A script's own file names each, or one of the modules that it shares with its neighbors."""
    seen, unknown = 0, []
    for name in documents():
        for script, rest in (found for line in shown(read(name)) for found in SCRIPT.findall(line)):
            path = script if script.endswith(".py") else script.replace(".", "/") + ".py"
            files = called(path)
            if not files:
                continue  # pip, pytest, or a program of the reader's own
            folder = files[0].split("/")[0] + "/"
            near = (
                files if script.endswith(".py") else [each for each in tracked() if each.startswith(folder)]
            )
            code = {option for each in near if each.endswith(".py") for option in code_options(read(each))}
            seen += 1
            unknown += [(name, script, option) for option in OPTION.findall(rest) if option not in code]
    assert not unknown
    assert seen > 20


def test_variables_in_documents_are_read_somewhere() -> None:
    code = {
        word
        for name in tracked()
        if name.endswith(".py")
        for word in re.findall(r"LIGHTLOOM_\w+", read(name))
    }
    found = [(name, word) for name in documents() for word in re.findall(r"LIGHTLOOM_[A-Z_]+\b", read(name))]
    assert [each for each in found if each[1] not in code] == []
    assert len(found) > 20


def test_what_documents_name_in_the_cache_folder_is_kept_there() -> None:
    kept = {
        word
        for name in sources()
        if "user_cache_folder" in read(name)
        for word in re.findall(r"""(?:user_cache_folder\(\)|\bcache) / f?"(\w+)""", read(name))
    }
    named = [
        (name, word)
        for name in documents()
        for sentence in SENTENCE_END.split(read(name))
        if re.search(r"\bcache\s+folder\b", sentence)
        for word in KEPT.findall(sentence)
    ]
    assert {word for _, word in named} >= {"decoding", "filters", "networks", "pipelines", "tuning"}
    assert [each for each in named if each[1] not in kept] == []


def test_each_page_is_in_the_navigation_of_the_site() -> None:
    """packaging/site/pages.py adds the decisions and generates the pages that docs/ has not."""
    text = read("packaging/site/mkdocs.yml")
    listed = re.findall(
        r"[\w/.-]+\.md\b", text[text.index("\nnav:") :].replace("# packaging/site/pages.py", "")
    )
    generated = {"examples.md", *(name for name in listed if name.startswith("reference/"))}
    pages = {name.removeprefix("docs/") for name in documents() if name.startswith("docs/")}
    decisions = {name for name in pages if re.match(r"decisions/\d", name)}
    assert set(listed) - generated == pages - decisions
    assert len(listed) == len(set(listed))
    index = read("docs/decisions/README.md")
    assert all(name.removeprefix("decisions/") in index for name in decisions)


def test_the_readme_leads_to_every_document() -> None:
    """To each page of docs/ itself, and to those in its folders over other pages."""

    def linked(name: str) -> set[str]:
        targets = ((ROOT / name).parent / target for target in LINKED.findall(read(name)))
        return {Path(os.path.relpath(target, ROOT)).as_posix() for target in targets if target.is_file()}

    pages = {name for name in documents() if name.startswith("docs/")}
    assert {name for name in pages if name.count("/") == 1} - linked("README.md") == set()
    seen, left = {"README.md"}, ["README.md"]
    while left:
        new = linked(left.pop()) - seen
        seen |= new
        left += new
    assert pages - seen == set()


def test_menu_entries_in_documents_are_in_the_menus() -> None:
    """Each `*Menu > Entry*` whose first part is a menu of this window; other programs have menus too."""
    menus, actions = find_menus(), find_actions()
    bar = {plain_text(menu.title) for menu in menus if not menu.parent}
    entries = {plain_text(text) for text in (*(menu.title for menu in menus), *(a.text for a in actions))}
    seen, missing = 0, []
    for name in documents():
        for found in ENTRY.findall(read(name)):
            first, *rest = (plain_text(" ".join(part.split())) for part in re.split(r"\s>\s", found))
            if first in bar:
                seen += 1
                missing += [(name, part) for part in rest if part not in entries]
    assert not missing
    assert seen > 20
