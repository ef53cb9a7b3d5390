"""Runs in pieces, without their processes: cutting, what remembers, who gets what, what is kept, and putting
together.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from spread_rig import key_times, make_clip, pictures_of
from waiting import until

from desktop.base.errors import ExportError, LightloomError, SourceError, SpreadError, UsageError
from desktop.base.version import version
from desktop.cli._spread import same_command
from desktop.cli._spread_process import _targets
from desktop.media.sources import file_kinds, folder
from desktop.outputs.encoders import choose
from desktop.outputs.encoding import CONTAINERS, Encoding
from desktop.outputs.recording import Recorder
from desktop.outputs.span import TimeSpan
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.spread import piece_run
from desktop.spread.cutting import clip_names, cut
from desktop.spread.driver import ATTEMPTS, Driver
from desktop.spread.executor import Done, Failed, Moved, Task
from desktop.spread.executors import executor_kind, executor_names
from desktop.spread.joining import join_videos
from desktop.spread.memory import reasons, remembers
from desktop.spread.piece_run import PieceRun
from desktop.spread.plan import Clip, FileMark, Piece, Plan
from desktop.spread.run_journal import RunJournal
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec

# -- cutting -------------------------------------------------------------------------------------------------


def test_pieces_begin_at_key_frames_and_leave_nothing_out(tmp_path):
    path = make_clip(tmp_path / "clip.mp4", 75, gop=10)
    found = cut(str(path), TimeSpan(), 0.5, "")
    starts = [span.start for span in found.spans]
    keys = key_times(path)
    assert len(starts) > 2 and found.unsplit_reason == "" and found.origin == 0.0
    for start in starts[1:]:
        assert min(abs(start - key) for key in keys) < 1e-6
    assert [span.end for span in found.spans] == [*starts[1:], None]
    assert all(later - earlier >= 0.5 for earlier, later in pairwise(starts))


def test_a_part_is_cut_inside_of_it(tmp_path):
    path = make_clip(tmp_path / "clip.mp4", 75, gop=10)
    found = cut(str(path), TimeSpan(0.5, 2.1), 0.5, "")
    assert (found.spans[0].start, found.spans[-1].end) == (0.5, 2.1)
    assert len(found.spans) > 1 and found.origin == pytest.approx(0.52)


def test_what_is_short_or_remembered_is_left_whole(tmp_path):
    path = make_clip(tmp_path / "clip.mp4", 20)
    assert len(cut(str(path), TimeSpan(), 60.0, "").spans) == 1
    found = cut(str(path), TimeSpan(), 0.4, "things are followed")
    assert found.spans == () and found.unsplit_reason == "things are followed"


def test_what_is_no_file_or_has_no_picture_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no file"):
        cut("sample:", TimeSpan(), 1.0, "")
    path = make_clip(tmp_path / "clip.mp4", 10)
    with pytest.raises(ExportError, match="no frame"):
        cut(str(path), TimeSpan(50.0, None), 1.0, "")


def test_folders_and_playlists_become_clips(tmp_path):
    clips = [make_clip(tmp_path / f"{name}.mp4", 3) for name in ("10", "9")]
    (tmp_path / "notes.txt").write_text("no clip")
    assert clip_names([str(tmp_path)], each_file=True) == [str(clips[1]), str(clips[0])]
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n10.mp4\n")
    skipped = []
    assert clip_names([str(tmp_path / "list.m3u8")], False, skipped.append) == [str(clips[0])]
    assert skipped == []
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n10.mp4\nother.m3u8\n//host/share/9.mp4\n")
    assert clip_names([str(tmp_path / "list.m3u8")], False, skipped.append) == [str(clips[0])]
    assert [str(text).split(":")[0] for text in skipped] == ["2 lines of list.m3u8 are left out"]
    assert clip_names(["~no-such-user/clip.mp4"], each_file=False) == ["~no-such-user/clip.mp4"]


def test_the_order_of_a_folder_s_clips_does_not_depend_on_the_disk(tmp_path, monkeypatch):
    """In another order they are another run, and one that was stopped is not resumed."""
    for name in ("a1.png", "a01.png", "A1.png"):
        (tmp_path / name).write_bytes(b"")
    there = sorted(tmp_path.iterdir())
    orders = []
    for given in (there, there[::-1]):
        monkeypatch.setattr(Path, "iterdir", lambda self, given=given: iter(given))
        orders.append(clip_names([str(tmp_path)], each_file=True))
    assert orders[0] == orders[1] and len(orders[0]) == len(there)


def test_a_folder_s_files_that_cannot_be_read_are_clips_that_fail(tmp_path, monkeypatch):
    """As in a folder that is one source; left out here, nobody would be told of them."""
    for name in ("1.png", "2.mp4", "3.txt"):
        (tmp_path / name).write_bytes(b"neither")
    assert clip_names([str(tmp_path)], each_file=True) == [
        str(tmp_path / name) for name in ("1.png", "2.mp4")
    ]

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", refuse)
        with pytest.raises(SourceError, match=r"can't be read \(Permission denied\): check"):
            clip_names([str(tmp_path)], each_file=True)
    monkeypatch.setattr(file_kinds, "open_regular", refuse)
    monkeypatch.setattr(folder, "open_regular", refuse)
    assert clip_names([str(tmp_path)], each_file=True) == [
        str(tmp_path / name) for name in ("1.png", "2.mp4")
    ]


def test_names_of_outputs(tmp_path):
    out = str(tmp_path / "%s.mp4")
    assert _targets(out, ["x/a.mkv", "b.mp4"]) == [tmp_path / "a.mp4", tmp_path / "b.mp4"]
    for output, names in ((out, ["a.mkv", "A.mp4"]), ("one.mp4", ["a", "b"]), ("p-%04d.png", ["a"])):
        with pytest.raises(UsageError):
            _targets(output, names)


# -- what remembers ------------------------------------------------------------------------------------------


def test_filters_that_remember_are_found():
    library = FilterLibrary(None)
    library.refresh()
    found = {name for name in library.filters if remembers(library.get(name))}
    # By what they do: they look at pictures before, or count them.
    assert found >= {
        *("feedback", "frame_difference", "motion_trails", "temporal_denoise", "optical_flow"),
        *("film_grain", "glitch"),
    }
    assert not found & {"sharpen", "gaussian_blur", "levels", "lut", "ripple", "median", "style"}


def test_setups_that_remember_say_why():
    library = FilterLibrary(None)
    plain = Setup(chain=typed_chain(library, [parse_stage("sharpen")]))
    assert not list(reasons(plain, library))
    trails = Setup(chain=typed_chain(library, [parse_stage("motion_trails")]))
    assert ["motion_trails" in text for text in reasons(trails, library)] == [True]
    masked = Setup(chain=typed_chain(library, [parse_stage("invert@mask=person")]))
    assert ["mask of the filter invert" in text for text in reasons(masked, library)] == [True]
    still = Setup(chain=typed_chain(library, [parse_stage("invert@mask=ellipse")]))
    assert not list(reasons(still, library))
    assert len(list(reasons(Setup(scene=SceneSpec(track=TrackSpec())), library))) == 1
    second = NetworkSpec("a.onnx", every=3, second=NetworkSpec("b.onnx"))
    assert len(list(reasons(Setup(network=second), library))) == 2


# -- driver and ledger ---------------------------------------------------------------------------------------


def a_plan(folder: Path, pieces=(1, 3)) -> Plan:
    clips, number = [], 0
    for clip, count in enumerate(pieces):
        own = tuple(Piece(number + i, clip, f"{i}-{i + 1}") for i in range(count))
        clips.append(Clip(clip, f"clip {clip}", "/x", str(folder.parent / f"{clip}.bin"), None, own))
        number += count
    return Plan(("process",), tuple(clips), (), str(folder), ".bin", "1")


class Workers:
    """Workers that write the number of their piece, and fail as they are told: (worker, piece) or piece ->
    how often.
    """

    def __init__(self, names, failures=None, dies_after=None, incomplete=()):
        self.names, self.failures, self.incomplete = list(names), Counter(failures or {}), incomplete
        self.dies_after, self.done, self.given, self.events = dies_after, 0, [], []
        self.is_closed = False

    idle = property(lambda self: self.names)
    size = property(lambda self: len(self.names))

    def give(self, worker, task):
        self.given.append((worker, task.number))
        self.events.append(Moved(worker, task.number, 1, 2))
        for key in ((worker, task.number), task.number):
            if self.failures[key] > 0:
                self.failures[key] -= 1
                self.events.append(Failed(worker, task.number, "It broke."))
                return
        data = f"piece {task.number};".encode()
        (Path(task.folder) / task.name).write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        is_incomplete = task.number in self.incomplete
        self.events.append(
            Done(worker, task.number, digest, len(data), pictures=2, is_incomplete=is_incomplete)
        )

    def poll(self):
        if self.dies_after is not None and self.done >= self.dies_after:
            raise SpreadError("No worker is left.")
        self.done += 1
        events, self.events = self.events[:2], self.events[2:]
        # What was said before comes again: a piece is taken once.
        return [*events, *events]

    def close(self):
        self.is_closed = True


def run(plan, workers, identity="same"):
    run_journal = RunJournal.open(Path(plan.folder), identity)
    notes = []

    def finish(clip, paths):
        Path(clip.target).write_bytes(b"".join(path.read_bytes() for path in paths))
        run_journal.output_done(clip.number, Path(clip.target), [piece.number for piece in clip.pieces])

    try:
        tally = Driver(
            plan, run_journal, lambda: workers, Path("/"), finish, lambda *_: None, notes.append
        ).run()
    finally:
        run_journal.close(delete=False)
    return tally, notes


def outputs(plan):
    return [Path(clip.target).read_text() for clip in plan.clips]


WHOLE = ["piece 0;", "piece 1;piece 2;piece 3;"]


def test_pieces_come_together_in_order_whoever_made_them(tmp_path):
    plan, workers = a_plan(tmp_path / "pieces"), Workers(["a", "b", "c"])
    tally, notes = run(plan, workers)
    assert outputs(plan) == WHOLE and not notes and workers.is_closed
    assert (tally.made, tally.again, tally.failed) == (4, 0, {})
    assert sorted(number for _, number in workers.given) == [0, 1, 2, 3]
    assert not list((tmp_path / "pieces").glob("*.bin"))


def test_a_piece_that_fails_goes_to_another_worker(tmp_path):
    plan = a_plan(tmp_path / "pieces")
    workers = Workers(["a", "b"], {("a", 2): 9})
    tally, notes = run(plan, workers)
    assert outputs(plan) == WHOLE and not tally.failed
    tries = [worker for worker, number in workers.given if number == 2]
    assert tries in (["a", "b"], ["b"]) and tally.again == len(notes) == len(tries) - 1


def test_a_piece_that_always_fails_costs_its_clip_and_no_other(tmp_path):
    plan = a_plan(tmp_path / "pieces")
    older = Path(plan.clips[1].target)
    older.write_text("older")
    workers = Workers(["a", "b"], {2: 99})
    tally, notes = run(plan, workers)
    assert sum(number == 2 for _, number in workers.given) == ATTEMPTS
    assert outputs(plan) == [WHOLE[0], "older"] and tally.failed == {1: "clip 1: It broke."} and notes
    # Begun again, it makes what is missing and nothing else.
    again = Workers(["a"])
    tally, _ = run(plan, again)
    assert outputs(plan) == WHOLE and 2 in {number for _, number in again.given}
    assert {number for _, number in again.given} <= {2, 3}


@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_driver_that_ends_goes_on_where_it_was(tmp_path, after):
    plan = a_plan(tmp_path / "pieces")
    first = Workers(["a"], dies_after=after)
    with pytest.raises(SpreadError):
        run(plan, first)
    run_journal = RunJournal.open(Path(plan.folder), "same")
    numbers = [
        piece.number for clip in plan.clips if clip.number in run_journal.outputs for piece in clip.pieces
    ]
    done = {*run_journal.pieces, *numbers}
    run_journal.close(delete=False)
    assert done
    second = Workers(["a"])
    tally, _ = run(plan, second)
    assert outputs(plan) == WHOLE and tally.found == len(done)
    assert {number for _, number in second.given} == {0, 1, 2, 3} - done


def test_incomplete_pieces_are_counted_in_the_run_that_ends_it(tmp_path):
    plan = a_plan(tmp_path / "pieces")
    with pytest.raises(SpreadError):
        run(plan, Workers(["a"], dies_after=2, incomplete=(0, 1)))
    # The first clip is joined and its piece deleted; the second one is not whole.
    tally, _ = run(plan, Workers(["a"]))
    assert outputs(plan) == WHOLE and tally.incomplete_pieces == 2 and not tally.failed
    assert run(a_plan(tmp_path / "others"), Workers(["a"]))[0].incomplete_pieces == 0


def test_a_piece_that_was_made_again_counts_by_its_last_line(tmp_path):
    plan = a_plan(tmp_path / "pieces", pieces=(3,))
    with pytest.raises(SpreadError):
        run(plan, Workers(["a"], dies_after=2, incomplete=(0, 1)))
    run_journal = RunJournal.open(Path(plan.folder), "same")
    assert set(run_journal.pieces) == {0, 1}
    run_journal.path_of(0).write_bytes(b"damaged")
    run_journal.close(delete=False)
    # Piece 0 is made anew, and is complete now.
    assert run(plan, Workers(["a"]))[0].incomplete_pieces == 1
    assert run(plan, Workers(["a"]))[0].incomplete_pieces == 1


def test_a_torn_line_and_a_piece_that_was_changed_are_made_anew(tmp_path):
    plan = a_plan(tmp_path / "pieces", pieces=(3,))
    with pytest.raises(SpreadError):
        run(plan, Workers(["a"], dies_after=2))
    run_journal = RunJournal.open(Path(plan.folder), "same")
    done = dict(run_journal.pieces)
    run_journal.close(delete=False)
    assert len(done) == 2
    (Path(plan.folder) / done[0]).write_bytes(b"another")
    with (Path(plan.folder) / "done.jsonl").open("ab") as stream:
        stream.write(b'{"piece": 2, "na')
    workers = Workers(["a"])
    run(plan, workers)
    assert sorted(number for _, number in workers.given) == [0, 2]
    assert outputs(plan) == ["piece 0;piece 1;piece 2;"]


def test_another_run_and_a_second_driver_are_refused(tmp_path):
    folder = tmp_path / "pieces"
    run_journal = RunJournal.open(folder, "one")
    with pytest.raises(SpreadError, match="Another run"):
        RunJournal.open(folder, "one")
    run_journal.close(delete=False)
    with pytest.raises(UsageError, match="another command"):
        RunJournal.open(folder, "two")
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "photo.jpg").write_bytes(b"kept")
    with pytest.raises(UsageError, match="no folder of pieces"):
        RunJournal.open(strange, "one")
    assert (strange / "photo.jpg").read_bytes() == b"kept"


def test_a_journal_that_was_changed_is_not_believed(tmp_path):
    outside = tmp_path / "film.bin"
    outside.write_bytes(b"kept")
    sha256 = hashlib.sha256(b"kept").hexdigest()
    run_journal = RunJournal.open(tmp_path / "pieces", "one")
    run_journal.close(delete=False)
    lines = (
        {"piece": 0, "name": "../film.bin", "sha256": sha256},
        {"piece": 1, "name": str(outside), "sha256": sha256},
        *({"piece": 2}, {"output": 0}, {"piece": "x", "name": [], "sha256": 1}, {"output": "x", "path": 3}),
    )
    with (tmp_path / "pieces" / "done.jsonl").open("a") as stream:
        stream.writelines(json.dumps(line) + "\n" for line in lines)
    run_journal = RunJournal.open(tmp_path / "pieces", "one")
    assert not run_journal.pieces and not run_journal.outputs
    run_journal.close(delete=True)
    assert outside.read_bytes() == b"kept"


def test_a_file_of_the_journals_name_that_is_anothers_stays(tmp_path):
    folder = tmp_path / "pieces"
    folder.mkdir()
    journal, note = folder / "done.jsonl", folder / "notes.txt"
    for text, other in (("my own list\n", False), ("", True), ('{"run": "1', True)):
        journal.write_text(text)
        note.write_text("kept") if other else note.unlink(missing_ok=True)
        with pytest.raises(UsageError, match="no folder of pieces"):
            RunJournal.open(folder, "one")
        assert journal.read_text() == text and note.exists() == other
    note.unlink()
    RunJournal.open(folder, "one").close(delete=False)  # killed while it wrote its first line
    text = journal.read_bytes()
    (tmp_path / "list").write_bytes(text)
    journal.unlink()
    if os.name == "posix":
        journal.symlink_to(tmp_path / "list")
        with pytest.raises(UsageError, match="no folder of pieces"):
            RunJournal.open(folder, "one")


def test_a_piece_is_named_before_what_was_typed(tmp_path, monkeypatch):
    """Behind '--' it would be one more input, and the worker a driver."""
    started = []

    def start(arguments, *_):
        started.append(arguments)
        raise OSError("enough")

    monkeypatch.setattr(piece_run, "start_own", start)
    argv = ("process", "-o", "x.mkv", "--on", "processes:2", "--", str(make_clip(tmp_path / "a.mp4", 3)))
    with pytest.raises(LightloomError, match="enough"):
        PieceRun(
            "a",
            0,
            Task(0, argv, "/", argv[-1], None, (), "", 0.0, str(tmp_path), ("seen", "x"), "0.mkv", version()),
        )
    [arguments] = started
    assert arguments[:2] == ["process", "--piece"] and arguments[5:] == list(argv[1:])


def test_notes_of_a_piece_that_are_cut_are_counted(tmp_path, monkeypatch):
    program = """
