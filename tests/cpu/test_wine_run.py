"""The parts of `tasks.py wine` that need no Wine: what libraries import, the list of known failures, reports."""

from __future__ import annotations

import importlib.util
import struct
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "packaging" / "windows" / "wine"


@pytest.fixture(scope="module")
def wine():
    """The modules of packaging/windows/wine, forgotten again afterwards."""
    names = ("imports", "known_failures", "stand_ins", "debian", "windows_python", "session", "suite")
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in names})
    finally:
        sys.path.remove(str(FOLDER))
        for name in set(sys.modules) - before:
            if str(FOLDER) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


# -- libraries -----------------------------------------------------------------------------------------------


def linked(libraries):
    """Link a program of 64-bit Windows that imports names of libraries: the table in one section, names in
    another.
    """
    table, names, at = bytearray(), bytearray(), {".idata": 0x1000, ".rdata": 0x3000}
    for library, functions in libraries.items():
        entries = []
        for function in functions:
            entries.append(at[".rdata"] + len(names) if isinstance(function, str) else 1 << 63 | function)
            if isinstance(function, str):
                names += bytes(2) + function.encode() + b"\0"
        addresses = at[".rdata"] + len(names)
        names += struct.pack(f"<{len(entries) + 1}Q", *entries, 0)
        table += struct.pack("<IIIII", addresses, 0, 0, at[".rdata"] + len(names), addresses)
        names += library.encode() + b"\0"
    table += bytes(20)
    optional = (
        struct.pack("<H106xI", 0x20B, 16) + struct.pack("<QII", 0, at[".idata"], len(table)) + bytes(112)
    )
    head = b"MZ" + bytes(0x3A) + struct.pack("<I", 0x40)
    head += b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 2, 0, 0, 0, len(optional), 0x22) + optional
    place = 0x400
    for name, data in ((b".idata", table), (b".rdata", names)):
        size = -len(data) % 512 + len(data)
        head += struct.pack("<8sIIII16x", name, len(data), at[name.decode()], size, place)
        place += size
    body = b"".join(bytes(data) + bytes(-len(data) % 512) for data in (table, names))
    return head.ljust(0x400, b"\0") + body


@pytest.fixture(scope="module")
def program():
    return linked(
        {"KERNEL32.dll": ["CreateProcessW", "GetExitCodeProcess", 7], "user32.dll": ["MessageBoxW"]}
    )


def test_the_imports_of_a_program(wine, program):
    assert wine.imports.read_imports(program) == {
        "kernel32.dll": {"CreateProcessW", "GetExitCodeProcess"},
        "user32.dll": {"MessageBoxW"},
    }


def test_the_imports_of_the_program_that_pip_starts_scripts_with(wine):
    found = importlib.util.find_spec("pip")
    assert found is not None and found.origin is not None
    path = Path(found.origin).parent / "_vendor" / "distlib" / "t64.exe"
    if not path.exists():
        pytest.skip("needs the programs of Windows in pip, which Debian leaves out")
    imports = wine.imports.read_imports(path.read_bytes())
    assert {"CreateProcessW", "GetExitCodeProcess"} <= imports["kernel32.dll"]
    assert all(name == name.lower() for name in imports)


