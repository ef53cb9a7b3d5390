"""The catalogues: up to date with the source, complete, consistent, and compiled; and the sentences that are
translated late.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import pickle
import re
import string
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
translations, catalogues = map(importlib.import_module, ("translations", "catalogues"))
sys.path.remove(str(ROOT / "packaging"))

from desktop.base.errors import ModelError  # noqa: E402
from desktop.base.wording import Text, counted, joined, listed, packed, plural, sentence, unpacked  # noqa: E402
from desktop.ui.kit import language  # noqa: E402

LANGUAGES = [code for code in language.LANGUAGES if code != "en"]
HINT = "; run: python3 tasks.py translate"
FORMS = {"en": 2, "de": 2, "zh_CN": 1}


@pytest.fixture(scope="module")
def messages():
    return translations.find_messages()


@pytest.fixture(scope="module", params=list(language.LANGUAGES))
def catalogue(request):
    return request.param, translations.read_catalogue_file(translations.catalogue(request.param))


def test_catalogues_have_the_texts_of_the_source(messages, catalogue):
    code, entries = catalogue
    wanted = {m for m in messages if m.plural} if code == "en" else messages
    assert set(entries) - wanted == set(), f"texts that the program has no more{HINT}"
    assert wanted - set(entries) == set(), f"texts that are new{HINT}"


def test_the_text_of_a_shortened_list_is_found(messages):
    """It is in the module that defines `sentence`."""
    text = listed(["a.png", "b.png"], most=1)
    assert isinstance(text, Text) and text.template in {message.source for message in messages}


def test_what_cannot_be_read_or_written_says_what_to_do(messages):
    failed = re.compile(r"(?:cannot|can't|could not) be (?:read|written|finished|removed)")
    mute = [
        m.source for m in messages if failed.search(m.source) and m.source.endswith(("{reason}.", "{error}."))
    ]
    assert not mute, f"add what the user can do: {mute}"


def test_every_text_is_translated(catalogue):
    code, entries = catalogue
    missing = [f"{m.context}: {m.source}" for m, forms in entries.items() if not all(forms)]
    assert not missing, f"{len(missing)} texts of {code} are not translated: {missing[:10]}"
    for message, forms in entries.items():
        assert len(forms) == (FORMS[code] if message.plural else 1), message


def placeholders(text: str) -> Counter:
    fields = [
        f"{{{name}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}"
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    ]
    return Counter(fields)


def test_translations_keep_what_is_filled_in(catalogue):
    _, entries = catalogue
    for message, forms in entries.items():
        for form in forms:
            assert placeholders(form) == placeholders(message.source), (message.source, form)
            if message.plural:
                assert "%n" in form, form
            # A file dialog's patterns, which are no words.
            patterns = re.findall(r"\*[.\w]*", message.source)
            assert re.findall(r"\*[.\w]*", form) == patterns, form


def test_options_of_the_command_line_are_in_parentheses_where_they_are_in_english(catalogue):
    """The window leaves parentheses with options out, Chinese ones too."""

    def has_option(text):
        return "--" in re.sub(r"[(（]--[a-z][^()（）]*[)）]", "", text)

    _, entries = catalogue
    with_options = [
        message for message in entries if "--" in message.source and not has_option(message.source)
    ]
    assert not [form for message in with_options for form in entries[message] if has_option(form)]


def test_translations_keep_dots_keys_and_spaces(catalogue):
    _, entries = catalogue
    for message, forms in entries.items():
        source = message.source
        for form in forms:
            # An entry that opens a dialog ends in dots, in Chinese with the menu's key before them.
            dots = source.replace("&", "").endswith("...")
            assert form.endswith("...") == dots, (source, form)
            # An "&" before a space is a word of its own ("Privacy & Security").
            keys = re.compile(r"&(?! )")
            assert len(keys.findall(form)) == len(keys.findall(source)), (source, form)
            assert form.startswith(" ") == source.startswith(" ") or source == " and ", (source, form)
            assert "\n" not in form or "\n" in source


def test_german_addresses_nobody():
    """Four of five texts did so when it was made one: "eine andere Datei wählen", not "wählen Sie eine andere
    Datei".
    """
    entries = translations.read_catalogue_file(translations.catalogue("de"))
    for message, forms in entries.items():
        for form in forms:
            # "Sie zählt", behind a stop, is a zone.
            assert not re.search(r"\w,? (Sie|Ihr|Ihre[mnrs]?|Ihnen)\b", form), (message.source, form)


@pytest.mark.parametrize("code", LANGUAGES)
def test_menu_keys_are_different_within_a_menu(code):
    entries = translations.read_catalogue_file(translations.catalogue(code))
    titles = ("&File", "&Edit", "&View", "&Playback", "Effe&cts", "&Help")
    keys = [
        entries[translations.Message(translations.CONTEXT, title)][0].partition("&")[2][:1].casefold()
        for title in titles
    ]
    assert len(set(keys)) == len(keys), keys


def test_compiled_catalogues_are_those_of_the_sources(catalogue):
    code, entries = catalogue
    translator = QTranslator()
    assert translator.load(str(translations.catalogue(code).with_suffix(".qm")))
    for message, forms in entries.items():
        if not all(forms):
            continue
        counts = [2] if len(forms) == 1 else [1, 2]
        for count, form in zip(counts, forms, strict=True):
            found = translator.translate(
                message.context, message.source, None, count if message.plural else -1
            )
            assert found.replace(str(count), "%n") == form.replace(str(count), "%n"), f"{message}{HINT}"


def test_a_compiled_catalogue_is_the_one_that_qt_makes(catalogue, tmp_path):
    source = translations.catalogue(catalogue[0])
    program = f"pyside6-lrelease{'.exe' if os.name == 'nt' else ''}"
    command = [Path(sys.executable).parent / program, "-silent", source, "-qm", tmp_path / "qt.qm"]
    subprocess.run(command, check=True)
    made = catalogues.compile_catalogue(source.read_text(encoding="utf-8"))
    assert made == (tmp_path / "qt.qm").read_bytes()


def test_a_catalogue_is_compiled_where_it_is_missing_or_old(tmp_path):
    source, compiled = tmp_path / "lightloom_de.ts", tmp_path / "lightloom_de.qm"
    message = "<message><source>Yes</source><translation>{}</translation></message>"
    text = f'<TS language="de"><context><name>texts</name>{message}</context></TS>'

    def translated_after(translation: str, *, s: int) -> str:
        source.write_text(text.format(translation), encoding="utf-8")
        os.utime(source, (s, s))
        assert catalogues.compile_stale(tmp_path) == [compiled]
        translator = QTranslator()
        assert translator.load(str(compiled))
        return translator.translate("texts", "Yes")

    assert translated_after("Ja", s=1_000_000) == "Ja"
    os.utime(compiled, (2_000_000, 2_000_000))
    assert translated_after("Jawohl", s=1_500_000) == "Ja", "it is up to date"
    assert translated_after("Jawohl", s=2_500_000) == "Jawohl"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lightloom_de.qm", "lightloom_de.ts"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            "class A:\n  def f(self):\n    tr = self.tr\n    return tr('x'), f'{self.tr(\"y\")}'",
            {("A", "x", False), ("A", "y", False)},
        ),
        ("class A:\n  def f(self): return self.tr('%n a' ' b', '', 3)", {("A", "%n a b", True)}),
        ("translate('C', 'x')", {("C", "x", False)}),
        ("raise E(sentence('{a} is b', a=1))", {("texts", "{a} is b", False)}),
        (
            "counted(3, 'frame'), counted(3, 'child', 'children')",
            {("texts", "%n frames", True), ("texts", "%n children", True)},
        ),
        ("plural(n, '%n was', '%n were')", {("texts", "%n were", True)}),
    ],
)
def test_texts_are_found(source, found):
    assert {(m.context, m.source, m.plural) for m in translations.messages_of(source)} == found


@pytest.mark.parametrize(
    "source", ["class A:\n  def f(self, x): self.tr(x)", "sentence(f'{x}')", "parent.tr('x')"]
)
def test_a_text_that_cannot_be_found_is_told(source):
    with pytest.raises(ValueError, match=r"^\d+: "):
        set(translations.messages_of(source))


# -- what is shown without translation -----------------------------------------------------------------------

_SHOWING = """
setText setToolTip setWindowTitle setPlaceholderText setAccessibleName setAccessibleDescription setTitle
setStatusTip setWhatsThis setLabelText setInformativeText setHeaderLabels setTabText addAction addMenu addTab
addRow addItem addButton setSuffix setPrefix showMessage say tell QLabel QPushButton QCheckBox QAction QMenu
QRadioButton QGroupBox QToolBar QDockWidget ElidedLabel IconButton heading muted Notice Command Action Menu PanelSpec question
information warning critical getOpenFileName getSaveFileName getExistingDirectory getText
"""
SHOWING = frozenset(_SHOWING.split())
# The same everywhere: units, names of color formats and of the program; the rest are names of icons, objects
# and levels.
UNTRANSLATED = re.compile(r"(Lightloom|FPS|[kM]?B|ms|px|RGB|BGR|[a-z_0-9/]+|0:00|[^A-Za-z]*)")


def plain_words(path: Path) -> list[str]:
    """Return literals of a file that are shown without translation."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in SHOWING or (name in ("warning", "information") and _is_log(node.func)):
            continue
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            found += [f"{path.name}:{node.lineno}: {text!r}" for text in _literals(argument)]
    return found


