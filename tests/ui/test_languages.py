"""The window in each language: nothing stays English, nothing overflows.

A made-up language that puts every translated text between brackets finds what does not go through
translation. The real ones are laid out at the usual and at the smallest size. Without a font for Chinese the
widths are those of the boxes drawn for missing letters, which are as wide as the letters are.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTabBar,
    QTreeWidget,
    QWidget,
)
from window_panels import chain_of, networks_of, stats_of

from desktop.app import make_window, start_engine
from desktop.base.resources import resource
from desktop.base.wording import Text, counted, sentence
from desktop.compute.gpu.timing import Percentiles
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.features.recording.record_dialog import RecordDialog
from desktop.ui.features.sources.screen_dialog import ScreenDialog
from desktop.ui.forms import offers
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.settings import Settings
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit import language
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.notices import Floor
from desktop.ui.kit.widgets import ElidedLabel, format_ms, format_percentiles
from desktop.ui.shell.closing import Closing
from desktop.ui.shell.safety import CrashDialog
from desktop.ui.shell.session import Crash
from desktop.ui.shell.window import Window

FILTERS = ("bloom", "lut", "background", "pixelate", "style")
SIZES = ((1320, 820), (900, 600))
# What is the same in every language: units, figures, names of files, networks, licences, keys, formats.
_SAME = """
FPS ms px kB KB MB GPU CPU RGB BGR GRAY NCHW NHWC mean std ImageNet Caffe wgpu WebGPU onnxruntime ONNX Runtime PyTorch fp16 fp32 auto
Lightloom llvmpipe LLVM bits Vulkan OpenGL Ctrl Shift Alt Space Del Left Right Backspace Return English Deutsch nv12 limited any size
FFV1 ProRes DNxHR HQX GIF HEVC JPEG MPEG NDI Matroska PNG QuickTime WebM WebP NVDEC VAAPI VideoToolbox D3D11VA DXVA2
"""
SAME = re.compile(
    r"https?://\S+|\(commit \w+\)|\.(onnx|wgsl|cube|gif|mkv|mov|webm|webp)\b|#[0-9A-F]{6}|\bBT\.\d+|\b("
    + "|".join(_SAME.split())
    + r")\b"
)


class Brackets(QTranslator):
    """Translates every text of the catalogues into itself between brackets."""

    def __init__(self, parent: QApplication) -> None:
        super().__init__(parent)
        path = resource("assets", "translations", "lightloom_de.ts")
        self._known = {
            (context.findtext("name"), message.findtext("source"))
            for context in ElementTree.parse(path).getroot().iterfind("context")
            for message in context.iterfind("message")
        }

    def isEmpty(self) -> bool:
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        # What begins with Q is Qt's own, for which it has catalogues.
        if (context, source) not in self._known and not context.startswith("Q"):
            return None
        return f"⟦{source.replace('%n', str(n)) if n >= 0 else source}⟧"


@contextmanager
def window_in(
    qapp: QApplication, tmp_path: Path, speak: Callable[[QApplication], object]
) -> Iterator[Window]:
    """Make a window in the language that `speak` installs; in the end both are gone, whatever fails."""
    before = set(qapp.findChildren(QTranslator))
    with pytest.MonkeyPatch.context() as patch, ExitStack() as after:
        for name in ("FILTERS", "PRESETS", "LOGS", "MODELS", "EXPORTS"):
            patch.setenv(f"LIGHTLOOM_{name}", str(tmp_path / name.lower()))
        after.callback(_take_away, qapp, before)
        speak(qapp)
        settings = Settings(tmp_path / "settings.ini")
        engine = start_engine(os.environ.get("LIGHTLOOM_ADAPTER"), settings.path)
        window = make_window(qapp, settings, engine)
        after.callback(window.close)
        window.show()
        window.start([], empty=True)
        yield window


def _take_away(qapp: QApplication, kept: set[QTranslator]) -> None:
    for translator in set(qapp.findChildren(QTranslator)) - kept:
        qapp.removeTranslator(translator)
        translator.deleteLater()


def at_work(window: Window, qtbot: object) -> None:
    """Bring the window to show as much as it can."""
    for name in FILTERS:
        window.workspace.edits.add_filter(name)
    window.workspace.get(Opening).open("sample:128x72@30")
    qtbot.waitUntil(lambda: window.workspace.engine.pipeline.stats.frames > 1)
    window.dock_area.show("stats")
    networks_of(window).show()
    qtbot.waitUntil(lambda: bool(networks_of(window).keys))
    for card in chain_of(window).findChildren(StageCard):
        card.set_expanded(True)
    QTest.qWait(100)
    window.refresh()
    stats_of(window).update_figures()


def dialogs_of(window: Window) -> list[QDialog]:
    window.dialogs.show_keys()
    window.dialogs.show_adapters()
    page = show_preferences(window)
    # All sections at once: they are one below the other.
    page._show(set(page.rows), set(range(page.sections.count())))
    screens = ScreenDialog(window, window.workspace.jobs, window.themed, lambda _: None, lambda: ([], []))
    screens.show()
    workspace = window.workspace
    busy = SimpleNamespace(is_busy=True, left=2, changed=workspace.get(Exports).changed)
    assert not Closing(busy, busy, workspace.messages, window, records=lambda: True).allows()
    ExportDialog(workspace, window).show()
    RecordDialog(workspace.settings, workspace.outputs, window, lambda *_: None).show()
    window.dialogs.show_about()
    crash = CrashDialog(Crash(window.workspace.settings.path.parent, 0.0))
    crash.show()
    QTest.qWait(100)
    return [*window.findChildren(QDialog), crash]


def texts_of(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield (where, text) of all that a widget and those within it show or say."""
    for widget in (root, *root.findChildren(QWidget)):
        where = f"{type(widget.parent()).__name__}/{type(widget).__name__}"
        for get in ("text", "toolTip", "accessibleName", "placeholderText", "windowTitle", "title"):
            read = getattr(widget, get, None)
            if callable(read) and not (get == "text" and isinstance(widget, QLineEdit)):
                yield f"{where}.{get}", str(read())
        if isinstance(widget, QComboBox):
            yield from ((f"{where} item", widget.itemText(i)) for i in range(widget.count()))
        if isinstance(widget, QTabBar):
            yield from ((f"{where} tab", widget.tabText(i)) for i in range(widget.count()))
        if isinstance(widget, QTreeWidget):
            for index in range(widget.topLevelItemCount()):
                top = widget.topLevelItem(index)
                yield f"{where} row", top.text(0)
                yield from ((f"{where} row", top.child(i).text(0)) for i in range(top.childCount()))
        if isinstance(widget, QMenu):
            yield from ((f"{where} entry", action.text()) for action in widget.actions())


