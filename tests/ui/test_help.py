"""The guide inside the program: contents, search, links, keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest

from desktop.ui.workspace.help import PAGES, HelpWindow, find_sections, read_page


@pytest.fixture
def guide(ui):
    ui.press(Qt.Key.Key_F1)
    ui.wait(lambda: ui.window.findChild(HelpWindow) is not None)
    found = ui.window.findChild(HelpWindow)
    ui.wait(found.isVisible)
    yield found
    found.close()
    ui.wait(lambda: ui.window.findChild(HelpWindow) is None)


def test_the_wheel_names_the_pages_of_the_guide():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert {name for name in shipped if name.startswith("docs/")} == {f"docs/{page}" for page in PAGES}
    assert len(set(PAGES)) == len(PAGES), "a page is listed twice"


@pytest.mark.parametrize("name", PAGES)
def test_each_page_has_a_title_and_no_picture(name):
    page = read_page(name)
    assert page.sections[0].level == 1 and len(page.sections) > 1
    assert "![" not in page.markdown
    assert len({section.title for section in page.sections}) == len(page.sections)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_pages_of_the_guide(name):
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", read_page(name).markdown)
    assert [link for link in linked if link not in PAGES] == []


def test_a_search_finds_titles_first():
    pages = [read_page(name) for name in PAGES]
    found = find_sections(pages, "keys")
    assert (found[0].page, found[0].title) == ("user-guide.md", "Keys")
    assert all("score" in f"{s.title}{s.text}".casefold() for s in find_sections(pages, "score"))
    assert find_sections(pages, "quokka wombat") == []


def test_the_guide_opens_on_its_first_page_and_searches(ui, guide):
    assert "Using Lightloom" in guide.text.toPlainText()
    assert guide.contents.topLevelItemCount() == len(PAGES)
    QTest.keyClicks(guide.search, "letterbox")
    assert not guide.nothing.isVisible() and "letterbox" in guide.text.toPlainText().casefold()
    assert guide.text.extraSelections()
    guide.search.setText("keys")
    QTest.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.text.verticalScrollBar().value() > 0
    guide.search.setText("xyzzy")
    assert guide.nothing.isVisible() and "xyzzy" in guide.nothing.text()
    guide.search.clear()
    assert guide.contents.topLevelItemCount() == len(PAGES)


def test_a_link_opens_its_page(ui, guide):
    guide.text.anchorClicked.emit(QUrl("model-library.md"))
    assert read_page("model-library.md").title in guide.text.toPlainText()


def test_there_is_one_guide(ui, guide):
    ui.window.actions_by_name["help"].trigger()
    assert len(ui.window.findChildren(HelpWindow)) == 1
