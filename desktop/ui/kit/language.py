"""The window's language: its selection, and the translation of texts from outside the window's code.

The .qm files are compiled by `tasks.py` and a wheel's build from catalogues in `assets/translations/`. See
docs/translations.md.
"""

from __future__ import annotations

import logging
import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop.base.printable import printable_lines
from desktop.base.resources import resource
from desktop.base.wording import Text

log = logging.getLogger(__name__)

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "zh_CN": "简体中文"}
"""Code -> the language's own name for itself."""

CONTEXT: Final = "texts"
"""Context for texts from elsewhere: sentences of `desktop.compute`, texts of filters and networks."""
_COMMAND_OPTIONS: Final = re.compile(r" ?[(（]--[a-z][^()（）]*[)）]")


class _Formatter(string.Formatter):
    """Fills a sentence with figures as `decimal` writes them."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        text = super().format_field(value, format_spec)
        return text.replace(".", QLocale().decimalPoint()) if isinstance(value, float) else text


_formatter: Final = _Formatter()


def language_of(chosen: str, preferred: Sequence[str] | None = None) -> str:
    """Return `chosen`, or the first available of the preferred (the system's), or English."""
    if chosen in LANGUAGES:
        return chosen
    for name in QLocale.system().uiLanguages() if preferred is None else preferred:
        language, *rest = name.replace("_", "-").split("-")
        if language == "zh":
            # Traditional Chinese is another script, whose readers do not want the simplified one.
            if not {"Hant", "TW", "HK", "MO"} & set(rest):
                return "zh_CN"
        elif language in LANGUAGES:
            return language
    return "en"


def install(app: QCoreApplication, chosen: str) -> str:
    """Set and return an application's language, or English (logged); existing widgets keep their texts."""
    language, folder = language_of(chosen), resource("assets", "translations")
    # English needs one too: it has the plural forms. Qt's own texts are English without.
    own, qt = QTranslator(app), QTranslator(app)
    if not own.load(f"lightloom_{language}", str(folder)):
        log.warning(
            "There is no lightloom_%s.qm in %s, so the window is in English; 'python3 tasks.py run' "
            "compiles it.",
            language,
            folder,
        )
        return "en"
    if qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(qt)
    app.installTranslator(own)
    return language


def translated(text: str) -> str:
    """Translate a text from outside the window's code, such as an error message; unchanged if unknown.

    Options of the command line, which sentences have in parentheses ('choose one (--model).'), are left out.
    """
    return _translate(text, lambda source, count: QCoreApplication.translate(CONTEXT, source, None, count))


def decimal(value: float, digits: int) -> str:
    """Format a number in the system's locale, like number entries: "1,25"."""
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale.toString(float(value), "f", digits)


def in_language(language: str, text: str) -> str:
    """Return a text in a language that is not the window's."""
    translator = QTranslator()
    translator.load(f"lightloom_{language}", str(resource("assets", "translations")))
    return _translate(
        text, lambda source, count: translator.translate(CONTEXT, source, None, count) or source
    )


def _translate(text: str, look_up: Callable[[str, int], str]) -> str:
    if not text:
        return text
    if not isinstance(text, Text):
        try:
            text.encode()
        except UnicodeEncodeError:  # a file's name that is no UTF-8, at which Qt's lookup fails
            return printable_lines(text)
        return look_up(text, -1)
    arguments = {
        name: _translate(value, look_up) if isinstance(value, Text) else value
        for name, value in text.arguments.items()
    }
    template = look_up(text.template, -1 if text.number is None else text.number)
    if text.number is not None:
        # Only a catalogue fills it in, and has the form for one.
        number = str(text.number)
        is_found = template != text.template.replace("%n", number)
        template = (template if is_found else text.form).replace("%n", number)
    template = _COMMAND_OPTIONS.sub("", template)
    return _formatter.vformat(template, (), arguments)