def left_over(text: str) -> str:
    """Return the words of a text that did not go through translation."""
    while "⟦" in text:
        shorter = re.sub(r"⟦[^⟦⟧]*⟧", "", text)
        if shorter == text:
            break
        text = shorter
    return " ".join(word for word in re.findall(r"[A-Za-z]{3,}", SAME.sub("", text)))


def test_every_text_goes_through_translation(qapp, qtbot, tmp_path):
    def speak(app: QApplication) -> None:
        app.installTranslator(Brackets(app))

    with window_in(qapp, tmp_path, speak) as window:
        at_work(window, qtbot)
        dialogs = dialogs_of(window)
        found = {
            f"{where}: {text}"
            for root in (window, *dialogs)
            for where, text in texts_of(root)
            if left_over(text)
        }
        found |= {f"palette: {c.title}" for c in window.dialogs.commands() if left_over(c.title)}
        found |= {f"overlay: {row}" for row in window.overlay.state().rows if left_over(row[0])}
        for dialog in dialogs:
            dialog.close()
        # What comes from the machine and from files.
        screens = [screen.name() for screen in qapp.screens()]
        sounds = [name for _, name in offers.sound_devices(None) if not isinstance(name, Text)]
        own = (str(tmp_path), window.workspace.adapter.name, str(Path.home()), *screens, *sounds)
        untranslated = sorted(f for f in found if not any(part in f for part in own))
        assert not untranslated, "\n".join(untranslated)


def overflows(root: QWidget) -> list[str]:
    """Return a line for each text within a widget that does not fit where it stands."""
    found = []
    # A text that has just changed may wait for its place.
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or not widget.width():
            continue
        if message := _overflow(widget):
            found.append(f"{type(widget.parent()).__name__}/{type(widget).__name__}: {message}")
    return found


