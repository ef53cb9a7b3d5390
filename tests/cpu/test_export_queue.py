"""The queue of exports without a window: its file, its order, and what its runner makes of a process that
does as it likes.
"""

from __future__ import annotations

import errno
import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from waiting import until

from desktop.base.errors import ExportError
from desktop.base.wording import packed, sentence
from desktop.outputs.encoding import Encoding
from desktop.outputs.export_queue import ExportJob, ExportQueue
from desktop.outputs.export_runner import ExportRunner
from desktop.outputs.span import TimeSpan


@pytest.fixture
def queue(tmp_path):
    queue = ExportQueue(tmp_path / "exports")
    yield queue
    queue.close()


def job(queue, name="a.mp4", **fields):
    made = ExportJob(queue.new_id(), "in.mp4", queue.folder / name, Encoding(), TimeSpan(), False, "adapter")
    return replace(made, **fields)


def names(queue):
    return [each.job.target.name for each in queue.exports]


def test_a_queue_is_what_it_was_at_the_next_start(tmp_path, queue):
    full = job(
        queue, encoding=Encoding("vp9", 40, (0, 480), 12.5, "encode", hardware=True), span=TimeSpan(1.5, 3.0)
    )
    queue.add(full)
    queue.add(job(queue, "b.webm", overlay=True))
    for name, state in ((full.id, "running"), (queue.exports[1].job.id, "waiting")):
        queue.change(name, state=state, text=sentence("{a} is made", a="x"), part="p")
    queue.close()
    again = ExportQueue(tmp_path / "exports")
    # What was under way, or was to come, does not begin by itself.
    assert [each.state for each in again.exports] == ["interrupted", "interrupted"]
    assert [each.job for each in again.exports] == [each.job for each in queue.exports]
    assert again.exports[0].text == "x is made" and again.exports[0].text.template == "{a} is made"
    again.close()


def test_the_order_and_the_end_of_entries(queue):
    for name in ("a", "b", "c"):
        queue.add(job(queue, f"{name}.mp4"))
    a, b, c = (each.job.id for each in queue.exports)
    queue.move(c, -1)
    assert names(queue) == ["a.mp4", "c.mp4", "b.mp4"]
    queue.move(a, 9)
    queue.move(b, -9)
    assert names(queue) == ["b.mp4", "c.mp4", "a.mp4"] and queue.next().job.id == b
    queue.change(b, state="running")
    queue.remove(b)
    assert len(queue.exports) == 3 and queue.next().job.id == c
    queue.remove(c)
    assert names(queue) == ["b.mp4", "a.mp4"] and not queue.folder_of(c).exists()
    queue.change(b, state="failed", done=7, text="no")
    queue.again(b)
    assert queue.get(b).state == "waiting" and queue.get(b).done == 0 and queue.get(b).text == ""


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"exports": 5}',
        b"\xff",
        b'{"exports": [5, {"id": "../x"}, {"id": "a", "source": 3}]}',
        b"[" * 100_000,
        b'{"exports": [{"id":"a","source":"s","target":"t","part":"","adapter":"","state":"flying","text":"","range":"-"}]}',
    ],
)
def test_a_damaged_file_is_no_queue(tmp_path, content):
    folder = tmp_path / "exports" / "queue"
    folder.mkdir(parents=True)
    (folder / "queue.json").write_bytes(content)
    queue = ExportQueue(tmp_path / "exports")
    assert queue.exports == ()
    [note] = queue.notes
    kept = folder / "queue.json.broken"
    assert str(kept) in note and kept.read_bytes() == content
    queue.add(job(queue))
    queue.close()
    assert len(json.loads((folder / "queue.json").read_text())["exports"]) == 1


@pytest.mark.parametrize("can_be_renamed", [True, False])
def test_a_list_that_cannot_be_read_is_kept(tmp_path, can_be_renamed):
    """A folder stands for it, which nobody can read as a file."""
    folder = tmp_path / "exports" / "queue"
    (folder / "queue.json" / "inside").mkdir(parents=True)
    if not can_be_renamed:
        (folder / "queue.json.broken").write_bytes(b"in the way")
    queue = ExportQueue(tmp_path / "exports")
    problems: list[str] = []
    queue.on_problem = problems.append
    [note] = queue.notes
    kept = folder / ("queue.json.broken" if can_be_renamed else "queue.json")
    assert "cannot be read" in note and str(kept) in note
    queue.add(job(queue))
    queue.close()
    assert (kept / "inside").is_dir()
    assert (folder / "queue.json").is_file() == can_be_renamed
    assert [f"cannot be saved in {folder}" in each for each in problems] == ([] if can_be_renamed else [True])


