"""Scene cuts in the window: found on request, marks on the time line, keys from cut to cut, key frames."""

from __future__ import annotations

import pytest
from shots_rig import texture, write_video

from desktop.pipeline.automation.key_frames import KeyFrame
from desktop.ui.features.automation.curves import added_at
from desktop.ui.features.automation.key_frame_editor import KeyFramePlot
from desktop.ui.features.cuts.cuts import Cuts


@pytest.fixture
def cut_clip(ui, tmp_path):
    """The window with a clip of three shots, of one second each."""
    size = (160, 90)
    clip = write_video(tmp_path / "shots.mp4", [texture(n // 25, size) for n in range(75)])
    ui.play(str(clip))
    ui.wait(lambda: ui.workspace.engine.current.picture_size == size)
    ui.pause()
    return ui


def test_cuts_are_found_marked_and_jumped_to(cut_clip):
    workspace, actions = cut_clip.workspace, cut_clip.window.actions_by_name
    cuts = workspace.get(Cuts)
    assert cuts.times == () and actions["next_cut"].isEnabled()
    workspace.playback.seek(0.0)
    actions["next_cut"].trigger()  # which begins to find them
    cut_clip.wait(lambda: cuts.is_complete)
    assert cuts.times == pytest.approx((1.0, 2.0)) and not cuts.is_finding
    assert cut_clip.window.transport.line.cuts == cuts.times
    assert any("Scene cuts found: 2" in text for text in cut_clip.notices)

    def lands(action: str, at: float) -> None:
        actions[action].trigger()
        cut_clip.wait(lambda: workspace.playback.seekable.position == pytest.approx(at, abs=0.01))

    cut_clip.wait(lambda: workspace.playback.seekable.position == 0.0)
    lands("next_cut", 1.0)
    lands("next_cut", 2.0)
    lands("next_cut", 2.0)  # there is none behind
    lands("previous_cut", 1.0)
    cut_clip.play("sample:128x72@30")
    assert cuts.times == () and not cuts.is_complete and not actions["find_cuts"].isEnabled()
    assert cut_clip.window.transport.line.cuts == ()


def test_a_search_can_be_stopped_and_begun_again(cut_clip):
    cuts, find = cut_clip.workspace.get(Cuts), cut_clip.window.actions_by_name["find_cuts"]
    find.trigger()
    assert cuts.is_finding
    find.trigger()
    assert not cuts.is_finding and not cuts.is_complete
    find.trigger()
    cut_clip.wait(lambda: cuts.is_complete)
    assert cuts.times == pytest.approx((1.0, 2.0))


def test_a_search_that_was_stopped_after_a_cut_begins_anew(cut_clip):
    cuts = cut_clip.workspace.get(Cuts)

    def stop_at_the_first() -> None:
        if cuts.is_finding and cuts.times:
            cuts.stop()

    cuts.changed.connect(stop_at_the_first)
    cuts.find()
    cut_clip.wait(lambda: cuts.times != () and not cuts.is_finding)
    cuts.changed.disconnect(stop_at_the_first)
    assert cuts.times == pytest.approx((1.0,)) and not cuts.is_complete
    cuts.find()
    cut_clip.wait(lambda: cuts.is_complete)
    assert cuts.times == pytest.approx((1.0, 2.0))


def test_key_frames_are_added_at_cuts():
    frames = (KeyFrame(0.0, 1.0), KeyFrame(2.0, 5.0, "hold"))
    all_of_them = (KeyFrame(0.0, 1.0), KeyFrame(1.0, 3.0), KeyFrame(2.0, 5.0, "hold"), KeyFrame(3.0, 5.0))
    assert added_at(frames, (1.0, 2.0, 3.0), 0.0) == (all_of_them, 0)
    assert added_at((), (1.0,), 0.5) == ((KeyFrame(1.0, 0.5),), 0)
    found, left_out = added_at(frames, (n / 10 + 0.05 for n in range(9000)), 0.0)
    assert len(found) == 4096 and left_out == 9000 - 4094


def test_the_menu_of_the_curve_adds_them(ui, qtbot):
    from desktop.base.fields import Number

    plot = KeyFramePlot(Number("x", 0.0, 0.0, 10.0), 5.0, ui.window.themed)
    qtbot.addWidget(plot)
    (last,) = plot.make_menu().actions()
    assert not last.isEnabled() and "Playback" in last.text()
    plot.show_cuts((1.0, 2.0))
    (last,) = plot.make_menu().actions()
    last.trigger()
    assert [frame.time for frame in plot.frames] == [1.0, 2.0]