def _overflow(widget: QWidget) -> str:
    if isinstance(widget, QScrollArea):
        off = widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        needed = widget.widget().minimumSizeHint().width() if widget.widget() is not None else 0
        has = widget.viewport().width()
        return f"what scrolls needs {needed} of {has}" if off and needed > has else ""
    if isinstance(widget, ElidedLabel):
        # The name of a file ends in an ellipsis, with a tool tip; what the program says is to be read without
        # one.
        shown, text = widget.shown, widget.text()
        of_file = widget._mode == Qt.TextElideMode.ElideMiddle
        return "" if shown == text or of_file else f"“{text}” is cut to “{shown}”"
    if isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
        if widget.wordWrap():
            for word in re.findall(r"[^\s\u200b\u2e80-\uffef]+", widget.text()):
                needed = widget.fontMetrics().horizontalAdvance(word)
                if needed > widget.width():
                    return f"“{word}” needs {needed} of {widget.width()}"
            needed = widget.heightForWidth(widget.width())
            return (
                f"“{widget.text()}” needs {needed} of {widget.height()} lines"
                if needed > widget.height() + 1
                else ""
            )
        needed = widget.sizeHint().width()
        return f"“{widget.text()}” needs {needed} of {widget.width()}" if needed > widget.width() else ""
    if isinstance(widget, QComboBox):
        if isinstance(widget, ElidedComboBox):
            return ""
        needed = widget.sizeHint().width()
        return (
            f"“{widget.currentText()}” needs {needed} of {widget.width()}" if needed > widget.width() else ""
        )
    if isinstance(widget, QTabBar):
        if widget.visibleRegion().isEmpty():
            return ""  # of a dock alone: Qt keeps it outside of the window
        needed = widget.sizeHint().width()
        return f"tabs need {needed} of {widget.width()}" if needed > widget.width() else ""
    if (
        isinstance(widget, QAbstractButton)
        and widget.text()
        and widget.minimumSizeHint().width() > widget.width()
    ):
        return f"“{widget.text()}” needs {widget.minimumSizeHint().width()} of {widget.width()}"
    return ""


def misplaced(root: QWidget) -> list[str]:
    """Return a line for each visible widget that is not within its parent, or lies over a sibling."""
    found = []
    for parent in (root, *root.findChildren(QWidget)):
        if not parent.isVisible() or isinstance(parent.parentWidget(), QAbstractScrollArea):
            continue
        children = [child for child in parent.children() if isinstance(child, QWidget) and _is_seen(child)]
        for child in children:
            if not parent.rect().contains(child.geometry()):
                found.append(f"{_named(child)} {child.geometry().getRect()} of {parent.size().toTuple()}")
        # A notice is to float over the frame.
        layered = [] if isinstance(parent, Floor) else children
        for one, other in itertools.combinations(layered, 2):
            if not (common := one.geometry() & other.geometry()).isEmpty():
                found.append(f"{_named(one)} lies over {_named(other)}: {common.getRect()}")
    return found


def _is_seen(widget: QWidget) -> bool:
    # Tab bars of docks that are alone are kept outside of the window by Qt.
    return not (widget.isWindow() or isinstance(widget, QTabBar)) and not widget.visibleRegion().isEmpty()


def _named(widget: QWidget) -> str:
    name = widget.accessibleName() or widget.objectName()
    return f"{type(widget.parent()).__name__}/{type(widget).__name__} “{name}”"


def settled(root: QWidget) -> list[str]:
    """Return what overflows once all that wraps its lines has found its height: each width makes for another
    one, step by step.
    """
    for _ in range(40):
        QTest.qWait(50)
        if not (found := overflows(root) + misplaced(root)):
            return []
    return found


@pytest.fixture
def text(qapp, request) -> Iterator[float]:
    """The scale of all text, of what is made from now on."""
    before, font = qapp.font(), qapp.font()
    font.setPointSizeF(before.pointSizeF() * request.param)
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


@pytest.mark.parametrize("text", [1.0, 1.5], indirect=True)
@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_nothing_overflows(qapp, qtbot, tmp_path, code, text):
    with window_in(qapp, tmp_path, lambda app: language.install(app, code)) as window:
        found = []
        window.resize(*SIZES[0])
        QTest.qWait(50)
        found += [f"start page: {line}" for line in settled(window)]
        at_work(window, qtbot)
        for size in SIZES:
            window.resize(*size)
            QTest.qWait(100)
            found += [f"{size}: {line}" for line in settled(window)]
            sides = [*window.dock_area.of("left"), *window.dock_area.of("right")]
            window.resizeDocks(sides, [0] * len(sides), Qt.Orientation.Horizontal)
            found += [f"{size}, as narrow as can be: {line}" for line in settled(window)]
        for dock in window.dock_area.of("bottom"):
            window.dock_area.show(dock.objectName(), grow=True)
            QTest.qWait(50)
            found += [f"{dock.windowTitle()}: {line}" for line in settled(window)]
            if (window.width(), window.height()) != SIZES[-1]:
                # Larger text needs more room for some panels.
                if text == 1.0:
                    found.append(f"{dock.windowTitle()}: the window is {window.width()} x {window.height()}")
                window.resize(*SIZES[-1])
            dock.hide()
        for dialog in dialogs_of(window):
            found += [f"{type(dialog).__name__}: {line}" for line in settled(dialog)]
            dialog.close()
        assert not found, "\n".join(sorted(set(found)))


