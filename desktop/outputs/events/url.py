"""A request to an address for each event. Addresses in the local network are allowed if the user enters them;
those from another user's preset are not called (`EventSpec.enabled`).
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from desktop.base.addresses import split_address
from desktop.base.fields import Line, Secret, Selection, Value
from desktop.base.wording import sentence
from desktop.net.http_client import Failed, HttpClient, Interrupted, RangeGone
from desktop.outputs.events._address import host_of
from desktop.outputs.events.action import EventAction, Note, Postponed, Refused, Sink, Surroundings
from desktop.vision.tracking.events import Occurrence

_SCHEMES: Final = ("http", "https")
_WORDS: Final = ("{zone}", "{event}")
_STANDS_FOR: Final = re.compile(r"\{\w*\}")


class _Url(Sink):
    def __init__(self, address: str, method: str, authorization: str, answer_s: float) -> None:
        parts = split_address(address)  # ValueError for what is no address
        if parts.scheme not in _SCHEMES or not parts.hostname or any(c <= " " or c > "~" for c in address):
            raise ValueError
        if "@" in parts.netloc:
            raise Refused(
                sentence("the address holds a name or a password; give them under 'Authorization' instead")
            )
        # What no header can hold: it would fail with words about the address.
        if not (authorization.isascii() and authorization.isprintable()):
            raise Refused(
                sentence("'Authorization' has letters that no request can hold"),
                sentence("write it in ASCII"),
            )
        if unknown := set(_STANDS_FOR.findall(address)) - set(_WORDS):
            raise Refused(
                sentence(
                    "{word} in the address is no placeholder; only {{zone}} and {{event}} are",
                    word=min(unknown),
                )
            )
        if _STANDS_FOR.search(parts.netloc):
            raise Refused(
                sentence("{{zone}} and {{event}} cannot stand in the host's name"),
                sentence("write them behind it"),
            )
        self._address, self._method = address, method
        self._headers = {"Authorization": authorization} if authorization else {}
        self._client = HttpClient(answer_s, _SCHEMES)

    def deliver(self, note: Note) -> None:
        try:
            self._request(note).close()
        except Interrupted as error:
            raise Postponed(_of(error), error.wait_s) from error
        except Failed as error:
            raise Refused(_of(error)) from error
        except (RangeGone, http.client.HTTPException, ValueError) as error:
            raise Refused(sentence("the request was refused")) from error

    def _request(self, note: Note) -> http.client.HTTPResponse:
        document = note.json()
        address = _filled(self._address, note.occurrence)
        if self._method == "GET":
            given = {key: value for key, value in note.flat().items() if value is not None}
            address = address.partition("#")[0]
            joint = "&" if urlsplit(address).query else "?"
            return self._client.get(f"{address}{joint}{urlencode(given)}", self._headers).http
        body = json.dumps(document).encode()
        headers = {"Content-Type": "application/json", **self._headers}
        return self._client.get(address, headers, body).http

    def close(self) -> None:
        self._client.abort()


def _filled(address: str, occurrence: Occurrence) -> str:
    """Insert quoted names into an address; Refused for '.' or '..', which servers resolve even so."""
    told = {"{zone}": occurrence.zone, "{event}": occurrence.event}
    filled = _STANDS_FOR.sub(lambda word: quote(told[word[0]], safe=""), address)
    before, after = (_count_of_dots(each) for each in (address, filled))
    if after > before:
        raise Refused(
            sentence("a name would lead to another folder of the address; rename the zone or event")
        )
    return filled


def _count_of_dots(address: str) -> int:
    return sum(part in (".", "..") for part in urlsplit(address).path.split("/"))


def _of(error: Exception) -> str:
    return error.args[0] if error.args else ""


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Url:
    try:
        address, method, authorization = (
            str(values[name]) for name in ("address", "method", "authorization")
        )
        return _Url(address, method, authorization, surroundings.answer_s)
    except ValueError as error:
        raise Refused(
            sentence("the address does not begin with http:// or https://"),
            sentence("write it whole, such as http://192.168.1.5/bell, with a port from 1 to 65535 if any"),
        ) from error


def _check(values: Mapping[str, Value]) -> None:
    _open(values, Surroundings(lambda text: None)).close()


ACTION: Final = EventAction(
    id="url",
    title=sentence("Call an address"),
    order=50,
    fields=(
        Line(
            name="address",
            label=sentence("Address"),
            help=sentence("http:// or https://; {{zone}} and {{event}} stand for their names."),
            required=True,
        ),
        Selection(
            name="method",
            label=sentence("Method"),
            help=sentence("POST sends the event as JSON, GET adds its values to the address."),
            default="POST",
            choices=("POST", "GET"),
        ),
        Secret(
            name="authorization",
            label=sentence("Authorization"),
            help=sentence("The header of this name, as in 'Bearer ...'. It is not saved in looks."),
        ),
    ),
    open=_open,
    check=_check,
    target=host_of,
)
