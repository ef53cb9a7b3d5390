"""The page for browsers: one file, whose script and style alone its Content-Security-Policy lets run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from desktop.base.resources import resource

_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """Attributes: text: HTML. policy: for a host, see `headers`."""

    text: str
    policy: str

    def headers(self, host: str) -> dict[str, str]:
        """Return the headers for a checked Host; Safari needs the WebSocket's address named."""
        return {
            "Content-Security-Policy": f"{self.policy}; connect-src 'self' ws://{host}",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }


def make_page(texts: Mapping[str, str], language: str) -> Page:
    """Return the page with texts by their English, for a language such as 'de'."""
    source = resource("assets", "remote_control", "page.html").read_text(encoding="utf-8")
    # '<' would let a text end the element.
    table = json.dumps(dict(texts), ensure_ascii=False).replace("<", "\\u003c")
    text = source.replace("LANGUAGE", html.escape(language, quote=True), 1).replace("{/*TEXTS*/}", table, 1)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; "
        f"script-src {_hashes(_SCRIPT, text)}; style-src {_hashes(_STYLE, text)}"
    )
    return Page(text, policy)


def _hashes(element: re.Pattern[str], text: str) -> str:
    digests = [hashlib.sha256(each.encode()).digest() for each in element.findall(text)]
    return " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