def combinations(names: list[str]) -> list[tuple[str, ...]]:
    """Each panel alone, with each other one, three that did not fit once, and all."""
    return [
        *((name,) for name in names),
        *itertools.combinations(names, 2),
        ("exports", "outputs", "playlist"),
        tuple(names),
    ]


@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_no_panel_is_cut_beside_another(qapp, qtbot, tmp_path, code):
    with window_in(qapp, tmp_path, lambda app: language.install(app, code)) as window:
        at_work(window, qtbot)
        window.dock_area.make_late()
        docks, found = window.dock_area, []
        for size, names in itertools.product(
            SIZES, combinations([d.objectName() for d in docks.of("bottom")])
        ):
            for dock in docks.of("bottom"):
                dock.hide()
            window.resize(*size)
            QTest.qWait(20)
            for name in names:
                docks.toggle(name, grow=True)
            QTest.qWait(50)
            stats_of(window).update_figures()
            docks.arrange()
            QTest.qWait(20)
            where = f"{size} {'+'.join(names)}"
            found += [f"{where}: {line}" for line in overflows(window)]
            if window.width() > size[0]:
                found.append(f"{where}: the window is {window.width()} wide")
            front = docks.docks[names[-1]]
            if front.visibleRegion().isEmpty() or docks.is_shown(names[0]) is False:
                found.append(f"{where}: {names[-1]} is not seen, or {names[0]} is gone")
        assert not found, "\n".join(found)


def test_no_panel_is_cut_on_a_screen_of_twice_the_density():
    command = [sys.executable, "-m", "pytest", "-q", f"{__file__}::{BESIDE}[de]"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(command, env={**outside, "QT_SCALE_FACTOR": "2"}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


BESIDE = test_no_panel_is_cut_beside_another.__name__


@pytest.fixture
def german(qapp):
    translator = QTranslator()
    assert translator.load("lightloom_de", str(resource("assets", "translations")))
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def test_sentences_are_translated_when_they_are_shown(german):
    inner = counted(3, "image")
    said = sentence("{title} could not be opened; try another source.", title=inner)
    assert language.translated(said) == "3 Bilder konnte nicht geöffnet werden; eine andere Quelle versuchen."
    assert language.translated("Bloom") == "Leuchten"
    assert language.translated(PipelineStats().timing_source) == "CPU-Zeit"
    assert language.translated("a user's own filter") == "a user's own filter"
    assert language.translated(counted(1, "minute")) == "1 Minute"
    assert language.translated("") == ""
    assert language.in_language(
        "zh_CN", sentence("The language changes when Lightloom is started again.")
    ).startswith("重新启动")


def test_options_of_the_command_line_are_left_out(german):
    """In the window; the sentence itself, which commands print, has them."""
    said = sentence("MOTChallenge files hold tracked objects; turn on tracking (--track).")
    assert said == "MOTChallenge files hold tracked objects; turn on tracking (--track)."
    assert "(" not in language.translated(said) and language.translated(said).endswith(".")
    chosen = sentence(
        "'{filter}' reads what an analysis network finds, and there is none; choose one (--model).",
        filter="x",
    )
    assert "--" not in language.in_language("zh_CN", chosen) and "--model" in chosen
    # What is filled in stays as it is.
    named = sentence("{title} could not be opened; try another source.", title="a (--model).mp4")
    assert language.translated(named).startswith("a (--model).mp4 ")


def test_english_counts(qapp):
    before = set(qapp.findChildren(QTranslator))
    assert language.install(qapp, "en") == "en"
    try:
        say = QCoreApplication.translate
        assert say("Edits", "Copied %n effects", "", 1) == "Copied 1 effect"
        assert say("Edits", "Copied %n effects", "", 2) == "Copied 2 effects"
    finally:
        _take_away(qapp, before)


@pytest.mark.parametrize("code", ["de_DE", "fr_FR", "en_US", "de_CH"])
@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("0.25", 0.25),
        ("0,25", 0.25),
        (".5", 0.5),
        ("12.345", 12.345),
        ("-2,5", -2.5),
    ],
)
def test_comma_and_point_are_the_decimal_sign_of_a_number_in_every_locale(qtbot, code, typed, value):
    before = QLocale()
    QLocale.setDefault(QLocale(code))
    try:
        box = NumberBox()
        qtbot.addWidget(box)
        box.setDecimals(3)
        box.setRange(-10, 1000)
        box.setSuffix(" px")
        box.setValue(3.0)
        box.selectAll()
        QTest.keyClicks(box, typed)
        assert box.cleanText() == typed
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert box.value() == pytest.approx(value)
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize("code", ["de_DE", "fr_FR", "en_US", "de_CH"])
@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1,920", 1920),
        ("1.920", 1920),
        ("44,100", 44100),
        ("-1,234,567", -1234567),
        ("0,250", 0),
        ("1.9", 2),
        ("1,92", 2),
        ("1,2,3", 3),
        ("1,234.567", {"en_US": 1235}),
        ("1920", 1920),
    ],
)
def test_signs_before_three_digits_group_a_whole_number_in_every_locale(qtbot, code, typed, value):
    expected = value.get(code, 3) if isinstance(value, dict) else value
    assert _typed(qtbot, code, typed, decimals=0) == expected


