"""Sentences that come up deep inside reach whoever listens, and what lasts says so."""

from __future__ import annotations

import threading

from waiting import until

from desktop.base.notices import forward_notices, notice, report_while_running
from desktop.base.wording import Text, sentence


def test_a_notice_reaches_those_who_listen_and_nobody_else():
    first: list[str] = []
    second: list[str] = []
    with forward_notices(first.append):
        notice(sentence("{name} is 100 % wrong.", name="net"))
        with forward_notices(second.append):
            thread = threading.Thread(target=notice, args=("From a thread.",))
            thread.start()
            thread.join()
    notice("After it.")
    assert first == ["net is 100 % wrong.", "From a thread."] and second == ["From a thread."]
    assert isinstance(first[0], Text), "the window translates it"


def test_what_lasts_is_said_to_those_who_asked_for_it():
    heard: list[str] = []
    others: list[str] = []
    listening = forward_notices(heard.append, under_way=True), forward_notices(others.append)
    with listening[0], listening[1], report_while_running("Still at it.", first_s=0.0):
        until(lambda: heard == ["Still at it."])
    assert others == []


def test_what_ends_soon_is_not_said():
    heard: list[str] = []
    with forward_notices(heard.append, under_way=True), report_while_running("Still at it."):
        pass
    assert heard == []
