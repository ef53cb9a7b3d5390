"""The page of remote control in a real Chromium of a phone's size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from control_rig import TOKEN, ControlRig
from web_rig import Browser, needs_browser

from desktop.serving.control.access import Peers


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = Browser("--window-size=390,844")
    yield found
    found.close()


def type_code(browser: Browser, code: str) -> None:
    browser.wait("!document.getElementById('enter').hidden")
    browser.driver.find_element("id", "token").send_keys(code + "\n")


@needs_browser
def test_the_page_controls_the_program_and_shows_a_lost_connection(browser):
    with ControlRig(peers=Peers(failures=50)) as rig:
        browser.driver.get(f"http://{rig.host}/")
        type_code(browser, "wrong-wrong-wrong")
        browser.wait("document.getElementById('fault').textContent.includes('token')")
        rig.server.publish(rig.program.state(), rig.program.parameters())
        type_code(browser, TOKEN)
        browser.wait("document.querySelector('#stages input[type=range]')")
        assert browser.run("return location.href") == f"http://{rig.host}/", "no code is in the address"
        browser.run(
            "const slider = document.querySelector('#stages input[type=range]');"
            "slider.value = 12; slider.dispatchEvent(new Event('input'));"
        )
        browser.wait("document.querySelector('#stages output').textContent === '12 px'")
        browser.driver.find_element("xpath", "//button[text()='Night city']").click()
        browser.driver.find_element("id", "snapshot").click()
        browser.driver.find_element("id", "play").click()
        browser.wait("document.getElementById('play').textContent === 'Pause'")
        assert rig.program.radius == 12.0
        assert [call for call in rig.program.calls if call[0] != "set_values"] == [
            ("apply_look", "night_city", None),
            ("snapshot",),
        ]
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
        logged = [
            each["message"] for each in browser.driver.get_log("browser") if "401" not in each["message"]
        ]
        assert logged == []
        # Others take all places while the page has lost its own: it keeps its code and tries again.
        browser.run(
            "const follow = () => { const made = new WebSocket(`ws://${location.host}/v1/events`);"
            "made.onopen = () => made.send(JSON.stringify({token: arguments[0]})); return made; };"
            "window.others = Array.from({length: 7}, follow);"
            "socket.addEventListener('close', () => others.push(follow())); socket.close();",
            TOKEN,
        )
        browser.wait("document.getElementById('fault').textContent.includes('follow already')")
        assert browser.run("return document.getElementById('enter').hidden")
        browser.run("others.forEach((each) => each.close())")
        browser.wait("document.getElementById('status').textContent === 'Connected'")
        assert browser.run("return document.getElementById('fault').hidden")
        rig.server.close()
        browser.wait("document.getElementById('status').textContent.includes('trying again')")
        assert browser.run("return document.getElementById('play').disabled")
