"""Output of commands, and names of outputs that would overwrite an input; in separate processes where
descriptors matter.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import onnx
import pytest
from waiting import LIMIT_S
from windows_marks import links, long_names_of_linux

from desktop.base import console
from desktop.base.errors import (
    DownloadError,
    LightloomError,
    ModelInvalidError,
    PresetError,
    ShaderError,
    ShaderMessage,
    UsageError,
)
from desktop.base.files import (
    PartFile,
    check_name,
    move_over,
    open_regular,
    read_regular,
    replace_file,
    replaced,
    same_file,
)
from desktop.base.output_names import NamedFile, check_outputs
from desktop.base.printable import PrintableFormatter, printable
from desktop.compute.nn.frontends.external_data import check_external
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.preset import load_preset

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")

# Colors and titles of terminals (C0), the same in C1, a line feed, DEL, and a name that reads backwards.
HOSTILE = "a\x1b[31m\x1b]0;owned\x07\x9b2Jb\rc\nd\x7f\u202egnp.exe\u2066\udc80"


@pytest.mark.parametrize(
    "character", [*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u2028", "\udcff"]
)
def test_what_acts_on_a_terminal_is_escaped(character):
    shown = printable(f"x{character}y")
    assert shown.isascii() and shown.isprintable()
    assert shown.encode().decode("unicode_escape") == f"x{character}y"


def test_what_people_write_stays():
    assert printable("Größe 大小 🏳️‍🌈 שלום \\x1b") == "Größe 大小 🏳️‍🌈 שלום \\x1b"


def test_errors_are_one_printable_line():
    for error in (
        LightloomError(f"There is no {HOSTILE}."),
        DownloadError(HOSTILE),
        ShaderError(HOSTILE, (ShaderMessage(1, 2, HOSTILE),)),
    ):
        assert str(error).isprintable()


def test_the_log_is_printable():
    record = logging.LogRecord("x", logging.WARNING, __file__, 1, "%s", (HOSTILE,), None)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        record.exc_info = sys.exc_info()
    lines = PrintableFormatter("%(message)s").format(record).splitlines()
    assert all(line.isprintable() for line in lines)
    assert len(lines) > 3


def test_lines_and_documents_on_standard_output(capsys):
    console.out(f"{HOSTILE}")
    console.fail(HOSTILE)
    console.out_json({"name": HOSTILE})
    out, err = capsys.readouterr()
    first, _, document = out.partition("\n")
    assert first.isprintable() and err.rstrip("\n").isprintable()
    assert json.loads(document) == {"name": HOSTILE}
    assert all(c.isprintable() or c == "\n" for c in document)


def run(*arguments, environment=None, **options):
    command = [sys.executable, "-m", "desktop", *map(str, arguments)]
    env = {**os.environ, **(environment or {})}
    return subprocess.run(command, text=True, stderr=subprocess.PIPE, timeout=LIMIT_S, env=env, **options)


@pytest.mark.parametrize(
    "items", [[], [{"label": "cup\x7f", "box": [1, 2]}], [1, [], {"deep": {"er": [True]}}]]
)
def test_a_list_is_printed_item_by_item_as_the_whole_would_be(capsys, items):
    first = {"network": "none", "things": 3}
    parts = []
    with console.out_json_list(first, "results") as print_item:
        parts.append(capsys.readouterr().out)
        for item in items:
            print_item(item)
            parts.append(capsys.readouterr().out)
    assert all(parts)  # each item was printed at once
    parts.append(capsys.readouterr().out)
    console.out_json({**first, "results": items})
    assert "".join(parts) == capsys.readouterr().out


def test_a_list_of_a_run_that_fails_is_complete_json(capsys):
    with pytest.raises(DownloadError), console.out_json_list({}, "results", {"total": 3}) as print_item:
        print_item({"frame": 1})
        raise DownloadError("the camera is gone")
    assert json.loads(capsys.readouterr().out) == {"results": [{"frame": 1}], "total": 3}


@pytest.mark.parametrize("items", [[], [1]])
def test_values_behind_a_list_are_read_at_its_end(capsys, items):
    last = {}
    with console.out_json_list({"model": "m"}, "pictures", last) as print_item:
        for item in items:
            print_item(item)
        last["totals"] = {"pictures": len(items)}
    printed = capsys.readouterr().out
    console.out_json({"model": "m", "pictures": items, **last})
    assert printed == capsys.readouterr().out


def test_lines_of_a_frame_reach_a_pipe_at_once(tmp_path):
    """They came in blocks of 8 KiB, and a camera's first results after minutes."""
    command = [sys.executable, "-m", "desktop", "detect", "sample:", "--max-frames", "40"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        is_running = process.poll() is None
        process.terminate()
        process.stdout.read()
    assert first.startswith(b"sample:") and is_running


@pytest.mark.parametrize("more", [(), ("--json",)])
@FULL
def test_a_full_disk_ends_a_command_of_several_inputs_in_one_sentence(more):
    with Path("/dev/full").open("w") as full:
        done = run("detect", *["sample:"] * 3, "--max-frames", "1", *more, stdout=full)
    assert done.returncode == 1 and done.stderr.count("cannot be written") == 1, done.stderr


@FULL
@pytest.mark.parametrize(
    "arguments",
    [
        ["filters"],
        ["filters", "--json"],
        ["looks"],
        ["looks", "--json"],
        ["--version"],
        ["--help"],
        ["process", "--help"],
        ["models", "list"],
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_ends_in_one_sentence(arguments, unbuffered):
    with Path("/dev/full").open("w") as full:
        done = run(*arguments, stdout=full, environment={"PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 1
    assert done.stderr.startswith("lightloom: The output cannot be written: ")
    assert done.stderr.count("\n") == 1


@POSIX
def test_closed_descriptors_are_no_failure():
    done = subprocess.run(
        f'"{sys.executable}" -m desktop filters >&-', shell=True, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_names_of_files_are_escaped_in_every_complaint(tmp_path):
    name = "a\x1b[31m\x07b" if sys.platform != "win32" else "a\u202eb"
    preset = tmp_path / f"{name}.toml"
    preset.write_text(
        'lightloom = 1\n"k\\u001b[1m\\u202e" = 1\n[[filter]]\nname = "x\\u009b\\u0007"\n', encoding="utf-8"
    )
    picture = Path(__file__).parent.parent.parent / "assets" / "nothing.png"
    # What is no command opens a window where there is a display, as there always is on Windows.
    alone = [] if sys.platform == "win32" else [[name]]
    no_display = {"DISPLAY": "", "WAYLAND_DISPLAY": "lightloom-none", "QT_QPA_PLATFORM": ""}
    for arguments in (
        ["process", picture, "-o", tmp_path / "o.png", "--preset", preset],
        ["process", preset, "-o", tmp_path / "o.png"],
        ["process", picture, "-o", tmp_path / "o.png", name],
        ["model", "check", name],
        *alone,
    ):
        done = run(*arguments, stdout=subprocess.PIPE, environment=no_display)
        assert done.returncode != 0
        assert all(c.isprintable() or c == "\n" for c in done.stdout + done.stderr), arguments


def test_chatter_of_libraries_goes_to_a_file_and_python_stays_at_the_terminal(tmp_path):
    code = (
        "import os, sys, logging; from pathlib import Path; from desktop.base.native_output import capture_native_output\n"
        f"print(capture_native_output(Path({str(tmp_path)!r})))\n"
        "os.write(2, b'libEGL warning: chatter\\n'); logging.getLogger('wgpu').warning('of the \\x1b log')\n"
        "print('one sentence', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.stderr == "one sentence\n"
    kept = Path(done.stdout.strip()).read_text(encoding="utf-8")
    assert "libEGL warning: chatter\n" in kept and "of the \\x1b log" in kept


@POSIX
@pytest.mark.parametrize("kind", ["a file", "a pipe in it"])
def test_chatter_is_kept_from_the_terminal_where_no_file_takes_it(tmp_path, kind):
    folder = tmp_path / "logs"
    if kind == "a file":
        folder.touch()
    else:
        folder.mkdir()
        os.mkfifo(folder / "stderr.log")
    code = (
        "import os, sys; from pathlib import Path; from desktop.base.native_output import capture_native_output\n"
        f"print(capture_native_output(Path({str(folder)!r})))\n"
        "os.write(2, b'libEGL warning: chatter\\n'); print('one sentence', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S)
    assert (done.stdout, done.stderr) == ("None\n", "one sentence\n")


@pytest.mark.parametrize(
    ("error", "words"),
    [("MemoryError()", "not enough memory"), ("KeyError('a\\x1b[31m')", "fault of Lightloom's own")],
)
def test_what_nobody_foresaw_is_one_sentence_and_a_traceback_in_the_log(tmp_path, error, words):
    code = (
        "import desktop.__main__ as m\n"
        f"def fails(arguments): raise {error}\n"
        "m._run = fails; raise SystemExit(m.main())\n"
    )
    environment = {**os.environ, "LIGHTLOOM_LOGS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S, env=environment
    )
    assert done.returncode == 1 and done.stdout == ""
    assert words in done.stderr and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr
    kept = (tmp_path / "stderr.log").read_text(encoding="utf-8")
    assert ("Traceback" in kept) == (words != "not enough memory")


@POSIX
def test_nothing_but_the_sentence_stands_on_standard_error(tmp_path):
    """Without XDG_RUNTIME_DIR Mesa says four lines at every start; libpng complains of a broken profile,
    OpenCV of the rest.
    """
    broken = tmp_path / "a.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x02\0\0\0\0\0\0\0" + bytes(40))
    environment = {k: v for k, v in os.environ.items() if k != "XDG_RUNTIME_DIR"} | {
        "LIGHTLOOM_LOGS": str(tmp_path)
    }
    command = [sys.executable, "-m", "desktop", "process", str(broken), "-o", str(tmp_path / "o.png")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=environment)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("lightloom: ") and done.stderr.count("\n") == 1


# -- names of outputs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        "same",
        "hard",
        "dots",
        pytest.param("symbolic", marks=links),
        pytest.param("folder's link", marks=links),
    ],
)
def test_an_output_that_is_an_input_is_refused(tmp_path, kind):
    preset = tmp_path / "p.toml"
    preset.write_text("lightloom = 1\n")
    output = preset
    if kind == "symbolic":
        (output := tmp_path / "r.json").symlink_to(preset)
    elif kind == "hard":
        (output := tmp_path / "r.json").hardlink_to(preset)
    elif kind == "folder's link":
        (tmp_path / "d").symlink_to(tmp_path)
        output = tmp_path / "d" / "p.toml"
    elif kind == "dots":
        (tmp_path / "e").mkdir()
        output = tmp_path / "e" / ".." / "p.toml"
    with pytest.raises(UsageError, match=r"The report .* is the look"):
        check_outputs([NamedFile("report", output)], [NamedFile("look", preset)])


def test_two_outputs_of_one_name_are_refused(tmp_path):
    outputs = [NamedFile("output", tmp_path / "a.png"), NamedFile("snapshot", tmp_path / "." / "a.png")]
    with pytest.raises(UsageError, match=r"The snapshot .* is the output"):
        check_outputs(outputs, [])


def test_an_output_into_the_input_folder_is_refused(tmp_path):
    inputs = [NamedFile("input", tmp_path)]
    for name in ("o.png", "o.mp4", "%04d.png"):
        with pytest.raises(UsageError, match="among the files of the input"):
            check_outputs([NamedFile("output", tmp_path / name)], inputs)
    (tmp_path / "out").mkdir()
    check_outputs([NamedFile("output", tmp_path / "out" / "o.png")], inputs)


@pytest.mark.parametrize(
    ("what", "onto"),
    [
        ("--report", "preset"),
        ("--report", "table"),
        ("--report", "labels"),
        ("--report", "network"),
        ("--report", "input folder"),
        ("--snapshot", "picture"),
        ("--snapshot", "preset"),
        ("-o", "preset"),
        ("-o", "picture"),
    ],
)
def test_process_refuses_before_anything_is_written(tmp_path, what, onto):
    import cv2
    import numpy as np
    from tiny_models import red_or_blue_model

    folder = tmp_path / "in"
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), np.zeros((8, 8, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "p.png"), np.zeros((8, 8, 3), np.uint8))
    table = tmp_path / "t.cube"
    table.write_text("LUT_3D_SIZE 2\n" + "0 0 0\n" * 8)
    network = red_or_blue_model(tmp_path / "n.onnx")
    (tmp_path / "n.labels.txt").write_text("red\nblue\n")
    preset = tmp_path / "p.toml"
    preset.write_text('lightloom = 1\n[[filter]]\nname = "lut"\nvalues = { table = "t.cube" }\n')
    assert FilterLibrary(None).get("lut").param("table").type == "lut"
    target = {
        "preset": preset, "table": table, "picture": tmp_path / "p.png", "labels": tmp_path / "n.labels.txt",
        "network": network, "input folder": folder / "new.png",
    }[onto]  # fmt: skip
    output = tmp_path / "link.png"
    if onto == "input folder":
        output = target
    else:
        # A name of Windows too, which asks for a privilege for symbolic links.
        output.hardlink_to(target)
    source = folder if onto == "input folder" else tmp_path / "p.png"
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    arguments = ["process", source, "--preset", preset, "--model", network, what, output]
    done = run(*arguments, *([] if what == "-o" else ["-o", tmp_path / "o.png"]), stdout=subprocess.PIPE)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


# -- files ---------------------------------------------------------------------------------------------------


def test_a_file_that_fails_leaves_the_older_one(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"older")
    with pytest.raises(ZeroDivisionError), replaced(path) as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


@POSIX
def test_links_in_a_circle_are_no_crash(tmp_path):
    """Path.resolve raises RuntimeError for them before Python 3.13."""
    for name, to in (("a", "b"), ("b", "a"), ("o.png", "o.png"), ("o.mp4", "o.mp4"), ("weights.bin", "a")):
        (tmp_path / name).symlink_to(to)
    replace_file(tmp_path / "o.png", [b"data"])
    assert (tmp_path / "o.png").read_bytes() == b"data"
    part = PartFile(tmp_path / "o.mp4")
    part.publish()
    assert (tmp_path / "o.mp4").is_file()
    assert not same_file(tmp_path / "a", tmp_path / "c")
    (tmp_path / "p.toml").write_text('lightloom = 1\n[[filter]]\nname = "lut"\nvalues = { table = "a" }\n')
    loaded = load_preset(tmp_path / "p.toml", FilterLibrary(None))
    assert "is not there" in loaded.warnings[0]
    with pytest.raises(PresetError):
        load_preset(tmp_path / "a", FilterLibrary(None))
    for circle in ("weights.bin", "a"):
        weights = onnx.numpy_helper.from_array(np.zeros(4, np.float32), "w")
        weights.ClearField("raw_data")
        weights.data_location = onnx.TensorProto.EXTERNAL
        entry = weights.external_data.add()
        entry.key, entry.value = "location", circle
        model = onnx.ModelProto()
        model.graph.initializer.append(weights)
        with pytest.raises(ModelInvalidError):
            check_external(model, tmp_path / "m.onnx")


@pytest.mark.parametrize("system", [pytest.param("linux", marks=long_names_of_linux), "win32"])
@pytest.mark.parametrize(
    ("name", "is_possible"), [("a" * 251 + ".mp4", True), ("a" * 252 + ".mp4", False), ("a" * 5000, False)]
)
def test_a_name_that_is_too_long_is_refused_before_anything_is_written(tmp_path, name, is_possible, system):
    if is_possible:
        check_name(tmp_path / name, system)
        return
    with pytest.raises(OSError) as raised:
        check_name(tmp_path / name, system)
    assert raised.value.errno == errno.ENAMETOOLONG
    with pytest.raises(OSError):
        PartFile(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("held_s", [0.03, 60])
def test_on_windows_a_file_that_is_read_elsewhere_is_waited_for(tmp_path, monkeypatch, held_s):
    """As while a virus scanner reads it. On Linux the refusal is a stand-in's."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    stream = old.open()
    over = threading.Event()
    release = threading.Timer(held_s, lambda: (stream.close(), over.set()))
    release.start()
    if sys.platform != "win32":
        rename = os.replace

        def refused_at_first(source, target, **rest):
            if not over.is_set():
                raise PermissionError(errno.EACCES, "it is open")
            rename(source, target, **rest)

        monkeypatch.setattr(os, "replace", refused_at_first)
    if held_s < 1:
        move_over(new, old, "win32")
        assert old.read_text() == "new" and not new.exists()
    else:
        with pytest.raises(PermissionError):
            move_over(new, old, "win32")
        assert new.read_text() == "new"
    release.cancel()
    stream.close()


def test_the_longest_names_can_be_replaced(tmp_path):
    path = tmp_path / ("ü" * 125 + ".png")
    replace_file(path, [b"new"])
    assert path.read_bytes() == b"new"
    part = PartFile(path)
    part.publish()
    assert path.read_bytes() == b""


@POSIX
def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match="it is "):
            open_regular(path)
    (tmp_path / "a").write_bytes(bytes(100))
    with pytest.raises(OSError, match="larger than 99 bytes"):
        read_regular(tmp_path / "a", 99)


@POSIX
@pytest.mark.parametrize("what", ["fifo", "zero"])
def test_devices_and_pipes_are_refused_wherever_a_file_is_meant(tmp_path, what):
    special = Path("/dev/zero")
    if what == "fifo":
        special = tmp_path / "fifo.onnx"
        os.mkfifo(special)
    out = tmp_path / "o.png"
    picture = tmp_path / "p.png"
    picture.write_bytes(b"")
    for arguments in (
        ["process", special, "-o", out],
        ["process", "sample:", "-o", out, "--max-frames", "1", "--model", special],
        ["process", "sample:", "-o", out, "--max-frames", "1", "--preset", special],
        ["process", "sample:", "-o", out, "--max-frames", "1", "--filter", f"lut:table={special}"],
        ["model", "check", special],
        ["models", "list", "--catalogue", special],
    ):
        done = run(*arguments, stdout=subprocess.PIPE)
        assert done.returncode in (1, 2), (arguments, done.stdout)
        assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr, (arguments, done.stderr)