import json, pathlib, sys
piece = json.loads(pathlib.Path(sys.argv[1]).read_text())
pathlib.Path(piece['output']).write_text('made')
for number in range(23):
    print(f'lightloom: {number}.png is left out')
with open(pathlib.Path(sys.argv[1]).with_name('progress.jsonl'), 'w') as file:
    print(json.dumps({'is_incomplete': True}), file=file)
"""

    def start(arguments, folder, output):
        return subprocess.Popen([sys.executable, "-c", program, arguments[2]], stdout=output, stdin=-1)

    monkeypatch.setattr(piece_run, "start_own", start)
    seen = ("seen", "x")
    clip = tmp_path / "a.mp4"
    clip.touch()
    task = Task(0, ("process",), "/", str(clip), None, (), "", 0.0, str(tmp_path), seen, "0.mkv", version())
    run = PieceRun("a", 0, task)
    done = until(lambda: found if isinstance(found := run.poll(), Done | Failed) else None)
    assert done.is_incomplete and done.notes[:20] == tuple(
        f"{number}.png is left out" for number in range(20)
    )
    assert done.notes[20:] == ("3 further notes are left out.",)


def test_a_file_that_is_not_what_its_worker_says_is_not_taken(tmp_path):
    run_journal = RunJournal.open(tmp_path / "pieces", "one")
    with pytest.raises(SpreadError, match="differs from what is stored"):
        run_journal.piece_done(0, "0.bin", "0" * 64, b"data")
    assert not run_journal.pieces
    run_journal.close(delete=True)
    assert not (tmp_path / "pieces").exists()


def test_where_it_runs_is_no_part_of_the_command():
    typed = ("process", "a.mp4", "--on", "processes:2", "-o", "x.mp4", "--workers=3", "--filter", "sharpen")
    assert same_command(typed) == ("process", "a.mp4", "-o", "x.mp4", "--filter", "sharpen")


def test_executors_are_found_by_name():
    assert executor_names() == ("processes", "ray")
    for address in ("elsewhere:3", "processes:0", "processes:x", "ray:/x", "ray://a b:1"):
        with pytest.raises(UsageError):
            executor_kind(address).open(address, 0)


def test_a_worker_refuses_what_it_does_not_see(tmp_path):
    seen = make_clip(tmp_path / "a.mp4", 3)
    mark = FileMark.of(seen)
    assert mark.is_here
    seen.write_bytes(seen.read_bytes()[:-1] + b"?")
    assert not mark.is_here
    plan = Plan(("process",), (), (mark,), str(tmp_path), ".mp4", "1")

    def task(needed, program):
        return Task(
            *(0, plan.argv, "/", str(seen), None, needed, "", 0.0),
            *(str(tmp_path), ("seen", "x"), "0.mp4", program),
        )

    with pytest.raises(LightloomError, match=r"does not see .*a\.mp4"):
        PieceRun("a", 0, task((mark,), version()))
    with pytest.raises(LightloomError, match="same on all machines"):
        PieceRun("a", 0, task((), "0.0.0-other"))


# -- joining -------------------------------------------------------------------------------------------------


def encoded(path, numbers, crf=20):
    """Pictures of these numbers at their own times, with a recorder of its own."""
    noise = np.random.default_rng(3).integers(0, 255, (64, 64, 4), dtype=np.uint8)
    encoding = Encoding(crf=crf) if path.suffix == ".mp4" else Encoding("ffv1")
    recorder = Recorder(path, (64, 64), 25.0, encoding, choice=choose(path, encoding), wait=True)
    for number in numbers:
        recorder.add(np.roll(noise, 5 * number, axis=0), number / 25, 1 / 25)
    recorder.close()
    return path


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_joined_pieces_are_the_film(tmp_path, suffix):
    spans = (range(0, 8), range(8, 13), range(13, 20))
    pieces = [encoded(tmp_path / f"{i}{suffix}", span) for i, span in enumerate(spans)]
    target = tmp_path / f"whole{suffix}"
    assert join_videos(target, CONTAINERS[suffix], pieces, None) == ()
    joined = pictures_of(target)
    assert [Fraction(time).limit_denominator(25) for time, _ in joined] == [
        Fraction(i, 25) for i in range(20)
    ]
    assert [digest for _, digest in joined] == [
        digest for piece in pieces for _, digest in pictures_of(piece)
    ]
    if suffix == ".mkv":  # without loss: as if it had never been cut
        assert joined == pictures_of(encoded(tmp_path / "direct.mkv", range(20)))


def test_pieces_that_do_not_go_together_leave_the_older_file(tmp_path):
    first = encoded(tmp_path / "0.mp4", range(8))
    target = tmp_path / "whole.mp4"
    target.write_bytes(b"older")
    with pytest.raises(SpreadError, match="same frame"):
        join_videos(target, CONTAINERS[".mp4"], [first, encoded(tmp_path / "1.mp4", range(7, 12))], None)
    other = make_clip(tmp_path / "2.mp4", 5)
    with pytest.raises(SpreadError, match="different ways"):
        join_videos(target, CONTAINERS[".mp4"], [first, other], None)
    assert target.read_bytes() == b"older" and not list(tmp_path.glob("*part*"))