@pytest.mark.parametrize(
    ("code", "typed", "value"),
    [
        ("en_US", "1,920", 1920.0),
        ("en_US", "-1,920", -1920.0),
        ("en_US", "1.920", 1.92),
        ("de_DE", "1.920", 1920.0),
        ("de_DE", "1,920", 1.92),
        ("fr_FR", "1,920", 1.92),
        ("fr_FR", "1.920", 1.92),
        # Grouped it would be beyond the bounds.
        ("en_US", "44,125", 44.125),
        ("de_DE", "44.125", 44.125),
        ("en_US", "0,250", 0.25),
        ("en_US", "1,92", 1.92),
    ],
)
def test_with_decimals_the_locales_own_sign_groups_within_the_bounds(qtbot, code, typed, value):
    """As Qt reads it, which knows the language; "1,920" was 1.92 in English."""
    assert _typed(qtbot, code, typed, decimals=3, most=10_000) == value
    if abs(value) > 1000:
        assert QLocale(code).toDouble(typed) == (value, True)


@pytest.mark.parametrize(("code", "typed"), [("en_US", "1,234.5"), ("de_DE", "1.234,5")])
def test_a_grouped_number_is_typed_as_it_is_pasted(qtbot, code, typed):
    assert _typed(qtbot, code, typed, decimals=2) == 1234.5


def _typed(qtbot, code, typed, decimals, most=2_000_000):
    """Return the value of an entry that had 3, after a text is typed over it; the text stays until Enter."""
    before = QLocale()
    QLocale.setDefault(QLocale(code))
    try:
        box = NumberBox()
        qtbot.addWidget(box)
        box.setDecimals(decimals)
        box.setRange(-most, most)
        box.setSuffix(" px")
        box.setValue(3)
        box.selectAll()
        QTest.keyClicks(box, typed)
        assert box.cleanText() == typed
        QTest.keyClick(box, Qt.Key.Key_Return)
        return box.value()
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize(("pasted", "value"), [("1.234,5", 1234.5), ("1,234.5", 3.0), ("1.2.3", 3.0)])
def test_a_number_with_several_signs_is_as_the_locale_has_it_or_none(qtbot, pasted, value):
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    try:
        box = NumberBox()
        qtbot.addWidget(box)
        box.setRange(0, 5000)
        box.setValue(3.0)
        box.lineEdit().setText(pasted)
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert box.value() == value
    finally:
        QLocale.setDefault(before)


def test_figures_are_written_as_the_entries_of_numbers_are(qtbot):
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    try:
        box = NumberBox()
        qtbot.addWidget(box)
        box.setValue(1.25)
        assert box.text() == "1,25"
        assert format_ms(1.25, rough=True) == "~1 ms"
        assert format_ms(1.25) == "1,25 ms"
        assert format_percentiles(Percentiles(8.14, 9.0, 1234.6)) == "8,1 / 9,0 / 1235 ms"
        said = sentence(
            "{a}: {rate:.5g} of {b:g}, {n}", a="v1.5", rate=29.8334, b=0.25, n=sentence("{x}", x=1.5)
        )
        assert language.translated(said) == "v1.5: 29,833 of 0,25, 1,5"
        assert said == "v1.5: 29.833 of 0.25, 1.5"
    finally:
        QLocale.setDefault(before)
