"""Alt and a letter choose one thing: in no menu, in no language, two entries have the same letter."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QMainWindow, QMenu

from desktop.base.resources import resource
from desktop.plugins.labeling.window import actions as labeling
from desktop.ui.kit.language import LANGUAGES
from desktop.ui.kit.mnemonics import distinct, mnemonic, unmarked
from desktop.ui.shell.composition import find_actions, find_menus
from desktop.ui.workspace.action import plain_text
from desktop.ui.workspace.menus import Menus

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
translations = importlib.import_module("translations")
sys.path.remove(str(ROOT / "packaging"))
# That the catalogues have all texts of the program is another test's.
SOURCES = list(translations.read_catalogue_file(translations.catalogue("de")))


@pytest.fixture(params=list(LANGUAGES))
def language(request, qapp):
    translator = QTranslator()
    assert translator.load(f"lightloom_{request.param}", str(resource("assets", "translations")))
    qapp.installTranslator(translator)
    yield request.param
    qapp.removeTranslator(translator)


def menus_in(bar) -> list[QMenu]:
    """The menus of a bar and those within them; what fills itself is filled when it is opened, with texts of
    no letter.
    """
    found = []
    waiting = [action.menu() for action in bar.actions()]
    while waiting:
        menu = waiting.pop()
        found.append(menu)
        waiting += [action.menu() for action in menu.actions() if action.menu() is not None]
    return found


@pytest.mark.parametrize("which", ["main", "labeling"])
def test_every_menu_has_different_letters(qtbot, language, which):
    window = QMainWindow()
    qtbot.addWidget(window)
    values = (find_menus(), find_actions()) if which == "main" else (labeling.MENUS, labeling.ACTIONS)
    made = Menus(window, None, *values)
    made.make_bar()
    groups = {"bar": [action.text() for action in window.menuBar().actions()]}
    for menu in menus_in(window.menuBar()):
        groups[menu.title()] = [action.text() for action in menu.actions() if not action.isSeparator()]
    for menu in values[0]:
        if menu.fill is not None:
            groups[menu.id] = [made.actions[action.id].text() for action in made._within(menu)]
    assert sum(map(len, groups.values())) > (60 if which == "main" else 20)
    for title, texts in groups.items():
        letters = Counter(letter for text in texts if (letter := mnemonic(text)))
        assert not [letter for letter, count in letters.items() if count > 1], (title, texts)
    assert all(mnemonic(text) for text in groups["bar"])


def test_a_menu_keeps_the_letters_that_do_not_meet():
    texts = ["&Open...", "&Close", "C&opy", "Paste"]
    assert distinct(texts) == ["&Open...", "&Close", "Co&py", "P&aste"]


def test_letters_of_chinese_stand_in_brackets_before_the_dots():
    assert distinct(["打开(&O)...", "输出(&O)...", "设置..."]) == [
        "打开(&O)...",
        "输出(&A)...",
        "设置(&B)...",
    ]


def test_what_finds_no_letter_has_none():
    texts = ["&a"] * 3
    assert distinct(texts) == ["&a", "a", "a"]
    many = [f"输出{n}" for n in range(40)]
    letters = [mnemonic(text) for text in distinct(many)]
    assert len({letter for letter in letters if letter}) == 35 and letters.count("") == 5


def test_an_ampersand_that_is_one_is_left_alone():
    assert mnemonic("Black && white") == "" and unmarked("Black && &white") == "Black && white"
    assert plain_text("Save && go(&S)...") == "Save & go"
    assert distinct(["Black && white"]) == ["&Black && white"]
    assert mnemonic("Privacy & Security") == ""


def test_dialogs_wish_for_no_letters():
    # Nothing tells theirs apart: what stands in a dialog is reached by Tab.
    wished = re.compile(r"&(?=[^&\s])")
    contexts = {
        f"{message.context}: {message.source}"
        for message in SOURCES
        if message.context != translations.CONTEXT and wished.search(message.source.replace("&&", ""))
    }
    assert contexts == set()


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_dots_follow_their_word_without_a_space(code):
    if code == "en":
        said = [message.source for message in SOURCES]
    else:
        said = [
            form
            for forms in translations.read_catalogue_file(translations.catalogue(code)).values()
            for form in forms
        ]
    # What is left out (of a list, of a header) stands by itself, and within a sentence Chinese has two of the
    # sign; everywhere else it is three full stops, right behind the word.
    wrong = re.compile(r"(?<!,)(?<!Bearer)\s\.\.\.|…$" if code == "zh_CN" else r"(?<!,)(?<!Bearer)\s\.\.\.|…")
    assert [text for text in said if wrong.search(text)] == []