def test_names_that_leave_the_folder_are_refused(queue, tmp_path):
    queue.add(job(queue))
    file = queue.folder / "queue.json"
    good = json.loads(file.read_text())["exports"][0]
    bad = [{**good, "id": name} for name in ("..", "a/b", "", "/tmp")]
    file.write_text(json.dumps({"exports": [*bad, good]}))
    queue.close()
    again = ExportQueue(tmp_path / "exports")
    assert [each.job.id for each in again.exports] == [good["id"]] and len(again.notes) == 1
    again.close()
    assert len(json.loads((again.folder / "queue.json.broken").read_text())["exports"]) == 5


def test_a_list_that_cannot_be_written_is_reported_once_until_it_can(queue, monkeypatch):
    said: list[str] = []
    queue.on_problem = said.append
    queue.add(job(queue))
    name = queue.exports[0].job.id
    assert not queue.notes and not said

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("desktop.outputs.export_queue.replace_file", refuse)
        queue.change(name, state="running")
        queue.change(name, state="done")
    assert len(said) == 1 and "No space left" in said[0] and str(queue.folder) in said[0]
    queue.change(name, state="failed")
    with monkeypatch.context() as full:
        full.setattr("desktop.outputs.export_queue.replace_file", refuse)
        queue.change(name, state="done")
    assert len(said) == 2


def test_two_windows_have_a_queue_each(tmp_path, queue):
    queue.add(job(queue))
    other = ExportQueue(tmp_path / "exports")
    assert other.folder != queue.folder and other.exports == ()
    other.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "exports").write_text("")
    with pytest.raises(ExportError, match="cannot be kept"):
        ExportQueue(tmp_path / "exports")


def test_the_command_has_all_that_was_chosen(queue, tmp_path):
    from desktop.cli import CommandParser
    from desktop.cli._encoding import encoding_of
    from desktop.cli.process import COMMAND

    wanted = Encoding("vp9", 40, (0, 480), 12.5, "encode", hardware=True)
    made = job(queue, "-strange.mp4", source="-in.mp4", encoding=wanted, span=TimeSpan(1.5), overlay=True)
    parser = CommandParser()
    COMMAND.add_options(parser)
    options = parser.parse_args(made.command(tmp_path)[1:])
    assert encoding_of(options) == wanted and options.range == made.span and options.overlay
    assert (options.input, options.output, options.steer) == (["-in.mp4"], str(made.target), tmp_path)
    assert encoding_of(parser.parse_args(job(queue).command(tmp_path)[1:])) == Encoding()


# -- the runner ----------------------------------------------------------------------------------------------


class Rig:
    """A runner whose process runs a few lines of Python in the place of an export; `done` is its folder's
    progress.jsonl.
    """

    def __init__(self, queue, program):
        self.queue, self.ended = queue, []
        self.runner = ExportRunner(queue, self._start)
        self.runner.on_end = lambda export: self.ended.append(export.state)
        self._program = program

    def _start(self, arguments, folder, output):
        head = "import json, sys, time, pathlib\ndef tell(**e):\n    open('progress.jsonl', 'a').write(json.dumps(e) + '\\n')\n"
        command = [sys.executable, "-c", head + self._program]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=folder)

    def until(self, condition):
        until(lambda: self.runner.poll() or condition(), lambda: self.queue.exports, each=0.01)


def run(queue, program, *jobs):
    for each in jobs or (job(queue),):
        queue.add(each)
    return Rig(queue, program)


def test_exports_are_made_one_after_the_other(queue):
    program = (
        "tell(made='MP4', part='x.part'); tell(done=3, total=6); tell(done=6, total=6); tell(written=['x'])"
    )
    rig = run(queue, program, job(queue), job(queue, "b.mp4"))
    rig.until(lambda: len(rig.ended) == 2)
    assert rig.ended == ["done", "done"] and not rig.runner.is_running
    first = queue.exports[0]
    assert (first.done, first.total, first.share, first.text, first.part) == (6, 6, 1.0, "MP4", "")


def test_a_failure_is_told_in_its_own_words_and_the_next_one_begins(queue):
    why = json.dumps(packed(sentence("{what} is full.", what="The disk")))
    rig = run(queue, f"tell(error=json.loads({why!r}), stopped=False); sys.exit(1)")
    rig.until(lambda: rig.ended)
    assert rig.ended == ["failed"] and queue.exports[0].text == "The disk is full."
    assert queue.exports[0].text.template == "{what} is full."


def test_everything_noted_on_a_result_is_shown_and_kept(tmp_path, queue):
    """Not the last alone; hundreds are cut, and that is said."""
    few = "tell(made='MP4'); tell(note='One.'); tell(note='Two.'); tell(written=['x'])"
    rig = run(queue, few)
    rig.until(lambda: rig.ended)
    many = "tell(made='MP4'); [tell(note=f'Note {n}.') for n in range(500)]; tell(written=['x'])"
    long = "tell(note='x' * 300000); tell(written=['x'])"
    longer = "tell(note='x' * 3000); tell(note='y' * 3000); tell(written=['x'])"
    for rig._program in (many, long, longer):
        queue.add(job(queue))
        rig.ended.clear()
        rig.until(lambda: rig.ended)
    told = " ".join(f"Note {n}." for n in range(10))
    texts = ["MP4. One. Two.", f"MP4. {told} 490 further notes are left out."]
    texts += ["1 note is too long to show.", "2 notes are too long to show."]
    assert [each.text for each in queue.exports] == texts
    queue.close()
    again = ExportQueue(tmp_path / "exports")
    assert [each.text for each in again.exports] == texts
    again.close()