def test_a_program_that_is_cut_off_or_none(wine, program):
    for data in (
        b"",
        b"MZ",
        program[:64],
        program[:400],
        program[: len(program) // 3],
        b"\x7fELF" + bytes(500),
    ):
        with pytest.raises(wine.imports.NotALibrary):
            wine.imports.read_imports(data)


def test_complex_functions_are_ours_and_the_rest_is_wines(wine):
    exports = wine.stand_ins.math_exports(["cexpf", "cos", "cabs", "_hypotf"])
    assert wine.stand_ins.definition("math.dll", exports) == (
        "LIBRARY math.dll\nEXPORTS\n _hypotf = ucrtbase._hypotf\n cabs = wine_cabs\n cexpf = wine_cexpf\n"
        " cos = ucrtbase.cos\n"
    )


def test_the_renamed_library_has_a_name_of_the_same_length(wine):
    assert len(wine.stand_ins.OWN_MATH) == len(wine.stand_ins.MATH)


def test_every_complex_function_that_is_promised_is_written(wine):
    code = (FOLDER / "complex_math.c").read_text()
    for name in wine.stand_ins.FUNCTIONS.split():
        assert any(text in code for text in (f"(c{name})", f"(c{name}, ", f"wine_c{name}("))


# -- known failures ------------------------------------------------------------------------------------------


def test_a_list_has_a_reason_for_each_test(wine):
    text = "# a comment\n\ntests/a.py::test_one[x: y]: Wine has no links.\ntests/b.py: Wine has no sound.\n"
    with pytest.raises(wine.known_failures.BadList, match="Line 1 "):
        wine.known_failures.read_list("tests/a.py::test_one\n")
    with pytest.raises(wine.known_failures.BadList, match="again"):
        wine.known_failures.read_list("a.py: x\na.py: y\n")
    found = wine.known_failures.read_list(text.replace("[x: y]", "[x]"))
    assert found == {"tests/a.py::test_one[x]": "Wine has no links.", "tests/b.py": "Wine has no sound."}


def test_the_list_of_this_checkout_names_tests_that_there_are(wine):
    for name in wine.suite.known():
        file, _, test = name.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not test or test.rstrip("*").split("[")[0].split("::")[-1] in text


def test_files_that_are_listed_are_there(wine):
    assert all((ROOT / file.split("::")[0]).exists() for file in wine.suite.listed("short.txt"))
    everything = wine.suite.applicable(ROOT, [])
    left_out = wine.suite.listed("left_out.txt")
    assert all(any(Path(file).match(pattern) for file in everything) for pattern in left_out)
    assert "tests/cpu/test_locks.py" in everything
    assert "tests/cpu/test_locks.py" not in wine.suite.applicable(ROOT, left_out)


def test_a_failure_that_is_not_listed_and_an_entry_that_passes_are_told(wine):
    known = {"a.py::one": "r", "a.py::many*": "r", "b.py": "r", "a.py::form": "r", "c.py::none": "r"}
    judge = wine.known_failures.judge
    assert judge({"a.py::one", "a.py::many_2", "b.py::x"}, {"a.py::many_1", "b.py::y"}, known).is_clean
    verdict = judge({"a.py::new", "a.py::form[2]"}, {"a.py::one", "b.py::x"}, known)
    assert verdict.unexpected == ("a.py::new",) and verdict.passing == ("a.py::one", "b.py")
    assert not verdict.is_clean


# -- reports -------------------------------------------------------------------------------------------------


def test_what_pytest_says_of_each_test(wine):
    text = """collecting ... collected 7 items

tests/cpu/test_x.py::test_a[1 - 2] PASSED                                [ 14%]
tests/cpu/test_x.py::TestB::test_c FAILED                                [ 28%]
tests/cpu/test_x.py::test_d SKIPPED (no such device)                     [ 42%]
tests/cpu/test_x.py::test_e
a line that the test printed
PASSED                                                                   [ 57%]
tests/cpu/test_x.py::test_f PASSED                                       [ 71%]
tests/cpu/test_x.py::test_f ERROR                                        [ 71%]
tests/cpu/test_x.py::test_g """
    file = "tests/cpu/test_x.py"
    progress = wine.suite.read_progress(text)
    assert progress.passed == {f"{file}::test_a[1 - 2]", f"{file}::test_e"}
    assert progress.skipped == {f"{file}::test_d"}
    assert progress.failed == {f"{file}::TestB::test_c", f"{file}::test_f"}
    assert progress.running == f"{file}::test_g"
    late = wine.suite.read_progress("tests/cpu/test_x.py::test_h[1] +++++++++++++ Timeout +++++++++++++\n")
    assert late.running == f"{file}::test_h[1]"
    crashed = wine.suite.read_progress(
        f"{file}::test_h[1] Windows fatal exception: access violation\n\nThread 0x1\n"
    )
    assert crashed.running == f"{file}::test_h[1]"
    aborted = wine.suite.read_progress(f"{file}::test_h[1] Fatal Python error: Aborted\n\nThread 0x1\n")
    assert aborted.running == f"{file}::test_h[1]"
    rule = "=" * 30
    ended = f"tests/cpu/test_x.py::test_i PASSED [100%]\n\n{rule} warnings summary {rule}\ntests/cpu/test_x.py::test_i\n  a warning\n"
    assert wine.suite.read_progress(ended).running == ""
    nothing = wine.suite.read_progress("")
    assert not (nothing.passed or nothing.failed or nothing.skipped or nothing.running)


def test_the_table_tells_wines_failures_from_others(wine):
    files = [
        wine.suite.FileRun(
            "a.py", frozenset({"a.py::x"}), frozenset({"a.py::y", "a.py::z"}), frozenset(), 2.6, ""
        ),
        wine.suite.FileRun("b.py", frozenset({"b.py::x"}), frozenset(), frozenset({"b.py::y"}), 1.6, ""),
    ]
    table = wine.suite.results_table(files, {"a.py::y": "Wine has no links."}).splitlines()
    assert table[2:] == [
        "| `a.py` | 1 | 1 | 1 | 0 | 3 |",
        "| `b.py` | 1 | 0 | 0 | 1 | 2 |",
        "| 2 files | 2 | 1 | 1 | 1 | 4 |",
    ]


def test_each_command_has_the_folders_that_it_is_given(wine, tmp_path):
    root = wine.debian.Root(tmp_path / "root", (wine.debian.Bound(tmp_path / "x", "/srv/x", read_only=True),))
    command = root.command(["ls", "/srv/x"], {"A": "1"})
    assert command[-2:] == ["ls", "/srv/x"] and "A=1" in command
    at = command.index(str(tmp_path / "x"))
    assert command[at : at + 4] == [str(tmp_path / "x"), "/srv/x", "ro", "--"]


# -- several at a time ---------------------------------------------------------------------------------------


def made_session(wine, folder):
    """A session with a prefix of one file, a copy of the checkout and a folder for results."""
    for name in ("prefix", "lightloom", "out"):
        (folder / name).mkdir(parents=True)
    (folder / "prefix" / "system.reg").write_text("registry")
    bound = [
        wine.debian.Bound(folder / "prefix", wine.session.PREFIX),
        wine.debian.Bound(folder / "lightloom", "/srv/lightloom"),
        wine.debian.Bound(folder / "out", wine.session.OUT),
    ]
    return wine.session.Session(wine.debian.Root(folder / "root", tuple(bound)), folder)


def test_a_session_beside_another_has_a_prefix_and_results_of_its_own(wine, tmp_path):
    first = made_session(wine, tmp_path / "work")
    second = wine.session.parallel_session(first, 1)
    places = {each.target: each.source for each in second.root.bound}
    assert places["/srv/lightloom"] == tmp_path / "work" / "lightloom"
    assert places[wine.session.OUT] == second.out and second.out.is_dir() and second.out != first.out
    prefix = places[wine.session.PREFIX]
    assert (prefix / "system.reg").read_text() == "registry" and prefix != tmp_path / "work" / "prefix"


def test_files_run_in_as_many_sessions_as_there_are(wine, tmp_path, monkeypatch, capsys):
    first = made_session(wine, tmp_path / "work")
    sessions = [first, wine.session.parallel_session(first, 1)]
    # Neither of the first two ends before the other has begun.
    both, used = threading.Barrier(2, timeout=30), []

    def run_together(session, files, only=None):
        [file] = files
        if only:
            # Once more, alone.
            return [wine.suite.FileRun(file, frozenset(), frozenset(only[file]), frozenset(), 2.0, " again")]
        used.append(session)
        if file in ("a.py", "b.py"):
            both.wait()
        failed = frozenset({"c.py::x"} if file == "c.py" else ())
        return [
            wine.suite.FileRun(file, frozenset({f"{file}::y"}), failed, frozenset(), 1.0, f"text of {file}")
        ]

    monkeypatch.setattr(wine.suite, "run_together", run_together)
    monkeypatch.setattr(wine.suite, "known", dict)
    runs, verdict = wine.suite.run_files(sessions, ["a.py", "b.py", "c.py"])
    assert [run.file for run in runs] == ["a.py", "b.py", "c.py"]
    assert verdict.unexpected == ("c.py::x",)
    assert used[0] is not used[1] and len(used) == 3
    assert "not listed: c.py::x" in capsys.readouterr().out
    assert (first.out / "c.txt").read_text() == "text of c.py again"
    assert "| 3 files | 3 | 0 | 1 | 0 | 5 |" in (first.out / wine.suite.TABLE).read_text()


@pytest.mark.parametrize("stays", [(), ("tests/b.py::z",)])
def test_what_is_not_listed_runs_once_more_alone(wine, tmp_path, monkeypatch, capsys, stays):
    session = made_session(wine, tmp_path / "work")
    x, y, z, by_wine = (f"tests/{name}" for name in ("a.py::x", "b.py::y", "b.py::z", "b.py::w"))
    calls = []

    def python(arguments, *, limit_s, silence_s, more):
        tests = arguments[arguments.index(r"@Z:\srv\out\deselected.txt") + 1 :]
        calls.append(tests)
        if "tests/a.py" in tests:
            verdicts = {x: "PASSED", y: "FAILED", z: "FAILED", by_wine: "FAILED"}
        else:
            verdicts = {test: "FAILED" if test in stays else "PASSED" for test in tests}
        lines = [f"{test} {word} [100%]\n" for test, word in verdicts.items()]
        return SimpleNamespace(stdout="".join(lines) + "=== all in 1.2s ===\n")

    monkeypatch.setattr(wine.session.Session, "python", lambda _, *args, **named: python(*args, **named))
    monkeypatch.setattr(wine.suite, "known", lambda: {by_wine: "a reason"})
    runs, verdict = wine.suite.run_files([session], ["tests/a.py", "tests/b.py"], 2)
    assert calls == [["tests/a.py", "tests/b.py"], [y, z]]
    assert verdict.unexpected == stays and not verdict.passing
    assert runs[1].passed == {y, z} - set(stays) and runs[1].failed == {by_wine, *stays}
    said = capsys.readouterr().out
    unsteady = said.partition("UNSTEADY")[2].partition("\nok")[0].partition("\nFAILED")[0]
    assert y in unsteady and (z in unsteady) == (not stays)
    table = (session.out / wine.suite.TABLE).read_text()
    assert f"| 2 files | {3 - len(stays)} | 1 | {len(stays)} | 0 |" in table


@pytest.mark.parametrize(
    ("said", "left", "skipped"),
    [
        ("ERROR: not found: tests/a.py::x y\n=== no tests ran in 0.10s ===\n", {"tests/a.py::x y"}, set()),
        ("tests/a.py::x y SKIPPED (none) [100%]\n=== 1 skipped in 0.10s ===\n", set(), {"tests/a.py::x y"}),
        ("", {"tests/a.py::x y", "tests/a.py"}, set()),
    ],
)
def test_a_test_without_a_result_stays_failed(wine, tmp_path, monkeypatch, said, left, skipped):
    session = made_session(wine, tmp_path / "work")
    texts = ["tests/a.py::x y FAILED [100%]\n=== 1 failed in 1.2s ===\n", said]
    monkeypatch.setattr(wine.session.Session, "python", lambda *_, **__: SimpleNamespace(stdout=texts.pop(0)))
    monkeypatch.setattr(wine.suite, "known", dict)
    [run], verdict = wine.suite.run_files([session], ["tests/a.py"])
    assert not texts and set(verdict.unexpected) == left == run.failed and run.skipped == skipped


@pytest.mark.parametrize("closes", ["", "exec >/dev/null 2>&1; "])
@pytest.mark.parametrize(("limit_s", "silence_s"), [(60, 0.3), (0.3, 60)])
def test_a_command_that_says_nothing_is_ended(wine, tmp_path, monkeypatch, limit_s, silence_s, closes):
    monkeypatch.setattr(wine.debian.Root, "command", lambda _, arguments, variables: list(arguments))
    root = wine.debian.Root(tmp_path)
    script = f"echo begun; {closes}exec sleep 60"
    with pytest.raises(subprocess.TimeoutExpired) as late:
        root.run(["sh", "-c", script], limit_s=limit_s, silence_s=silence_s)
    assert late.value.stdout == b"begun\n" and late.value.timeout == 0.3
    done = root.run(["sh", "-c", "printf 'a\\r\\n'; sleep 0.2; echo b; exit 3"], limit_s=60, silence_s=60)
    assert (done.returncode, done.stdout) == (3, "a\nb\n")


def test_many_failures_are_no_busy_moment(wine, tmp_path, monkeypatch):
    session = made_session(wine, tmp_path / "work")
    failed = [f"tests/a.py::x{n}" for n in range(wine.suite.MOST_AGAIN + 1)]
    texts = ["".join(f"{name} FAILED [100%]\n" for name in failed) + "=== 41 failed in 1.2s ===\n"]
    monkeypatch.setattr(wine.session.Session, "python", lambda *_, **__: SimpleNamespace(stdout=texts.pop(0)))
    monkeypatch.setattr(wine.suite, "known", dict)
    _, verdict = wine.suite.run_files([session], ["tests/a.py"])
    assert len(verdict.unexpected) == len(failed)


def test_results_are_sorted_by_file_and_a_crash_costs_one_test(wine, tmp_path, monkeypatch):
    session = made_session(wine, tmp_path / "work")
    files = ["tests/a.py", "tests/b.py", "tests/c.py", "tests/d.py"]
    # The first process ends within a test; the second reads all but one file.
    first = "tests/a.py::x PASSED [ 10%]\ntests/a.py::y FAILED [ 20%]\ntests/b.py::x "
    second = "tests/b.py::y SKIPPED (none) [ 50%]\ntests/c.py::x PASSED [100%]\nERROR tests/d.py - ImportError: x\n"
    second += "=== 1 passed, 1 skipped, 1 error in 1.2s ===\n"
    said, deselected = [first, second], []

    def python(arguments, *, limit_s, silence_s, more):
        deselected.append((session.out / "deselected.txt").read_text())
        assert arguments[-4:] == files and limit_s == 4 * wine.suite.LIMIT_S
        assert silence_s > wine.suite.TEST_LIMIT_S
        return SimpleNamespace(stdout=said.pop(0))

    monkeypatch.setattr(wine.session.Session, "python", lambda _, *args, **named: python(*args, **named))
    runs = {run.file: run for run in wine.suite.run_together(session, files)}
    assert (
        not said
        and "--deselect=tests/a.py::x\n" in deselected[1]
        and "--deselect=tests/b.py::x\n" in deselected[1]
    )
    counted = {file: (run.passed, run.failed, run.skipped) for file, run in runs.items()}
    assert counted == {
        "tests/a.py": ({"tests/a.py::x"}, {"tests/a.py::y"}, set()),
        "tests/b.py": (set(), {"tests/b.py::x"}, {"tests/b.py::y"}),
        "tests/c.py": ({"tests/c.py::x"}, set(), set()),
        "tests/d.py": (set(), {"tests/d.py"}, set()),
    }


def test_files_behind_the_last_crash_have_failed(wine, tmp_path, monkeypatch):
    """Every process ends in a test of the first two files; the third never begins."""
    session = made_session(wine, tmp_path / "work")
    said = [f"tests/a.py::test_{n} " for n in range(wine.suite.MOST_PROCESSES - 1)] + [
        "tests/b.py::x PASSED [ 5%]\ntests/b.py::y "
    ]
    monkeypatch.setattr(wine.session.Session, "python", lambda *_, **__: SimpleNamespace(stdout=said.pop(0)))
    first, second, third = wine.suite.run_together(session, ["tests/a.py", "tests/b.py", "tests/c.py"])
    assert len(first.failed) == wine.suite.MOST_PROCESSES - 1
    assert second.passed == {"tests/b.py::x"} and second.failed == {"tests/b.py::y", "tests/b.py"}
    assert third.failed == {"tests/c.py"}