def _is_log(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "log"


def _literals(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [] if UNTRANSLATED.fullmatch(node.value.strip()) else [node.value]
    if isinstance(node, ast.JoinedStr):
        text = "".join(v.value for v in node.values if isinstance(v, ast.Constant))
        if UNTRANSLATED.fullmatch(text.strip()):
            return []
        return [text] if re.search(r"[A-Za-z]{3,}", text.replace("Lightloom", "").replace("FPS", "")) else []
    if isinstance(node, ast.IfExp):
        return [*_literals(node.body), *_literals(node.orelse)]
    return []


def test_the_window_shows_no_literal():
    found = [line for path in sorted((ROOT / "desktop" / "ui").rglob("*.py")) for line in plain_words(path)]
    keys = re.compile(r"'(Ctrl|Shift|Alt|[A-Z]|F\d)")  # of an action
    assert [line for line in found if not keys.search(line)] == []


def test_a_literal_that_is_shown_is_found(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        "label.setText('Hello there')\nself.tell('error', f'The {x} broke')\nQLabel(a if b else 'Off')\n"
    )
    assert len(plain_words(path)) == 3


ERRORS = frozenset(
    node.name
    for node in ast.parse((ROOT / "desktop" / "base" / "errors.py").read_text(encoding="utf-8")).body
    if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
)


def plain_errors(path: Path) -> list[str]:
    """Return the errors of ours that a file makes with a text that the window could not translate."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name in ERRORS:
            message = (
                node.args[1 if name == "CameraError" and len(node.args) > 1 else 0] if node.args else None
            )
            found += (
                [f"{path.name}:{node.lineno}: {text!r}" for text in _literals(message)] if message else []
            )
    return found


BELOW_UI = (
    *("compute", "media", "net", "vision", "pipeline", "outputs"),
    *("spread", "plugins/labeling/data", "web", "metrics"),
)


def test_errors_can_be_translated():
    files = sorted(path for layer in BELOW_UI for path in (ROOT / "desktop" / layer).rglob("*.py"))
    assert files and [line for path in files for line in plain_errors(path)] == []


def test_an_error_that_cannot_be_translated_is_found(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        "raise ModelError(f'{x} is broken')\nraise CameraError('lost', 'It is gone.')\nraise GpuError(sentence('Gone.'))\n"
    )
    assert len(plain_errors(path)) == 2


ADVICE = re.compile(
    r"; |: (?:ask|check|choose|close|convert|give|look|open|plug|save|scale|set|try|use|write)\b"
)
SAID_OTHERWISE = {
    "{public} stopped sending: waiting for it to come back.",
    "{path} is a device or a pipe, not a file: a camera is opened as 'camera:<its name>'.",
    "The camera {name} {happened}: {hint}.",
}


def mute_errors(path: Path) -> list[str]:
    """Return the sentences of a file's errors that do not go on with what the user can do."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Name(error),
                args=[*_, ast.Call(func=ast.Name("sentence"), args=[ast.Constant(str(said)), *_])],
            ) if error in ERRORS and said.endswith(".") and not ADVICE.search(said):
                found.append(said)
    return [said for said in found if said not in SAID_OTHERWISE]


@pytest.mark.parametrize("folder", ["media", "pipeline/setup", "outputs"])
def test_errors_about_a_users_file_say_what_to_do(folder):
    files = sorted((ROOT / "desktop" / folder).rglob("*.py"))
    assert files and [said for path in files for said in mute_errors(path)] == []


def test_an_error_that_says_nothing_to_do_is_found(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        "raise SourceError(sentence('{a} is damaged.', a=1))\nraise SourceError(sentence('{a} is damaged; try another.', a=1))\n"
        "raise CameraError('lost', sentence('It is gone.'))\n"
    )
    assert len(mute_errors(path)) == 2


# -- sentences that are translated late ----------------------------------------------------------------------


def test_a_sentence_keeps_its_parts_through_an_exception():
    error = ModelError(sentence("{name} has {{no}} end, {share:.1f}", name="a.onnx", share=0.25))
    said = str(error)
    assert said == "a.onnx has {no} end, 0.2"
    assert (said.template, said.arguments["name"]) == ("{name} has {{no}} end, {share:.1f}", "a.onnx")
    assert str(pickle.loads(pickle.dumps(error))).template == said.template


def test_names_in_a_sentence_are_printable():
    said = str(ModelError(sentence("{name} of {path} is bad", name="a\x1b[2J", path=Path("b\nc"))))
    assert said == "a\\x1b[2J of b\\nc is bad"
    assert said.template == "{name} of {path} is bad"


def test_an_exception_is_kept_as_what_it_says():
    inner = ValueError("bad")
    assert sentence("it: {error}", error=inner).arguments == {"error": "bad"}
    assert sentence("it: {error}", error=ModelError(counted(2, "frame"))).arguments["error"].number == 2


def test_arguments_are_kept_as_text_or_number():
    said = sentence("{a} {b} {c:.1f}", a=Path("x"), b=[1, 2], c=0.25)
    assert said.arguments == {"a": "x", "b": "[1, 2]", "c": 0.25}


def test_a_sentence_goes_through_json():
    said = sentence("{a} in {b:.1f} s", a=plural(3, "%n file of {x}", "%n files of {x}", x="y"), b=1.25)
    back = unpacked(json.loads(json.dumps(packed(said))))
    assert (back, back.template) == ("3 files of y in 1.2 s", said.template)
    assert back.arguments["a"].number == 3
    assert unpacked(packed("plain")) == "plain"


_LONG = ["{a}" * 10, "", {"a": "x" * 500}, None]


@pytest.mark.parametrize(
    "value",
    [
        ["{a:999999999}", "", {"a": "x"}, None],
        ["{a.upper}", "", {"a": "x"}, None],
        ["{a[0]}", "", {"a": "x"}, None],
        ["{a!r}", "", {"a": "x"}, None],
        ["{a:{b}}", "", {"a": "x", "b": 9}, None],
        ["{}", "", {}, None],
        ["{a", "", {}, None],
        ["{a}", "", {}, None],
        ["{a:f}", "", {"a": "x"}, None],
        _LONG,
        ["a", "b", 3, None],
        [1, "", {}, None],
        ["a"],
        5,
        None,
        {"a": 1},
    ],
)
def test_a_strangers_sentence_is_refused(value):
    with pytest.raises(ValueError):
        unpacked(value)


def test_numbers_and_parts():
    assert [counted(n, "frame") for n in (0, 1, 2)] == ["0 frames", "1 frame", "2 frames"]
    assert plural(1, "%n file of {a}", "%n files of {a}", a="x") == "1 file of x"
    assert joined(", {", ["a", counted(2, "x")]) == "a, {2 xs"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (["de-AT", "en"], "de"),
        (["zh-Hans-CN"], "zh_CN"),
        (["zh-CN"], "zh_CN"),
        (["zh-Hant-TW", "zh-TW"], "en"),
        (["fr-FR", "de-DE"], "de"),
        (["fr"], "en"),
        ([], "en"),
    ],
)
def test_the_systems_language(system, expected):
    assert language.language_of("", system) == expected
    assert language.language_of("zh_CN", system) == "zh_CN"
    assert language.language_of("xx", system) == expected