@pytest.mark.parametrize(
    "program", ["sys.exit(0)", "import os; os.kill(os.getpid(), 9)", "tell(done=1)\nraise SystemExit(3)"]
)
def test_a_process_that_ends_without_a_word_was_interrupted(queue, program):
    rig = run(queue, program)
    rig.until(lambda: rig.ended)
    assert rig.ended == ["interrupted"] and "without a word" in queue.exports[0].text


def test_what_a_process_says_may_be_anything(queue):
    lines = [
        "{",
        "5",
        '{"done": "many"}',
        '{"done": -3, "total": null}',
        '{"made": ["{0.__class__}", "", {}, 1]}',
        '{"part": 7}',
    ]
    program = f"open('progress.jsonl', 'a').write({chr(10).join(lines) + chr(10)!r}); tell(written=[])"
    rig = run(queue, program)
    rig.until(lambda: rig.ended)
    assert rig.ended == ["done"] and queue.exports[0].done == 0


@pytest.mark.parametrize(
    "part", ["../b.mp4", "../b.part.mp4", "../a.mp4", "/etc/hostname", "../a.part.mp4/..", "\0", "\ud800"]
)
def test_no_file_is_deleted_but_the_growing_one_of_the_target(queue, part):
    """Neither one that a process tells, nor one that somebody wrote into the list."""
    kept = [queue.folder / name for name in ("b.mp4", "b.part.mp4", "a.mp4")]
    for path in kept:
        path.write_text("precious")
    program = f"tell(part={part!r}, done=1, total=1)\nwhile not pathlib.Path('stop').exists(): time.sleep(0.01)\nsys.exit(1)"
    rig = run(queue, program)
    rig.until(lambda: queue.exports[0].done == 1)
    rig.runner.cancel(queue.exports[0].job.id)
    rig.until(lambda: rig.ended)
    assert rig.ended == ["canceled"] and queue.exports[0].part == "" and all(path.exists() for path in kept)


_WAITS = """
pathlib.Path('../a.part.mp4').write_text('half')
tell(part=str(pathlib.Path('../a.part.mp4').resolve()), done=1, total=10)
while not pathlib.Path('stop').exists():
    time.sleep(0.01)
    if not pathlib.Path('pause').exists():
        tell(done=2, total=10)
tell(error='Stopped.', stopped=True)
sys.exit(1)
"""


def test_pause_continue_and_cancel(queue):
    rig = run(queue, _WAITS)
    name = queue.exports[0].job.id
    rig.until(lambda: queue.exports[0].done == 2)
    rig.runner.pause(name)
    rig.until(lambda: queue.exports[0].state == "paused")
    spent = queue.exports[0].seconds
    time.sleep(0.05)
    rig.runner.poll()
    assert queue.exports[0].seconds == spent and (queue.folder_of(name) / "pause").exists()
    rig.runner.go_on(name)
    assert queue.exports[0].state == "running" and not (queue.folder_of(name) / "pause").exists()
    part = queue.folder / "a.part.mp4"
    assert part.exists()
    rig.runner.cancel(name)
    rig.until(lambda: rig.ended)
    assert rig.ended == ["canceled"] and not part.exists()
    queue.remove(name)
    assert queue.exports == ()


def test_one_that_waits_is_canceled_at_once(queue):
    rig = run(queue, "sys.exit(1)")
    rig.runner.cancel(queue.exports[0].job.id)
    rig.runner.poll()
    assert queue.exports[0].state == "canceled" and not rig.runner.is_running


def test_a_program_that_cannot_be_started_is_said(queue):
    queue.add(job(queue))

    def start(*_):
        raise OSError(2, "No such file or directory")

    runner = ExportRunner(queue, start)
    runner.poll()
    assert queue.exports[0].state == "failed" and "No such file" in queue.exports[0].text


def test_closing_interrupts_and_the_process_ends(queue, tmp_path):
    rig = run(queue, "sys.stdin.read()\npathlib.Path('../ended').touch()")
    rig.until(lambda: rig.runner.is_running)
    rig.runner.close()
    assert queue.exports[0].state == "interrupted" and (queue.folder / "ended").exists()


def test_an_older_part_goes_when_the_export_is_done(queue):
    left = queue.folder / "left.part.mp4"
    left.write_text("of a run that was killed")
    rig = run(queue, "tell(part='new.part.mp4'); tell(written=['x'])")
    queue.change(queue.exports[0].job.id, part=str(left))
    rig.until(lambda: rig.ended)
    assert rig.ended == ["done"] and not left.exists()
