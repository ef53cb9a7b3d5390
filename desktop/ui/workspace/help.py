"""The offline guide: the Markdown pages of docs/, with contents and a search."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.base.resources import resource
from desktop.ui.kit.widgets import column, muted

PAGES: Final = (
    *(
        "user-guide.md",
        "filters.md",
        "masks.md",
        "automation.md",
        "isf.md",
        "layers.md",
        "sources.md",
        "playlist.md",
        "time.md",
    ),
    *("grid.md", "sound.md", "subtitles.md"),
    *("export.md", "web.md", "outputs.md", "streaming.md", "serving.md", "metrics.md", "watch.md"),
    "remote-control.md",
    *(
        "model-library.md",
        "models.md",
        "backends.md",
        "remote.md",
        "classification.md",
        "detection.md",
        "key-points.md",
        "face-points.md",
    ),
    *("segmentation.md", "click-to-segment.md", "likeness.md", "second-look.md"),
    *("tracking.md", "zones.md", "home-assistant.md"),
    *("anonymize.md", "results.md", "labeling.md"),
    *(
        "network-stages.md",
        "super-resolution.md",
        "live-diffusion.md",
        "optical-flow.md",
        "diffusion.md",
        "color.md",
        "scopes.md",
        "performance.md",
    ),
    "many-machines.md",
)
"""The bundled pages (pyproject.toml lists them for the wheel), in the order of the contents."""

_HEADING: Final = re.compile(r"(#{1,3}) +(.+)")
_IMAGE: Final = re.compile(r"^!\[[^\]]*\]\([^)]*\)\s*$")
_AT: Final = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class HelpSection:
    """A heading of a page with its text; the unit of the contents list and the search."""

    page: str
    title: str
    level: int
    text: str


@dataclass(frozen=True)
class Page:
    """A page: its file's name, its Markdown without the frames (which do not travel), its sections."""

    name: str
    markdown: str
    sections: tuple[HelpSection, ...]

    @property
    def title(self) -> str:
        """The first heading."""
        return self.sections[0].title if self.sections else self.name


def read_page(name: str) -> Page:
    """Read a page. Raises FileNotFoundError if the installation is incomplete."""
    lines = resource("docs", name).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not _IMAGE.match(line)]
    sections: list[HelpSection] = []
    title, level, body, fenced = "", 0, [""], False
    for line in (*lines, "# end"):
        fenced ^= line.startswith("```")
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            sections.append(HelpSection(name, title, level, "\n".join(body)))
        title, level, body = _plain(heading[2]), len(heading[1]), []
    return Page(name, "\n".join(lines), tuple(sections))


def _plain(markdown: str) -> str:
    return re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", markdown)


def find_sections(pages: Iterable[Page], text: str) -> list[HelpSection]:
    """Return the sections with all words of a text: matching titles first, then in page order."""
    words = text.casefold().split()
    found = [
        section
        for page in pages
        for section in page.sections
        if all(word in f"{section.title}\n{section.text}".casefold() for word in words)
    ]
    return sorted(found, key=lambda section: not all(word in section.title.casefold() for word in words))


