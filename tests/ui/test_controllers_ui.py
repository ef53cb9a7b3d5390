"""Inputs of automations in the window: OSC messages, the video's audio or an input's, and the notice if there is none."""

from __future__ import annotations

import importlib.util
import socket
import threading

import numpy as np
import pytest
from event_rig import free_port
from osc_rig import message
from sound_rig import write_flashes

from desktop.media.audio.samples import RATE
from desktop.pipeline.automation.source import automation_source
from desktop.pipeline.automation.sources.midi import midi_address
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.spec import ChainSpec
from desktop.ui.features.controllers.audio_following import AudioFollowing
from desktop.ui.kit.messages import Notice


@pytest.fixture
def notices(ui):
    found: list[Notice] = []
    ui.workspace.messages.notice.connect(found.append)
    return found


@pytest.fixture
def follow(ui):
    """Automates the opacity of one effect."""

    def change(source: str, **values: object) -> None:
        automation = Automation(source, automation_source(source).check(values))
        chain = ChainSpec().added("invert", ui.workspace.library.get("invert").defaults)
        ui.workspace.edits.edit_chain(chain.with_automation(1, "opacity", automation), "automate")

    yield change
    ui.workspace.edits.edit_chain(ChainSpec(), "clear")


def test_osc_is_off_until_a_setting_asks_for_it(ui, notices):
    settings, controls = ui.workspace.settings, ui.workspace.engine.controls
    port = free_port()
    settings.osc_address = str(port)
    if importlib.util.find_spec("pythonosc") is None:
        ui.wait(lambda: notices)
        assert "OSC needs the package python-osc" in notices[0].text and notices[0].level == "error"
    else:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            ui.wait(
                lambda: (
                    sender.sendto(message("/fader", 0.5), ("127.0.0.1", port))
                    and controls.all().get("osc/fader") == 0.5
                )
            )
    settings.osc_address = ""


def given(ui) -> float | None:
    """Return what the automation gave in the frame that is shown."""
    return ui.workspace.engine.current.pipeline.chain.automated.get(1, {}).get("opacity")


def test_a_controller_moves_a_frame_that_stays(ui, follow, pictures):
    ui.play(str(next(iter(pictures.values()))))
    follow("midi", number=7)
    ui.settle()
    assert given(ui) is None
    ui.workspace.engine.controls.put(midi_address("control", 1, 7), 0.25)
    ui.wait(lambda: given(ui) == 0.25)


def test_the_audio_of_a_clip_is_followed(ui, follow, notices, tmp_path):
    clip = tmp_path / "clip.mkv"
    write_flashes(clip, seconds=3.0)
    ui.play(str(clip))
    pipeline = ui.workspace.engine.current.pipeline
    assert pipeline.audio is None, "nothing is computed before an automation needs it"
    ui.pause()
    follow("audio", follow="level")
    ui.wait(lambda: pipeline.audio is not None and given(ui) is not None)
    assert [notice.text for notice in notices if notice.about == "automation/audio"] == []


def test_a_source_without_audio_is_said_once(ui, follow, notices, pictures):
    follow("audio")
    ui.play(str(next(iter(pictures.values()))))
    ui.settle()
    said = [notice.text for notice in notices if notice.about == "automation/audio"]
    assert len(said) == 1 and "which only a video file has" in said[0]


@pytest.fixture
def opened(ui):
    """Names of the audio inputs that were opened, in place of the system's; their listeners are fed by hand."""
    live = ui.workspace.get(AudioFollowing).input
    before, names = live.opens, list[str]()

    class Input:
        def __init__(self, name, listener, lost):
            self.closed, self.hear, self.lost = threading.Event(), listener, lost
            names.append(name)
            found.append(self)

        def close(self):
            self.closed.set()

    found: list[Input] = []
    live.opens = Input
    yield found, names
    ui.workspace.settings.audio_input = ""
    live.opens = before


def about(notices, name):
    return [notice for notice in notices if notice.about == name]


def test_an_audio_input_is_open_while_an_automation_follows_it(ui, follow, notices, opened, pictures):
    inputs, names = opened
    ui.play(str(next(iter(pictures.values()))))
    ui.settle()
    follow("audio", follow="level")
    ui.wait(lambda: about(notices, "automation/audio"))
    assert names == [], "off by default"
    about(notices, "automation/audio")[0].buttons[0].act()
    ui.wait(lambda: names)
    assert names == [""] and ui.workspace.settings.audio_input == "default"
    assert "The audio input is open" in about(notices, "automation/audio-input")[0].text
    assert given(ui) is None, "nothing was heard yet"
    loud = np.full((RATE // 10, 2), 0.9, np.float32)
    loud[::2] *= -1

    def is_followed():
        inputs[0].hear(0.0, loud)
        return (given(ui) or 0.0) > 0.9

    ui.wait(is_followed)
    ui.workspace.edits.edit_chain(ChainSpec(), "clear")
    ui.wait(inputs[0].closed.is_set)
    follow("audio", follow="level")
    ui.wait(lambda: len(inputs) == 2)
    about(notices, "automation/audio-input")[-1].buttons[0].act()
    ui.wait(inputs[1].closed.is_set)
    assert ui.workspace.settings.audio_input == ""


def test_a_lost_audio_input_is_said_and_values_rest(ui, follow, notices, opened, pictures):
    inputs, names = opened
    ui.workspace.settings.audio_input = "input:Desk"
    ui.play(str(next(iter(pictures.values()))))
    follow("audio", follow="level")
    ui.wait(lambda: names == ["Desk"])
    inputs[0].hear(0.0, np.zeros((RATE // 10, 2), np.float32))
    ui.wait(lambda: given(ui) == 0.0)
    inputs[0].lost()
    ui.wait(lambda: about(notices, "automation/audio"))
    assert "was disconnected" in about(notices, "automation/audio")[0].text
    ui.wait(lambda: given(ui) is None)


def test_a_file_with_audio_needs_no_input(ui, follow, opened, tmp_path):
    clip = tmp_path / "clip.mkv"
    write_flashes(clip, seconds=3.0)
    ui.workspace.settings.audio_input = "default"
    ui.play(str(clip))
    follow("audio", follow="level")
    ui.wait(lambda: given(ui) is not None)
    assert opened[1] == []