class HelpWindow(QDialog):
    """Contents and search on the left, the page on the right; does not block the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Lightloom guide"))
        self.pages = {name: read_page(name) for name in PAGES}
        self._shown = ""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        split = QSplitter()
        split.addWidget(self._make_contents())
        self.text = QTextBrowser()
        self.text.setAccessibleName(self.tr("Page"))
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        self.text.document().setDocumentMargin(18)
        split.addWidget(self.text)
        split.setStretchFactor(1, 1)
        split.setSizes([250, 600])
        layout.addWidget(split)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        screen = self.screen().availableGeometry()
        self.resize(min(900, screen.width() - 40), min(680, screen.height() - 80))
        self._list()
        self.show_section(self.pages[PAGES[0]].sections[0])
        self.search.setFocus()

    def _make_contents(self) -> QWidget:
        side = QWidget()
        side.setObjectName("panel")
        side.setMinimumWidth(180)
        inner: QVBoxLayout = column(side, 8, 6)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the guide"))
        self.search.setAccessibleName(self.tr("Search the guide"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._list)
        self.search.returnPressed.connect(self._go)
        self.search.installEventFilter(self)
        self.nothing = muted()
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(12)
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.currentItemChanged.connect(lambda *_: self._go())
        inner.addWidget(self.search)
        inner.addWidget(self.nothing)
        inner.addWidget(self.contents, 1)
        return side

    def _list(self) -> None:
        text = self.search.text().strip()
        self.contents.blockSignals(True)
        self.contents.clear()
        found = find_sections(self.pages.values(), text) if text else []
        if text:
            for section in found:
                self._entry(self.contents, section, self._title_of(section))
            self._select(0)
        else:
            for page in self.pages.values():
                parent = self._entry(self.contents, page.sections[0], page.title)
                for section in page.sections[1:]:
                    self._entry(parent, section, section.title)
                parent.setExpanded(page.name == PAGES[0])
        self.contents.blockSignals(False)
        self.nothing.setText(self.tr("The guide has nothing about “{0}”. Try another word.").format(text))
        self.nothing.setVisible(bool(text) and not found)
        if found:
            self._go()

    def _title_of(self, section: HelpSection) -> str:
        """Return a section's title for use outside its page."""
        page = self.pages[section.page].title
        return page if section.level == 1 else f"{section.title} – {page}"

    def _entry(
        self, parent: QTreeWidget | QTreeWidgetItem, section: HelpSection, title: str
    ) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [title])
        item.setData(0, _AT, section)
        item.setToolTip(0, title)
        return item

    def _select(self, row: int) -> None:
        item = self.contents.topLevelItem(max(0, min(row, self.contents.topLevelItemCount() - 1)))
        if item is not None:
            self.contents.setCurrentItem(item)

    def _go(self) -> None:
        item = self.contents.currentItem()
        if item is not None:
            self.show_section(item.data(0, _AT))

    def show_section(self, section: HelpSection) -> None:
        """Show a page from a section's heading on, with matches highlighted."""
        if self._shown != section.page:
            self._shown = section.page
            self.text.setMarkdown(self.pages[section.page].markdown)
        document = self.text.document()
        block = document.begin()
        while block.isValid() and not (block.blockFormat().headingLevel() and block.text() == section.title):
            block = block.next()
        top = document.documentLayout().blockBoundingRect(block).top() if block.isValid() else 0.0
        self.text.verticalScrollBar().setValue(round(top) - 8)
        self._mark()

    def show_page(self, page: str) -> None:
        """Show a page such as 'zones.md', or a section of it such as 'user-guide.md#statistics'."""
        name, _, anchor = page.partition("#")
        sections = self.pages[name].sections
        self.show_section(next((s for s in sections if _anchor(s.title) == anchor), sections[0]))

    def _mark(self) -> None:
        marks = []
        color = QColor(self.palette().highlight().color())
        color.setAlpha(90)
        for word in self.search.text().split():
            cursor = QTextCursor(self.text.document())
            while not (cursor := self.text.document().find(word, cursor)).isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(color)
                marks.append(mark)
        self.text.setExtraSelections(marks)

    def _follow(self, url: QUrl) -> None:
        # A link such as '#inputs' leads to a section of the page that is shown.
        name = PurePosixPath(url.path()).name or self._shown
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif name in self.pages:
            self.show_page(f"{name}#{url.fragment()}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Select among the results with the arrows while the search has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {int(Qt.Key.Key_Down): 1, int(Qt.Key.Key_Up): -1}.get(event.key())
            if step is not None and self.search.text().strip():
                item = self.contents.currentItem()
                self._select((self.contents.indexOfTopLevelItem(item) if item is not None else -1) + step)
                return True
            if step is not None:
                self.contents.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return bool(super().eventFilter(watched, event))


def _anchor(title: str) -> str:
    """Return a heading's anchor as links of the pages have it."""
    return title.lower().replace(" ", "-")


def show_help(window: QWidget, page: str = "") -> None:
    """Open or raise the guide of a window, without blocking it; `page` may end in '#' and a heading's anchor."""
    there = window.findChild(HelpWindow)
    guide = there if there is not None else HelpWindow(window)
    if page:
        guide.show_page(page)
    guide.show()
    guide.raise_()
    guide.activateWindow()
