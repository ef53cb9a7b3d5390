"""tasks.py: what it decides (packages, displays, stamps, tables), and that it stays within the standard library."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import LIMIT_S, until

ROOT = Path(__file__).resolve().parents[2]


def load_tasks():
    specification = importlib.util.spec_from_file_location("tasks_under_test", ROOT / "tasks.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def tasks():
    return load_tasks()


@pytest.fixture
def checkout(tasks, tmp_path, monkeypatch):
    """`tasks` in a folder of its own, whose virtual environment is a link to this Python."""
    monkeypatch.setattr(tasks, "ROOT", tmp_path)
    monkeypatch.setattr(tasks, "VENV", tmp_path / ".venv")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "nightly.txt").write_text("tests/test_slow.py\n")
    python = tasks.venv_program("python")
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("version = 3.11.2\n")
    monkeypatch.setattr(tasks, "_is_usable", lambda path: path.exists())
    return tmp_path


def fake_program(folder, name, script):
    """Put a shell script named `name` into `folder`, which is made."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_it_imports_the_standard_library_alone():
    tree = ast.parse((ROOT / "tasks.py").read_text())
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.split(".")[0])
    assert names <= sys.stdlib_module_names


def test_an_old_python_can_parse_it():
    # The grammar of 3.8, so that `main` can say in a sentence that 3.11 is needed.
    ast.parse((ROOT / "tasks.py").read_text(), feature_version=(3, 8))


def test_an_old_python_gets_one_sentence(tasks, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert tasks.main(["run"]) == 1
    printed = capsys.readouterr()
    assert "3.11" in printed.err
    assert "3.9.2" in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize(("arguments", "status"), [([], 2), (["fly"], 2), (["--help"], 0)])
def test_usage(arguments, status):
    done = subprocess.run([sys.executable, ROOT / "tasks.py", *arguments], capture_output=True, text=True)
    assert done.returncode == status
    text = done.stdout if status == 0 else done.stderr
    for name in ("run", "test", "lint", "bench", "package", "short", "matrix", "lock"):
        assert f"tasks.py {name}" in text


# -- system packages ---------------------------------------------------------------------------------------------


def test_missing_packages_reads_dpkg(tasks, tmp_path, monkeypatch):
    answer = "installed libegl1\\nconfig-files libgl1\\nnot-installed xvfb\\ninstalled libglib2.0-0t64\\n"
    fake_program(tmp_path / "bin", "dpkg-query", f"printf '{answer}'; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    wanted = ["libegl1", "libgl1", "libglib2.0-0", "xvfb", "unknown-here"]
    assert tasks.missing_packages(wanted) == ["libgl1", "xvfb", "unknown-here"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="apt is for Linux")
class TestApt:
    """`ensure_system` with stand-ins for dpkg-query, apt-get and sudo that write down how they were called."""

    @pytest.fixture
    def machine(self, checkout, tasks, monkeypatch):
        folder = checkout / "bin"
        fake_program(folder, "dpkg-query", "echo 'installed libegl1'")
        fake_program(
            folder,
            "apt-get",
            f'echo "$DEBIAN_FRONTEND apt-get $*" >> {checkout}/log; test ! -e {checkout}/broken',
        )
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        monkeypatch.delenv("LIGHTLOOM_NO_APT", raising=False)
        monkeypatch.setattr(tasks.os, "geteuid", lambda: 0)
        monkeypatch.setattr(tasks.time, "sleep", lambda seconds: None)
        return checkout

    def log(self, machine):
        path = machine / "log"
        return path.read_text().splitlines() if path.exists() else []

    def test_nothing_is_called_when_all_is_there(self, tasks, machine):
        tasks.ensure_system(["libegl1"])
        assert self.log(machine) == []

    def test_only_what_is_missing_is_installed_without_a_prompt(self, tasks, machine):
        tasks.ensure_system(["libegl1", "xvfb"])
        update, install = self.log(machine)
        assert update.startswith("noninteractive apt-get")
        assert update.endswith(" update")
        assert install.startswith("noninteractive apt-get")
        assert install.endswith(" install -y --no-install-recommends xvfb")

    def test_a_failure_is_retried_once_and_then_said(self, tasks, machine, capsys):
        (machine / "broken").touch()
        with pytest.raises(tasks.TaskError, match="failed"):
            tasks.ensure_system(["xvfb"])
        assert len(self.log(machine)) == 4
        assert "trying once more" in capsys.readouterr().out

    def test_without_rights_the_command_is_named(self, tasks, machine, monkeypatch):
        monkeypatch.setattr(tasks.os, "geteuid", lambda: 1000)
        fake_program(machine / "bin", "sudo", "exit 1")
        with pytest.raises(tasks.TaskError, match=r"apt-get install -y xvfb"):
            tasks.ensure_system(["libegl1", "xvfb"])
        assert self.log(machine) == []

    def test_sudo_without_a_password_is_used(self, tasks, machine, monkeypatch):
        monkeypatch.setattr(tasks.os, "geteuid", lambda: 1000)
        fake_program(
            machine / "bin", "sudo", f'echo "sudo $*" >> {machine}/log; test "$1" = -n && shift && exec "$@"'
        )
        tasks.ensure_system(["xvfb"])
        assert self.log(machine)[0] == "sudo -n true"
        assert self.log(machine)[-1].endswith("install -y --no-install-recommends xvfb")

    def test_it_can_be_told_to_leave_the_system_alone(self, tasks, machine, monkeypatch):
        monkeypatch.setenv("LIGHTLOOM_NO_APT", "1")
        tasks.ensure_system(["xvfb"])
        assert self.log(machine) == []


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ('NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', ["ubuntu", "debian"]),
        ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', ["opensuse-leap", "suse", "opensuse"]),
        ("PRETTY_NAME=nothing else\n", []),
    ],
)
def test_families_of_a_distribution(tasks, text, families):
    assert tasks.linux_families(text) == families


def test_other_linux_families_are_told_what_to_install(tasks, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tasks, "LINUX", True)
    monkeypatch.setattr(tasks, "LIBRARIES", ["libno-such-library.so.7"])
    monkeypatch.setattr(tasks, "linux_families", lambda text: ["fedora"])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LIGHTLOOM_NO_APT", raising=False)
    tasks.ensure_system(["xvfb"])
    printed = capsys.readouterr().out
    assert "libno-such-library.so.7" in printed
    assert "dnf install" in printed


# -- the virtual environment -------------------------------------------------------------------------------------


def test_a_second_call_installs_nothing(tasks, checkout, monkeypatch):
    commands = []
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: commands.append(command))
    assert tasks.ensure_installed("run") == tasks.venv_program("python")
    assert commands.pop()[1:] == ["-m", "compileall", "-q", "lightloom", "desktop"]
    locked, checkout_itself = commands
    assert locked[1:4] == checkout_itself[1:4] == ["-m", "pip", "install"]
    assert "--require-hashes" in locked
    assert Path(locked[-1]) == tasks.find_lock("run")
    assert checkout_itself[-4:] == ["--no-deps", "--no-build-isolation", "--editable", "."]
    tasks.ensure_installed("run")
    assert len(commands) == 2


@pytest.mark.parametrize(
    ("python", "system", "machine"),
    [("3.15", "Linux", "x86_64"), ("3.12", "FreeBSD", "amd64"), ("3.12", "Linux", "aarch64")],
)
def test_without_a_lock_the_ranges_are_taken_and_it_is_said(
    tasks, checkout, monkeypatch, capsys, python, system, machine
):
    commands = []
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: commands.append(command))
    monkeypatch.setattr(tasks, "this_python", lambda: python)
    monkeypatch.setattr(tasks.platform, "system", lambda: system)
    monkeypatch.setattr(tasks.platform, "machine", lambda: machine)
    tasks.ensure_installed("run")
    assert commands[0][-2:] == ["--editable", ".[app]"]
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert f"no lock for Python {python} on {system.lower()}-" in said


@pytest.mark.parametrize(
    ("system", "machine", "version", "name"),
    [
        ("Linux", "x86_64", "2.36", "linux-x86_64"),
        ("Linux", "x86_64", "2.31", "old-linux-x86_64"),
        ("Linux", "x86_64", "", "old-linux-x86_64"),  # musl
        ("Darwin", "arm64", "14.2", "macos-arm64"),
        ("Darwin", "x86_64", "13.6.1", "old-macos-x86_64"),
        ("Windows", "AMD64", "", "windows-x86_64"),
    ],
)
def test_the_name_of_a_system(tasks, monkeypatch, system, machine, version, name):
    monkeypatch.setattr(tasks.platform, "system", lambda: system)
    monkeypatch.setattr(tasks.platform, "machine", lambda: machine)
    monkeypatch.setattr(tasks.platform, "libc_ver", lambda: ("glibc", version))
    monkeypatch.setattr(tasks.platform, "mac_ver", lambda: (version, ("", "", ""), machine))
    assert tasks.this_system() == name


def test_a_lock_is_for_the_usual_python_only(tasks, monkeypatch):
    assert tasks.find_lock("run").name == "run.txt"
    monkeypatch.setattr(
        tasks.sysconfig, "get_config_var", lambda name: 1 if name == "Py_GIL_DISABLED" else None
    )
    assert tasks.find_lock("run") is None


def test_another_python_gets_the_environment_anew(tasks, checkout, monkeypatch):
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: None)
    tasks.ensure_installed("run")
    monkeypatch.setattr(tasks, "this_python", lambda: "3.99")
    assert not tasks.is_installed("run")


def test_the_dev_extras_serve_run_too_but_not_the_other_way_round(tasks, checkout, monkeypatch):
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: None)
    tasks.ensure_installed("run")
    assert not tasks.is_installed("dev")
    tasks.ensure_installed("dev")
    (checkout / ".venv" / "installed-run.stamp").unlink()
    assert tasks.is_installed("run")


@pytest.mark.parametrize("changed", ["pyproject.toml", ".venv/pyvenv.cfg"])
def test_a_changed_project_or_interpreter_is_installed_anew(tasks, checkout, monkeypatch, changed):
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: None)
    tasks.ensure_installed("run")
    with (checkout / changed).open("a") as file:
        file.write("\n# changed\n")
    assert not tasks.is_installed("run")


def test_a_failed_installation_is_shown_whole_and_leaves_no_stamp(tasks, checkout, monkeypatch, capsys):
    pip = [sys.executable, "-c", "print('line 1'); print('no route to host'); raise SystemExit(7)"]
    original = tasks.work
    monkeypatch.setattr(tasks.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(
        tasks, "work", lambda title, command, attempts=1: original(title, pip, attempts=attempts)
    )
    with pytest.raises(tasks.TaskError, match=r"exit status 7.*check the network connection"):
        tasks.ensure_installed("run")
    assert capsys.readouterr().out.count("line 1\nno route to host") == 2
    assert not tasks.is_installed("run")


def test_an_environment_is_usable_if_its_python_runs_and_has_pip(tasks, tmp_path):
    fake_program(tmp_path / "bin", "good", f'exec {sys.executable} "$@"')
    fake_program(tmp_path / "bin", "no-pip", "exit 1")
    assert tasks._is_usable(tmp_path / "bin" / "good")
    assert not tasks._is_usable(tmp_path / "bin" / "no-pip")
    assert not tasks._is_usable(tmp_path / "bin" / "gone")


def test_an_environment_that_does_not_run_is_made_again(tasks, checkout, monkeypatch):
    tasks.venv_program("python").unlink()
    tasks.venv_program("python").symlink_to(checkout / "gone")
    titles = []
    monkeypatch.setattr(tasks, "work", lambda title, command, attempts=1: titles.append(title))
    tasks.ensure_installed("run")
    assert "virtual environment" in titles[0]
    assert len(titles) == 4


# -- the short suite on every Python -----------------------------------------------------------------------------


def test_pythons_are_found_on_the_path_and_in_pyenv_if_they_start(tasks, tmp_path, monkeypatch):
    this = tasks.this_python()
    others = [version for version in tasks.LOCKED_PYTHONS if version != this]
    versions = tmp_path / "pyenv" / "versions"
    for version in ("3.9", *others):
        # A shim of pyenv for a version that is not chosen.
        fake_program(tmp_path / "bin", f"python{version}", "echo 'command not found'; exit 127")
    for name, answer in ((f"{others[0]}.1", others[0]), (f"{others[1]}.4", "3.9")):
        (versions / name).mkdir(parents=True)
        fake_program(versions / name / "bin", "python3", f"echo {answer}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(tasks, "_is_python", _unless_of_the_system(tasks._is_python, tmp_path))
    assert tasks.find_pythons() == {
        this: sys.executable,
        others[0]: str(versions / f"{others[0]}.1" / "bin" / "python3"),
    }


def _unless_of_the_system(is_python, folder):
    return lambda program, version: program.startswith(str(folder)) and is_python(program, version)


@pytest.mark.parametrize(
    ("script", "status", "last"),
    [
        ("echo '2 failed, 3 passed, 1 skipped in 1.0s'; exit 1", 1, "9 passed, 6 failed"),
        ("echo '4 passed, 7 deselected in 1.0s'", 0, "12 passed, 0 failed"),
        ("echo 'pip failed'; exit 1", 1, "0 passed, 3 failed"),
        # What failed, once more.
        ("echo '1 failed, 3 passed in 1.0s'; echo '1 passed in 1.0s'", 0, "12 passed, 0 failed"),
        (
            "echo '2 failed, 2 passed in 1.0s'; echo '1 failed, 1 passed in 1.0s'; exit 1",
            1,
            "9 passed, 3 failed",
        ),
    ],
)
def test_the_matrix_adds_up_and_fails_with_any(tasks, tmp_path, monkeypatch, capsys, script, status, last):
    fake_program(tmp_path / "bin", "python", script)
    program = str(tmp_path / "bin" / "python")
    monkeypatch.setattr(tasks, "find_pythons", lambda: {"3.12": program, "3.13": program})
    monkeypatch.setattr(tasks, "this_python", lambda: "3.12")
    assert tasks.task_matrix(["all"]) == status
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == last
    assert any("3.11, 3.14" in line for line in printed)
    rows = [line.split()[:2] for line in printed[-4:-1]]
    # The newest of this Python are those of `test`.
    assert rows == [["3.12", "lowest"], ["3.13", "newest"], ["3.13", "lowest"]]


@pytest.mark.parametrize(
    ("this", "expected"),
    [("3.11", [["3.11", "lowest"], ["3.13", "newest"]]), ("3.13", [["3.11", "lowest"]])],
)
def test_the_matrix_has_the_ends_of_what_is_supported(tasks, tmp_path, monkeypatch, capsys, this, expected):
    fake_program(tmp_path / "bin", "python", "echo '4 passed in 1.0s'")
    program = str(tmp_path / "bin" / "python")
    monkeypatch.setattr(tasks, "find_pythons", lambda: dict.fromkeys(("3.11", "3.12", "3.13"), program))
    monkeypatch.setattr(tasks, "this_python", lambda: this)
    assert tasks.task_matrix([]) == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines() if " ok " in line]
    assert rows == expected
    with pytest.raises(tasks.TaskError, match="'all' or nothing"):
        tasks.task_matrix(["some"])


# -- a screen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
    ],
)
def test_a_display_is_known_by_the_environment(tasks, monkeypatch, environment, expected):
    monkeypatch.setattr(tasks, "LINUX", True)
    assert tasks.has_display(environment) is expected
    monkeypatch.setattr(tasks, "LINUX", False)
    assert tasks.has_display(environment)


HOLD_A_SCREEN = """
import importlib.util, signal, sys, time
# A shell that starts the tests in the background hands on an ignored SIGINT, and Python then leaves it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
specification = importlib.util.spec_from_file_location("tasks", sys.argv[1])
tasks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tasks)
def hold(arguments):
    with tasks.screens(2) as environment:
        print(environment["LIGHTLOOM_DISPLAYS"], environment["XDG_RUNTIME_DIR"], flush=True)
        time.sleep(60)
tasks.TASKS["run"] = hold
sys.exit(tasks.main(["run"]))
"""


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_xvfb_ends_with_the_task(number, status):
    environment = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
    }
    command = [sys.executable, "-c", HOLD_A_SCREEN, str(ROOT / "tasks.py")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as holder:
        *displays, runtime = holder.stdout.readline().split()
        sockets = [Path(f"/tmp/.X11-unix/X{display[1:]}") for display in displays]
        assert len(set(sockets)) == 2 and all(socket.exists() for socket in sockets)
        assert Path(runtime).stat().st_mode & 0o777 == 0o700
        holder.send_signal(number)
        assert holder.wait(timeout=LIMIT_S) == status
    until(lambda: not any(socket.exists() for socket in sockets))
    assert not Path(runtime).exists()


# -- run without a display ---------------------------------------------------------------------------------------


REPORT = {
    "frames": 150, "dropped": 3, "fps": 24.56, "latency_ms": {"p50": 40.1, "p95": 51.25, "p99": 60.0},
    "stages": [{"name": "color", "gpu_ms": 0.5, "cpu_ms": 0.06}, {"name": "bloom", "gpu_ms": None, "cpu_ms": 12.0}],
    "adapter": "llvmpipe", "backend": "Vulkan", "upload_bytes_per_frame": 345600, "readback_bytes_per_frame": 64,
}  # fmt: skip


def test_the_report_as_a_table(tasks):
    assert tasks.format_report(REPORT).splitlines() == [
        "stage    GPU ms    CPU ms",
        "color      0.50      0.06",
        "bloom         -     12.00",
        "",
        "150 frames, 3 dropped, 24.6 FPS",
        "latency p50 40.10 ms, p95 51.25 ms, p99 60.00 ms",
        "345,600 bytes uploaded and 64 read back a frame",
        "adapter  llvmpipe",
        "backend  Vulkan",
    ]


def test_run_without_a_display_takes_one_input(tasks, monkeypatch):
    monkeypatch.setattr(tasks, "prepare", lambda group: Path(sys.executable))
    monkeypatch.setattr(tasks, "has_display", lambda environment: False)
    for arguments in (["a.mp4", "b.mp4"], ["--filter"]):
        with pytest.raises(tasks.TaskError, match="one input"):
            tasks.task_run(arguments)


def test_run_hands_arguments_and_exit_status_through(tasks, monkeypatch, tmp_path):
    fake_program(tmp_path / "bin", "python", f'echo "$*" > {tmp_path}/log; exit 5')
    monkeypatch.setattr(tasks, "prepare", lambda group: tmp_path / "bin" / "python")
    monkeypatch.setattr(tasks, "has_display", lambda environment: True)
    assert tasks.task_run(["clip.mp4", "--x"]) == 5
    assert (tmp_path / "log").read_text() == "-P -m desktop clip.mp4 --x\n"


def test_run_without_a_display_processes_the_sample(tasks, checkout, monkeypatch, capfd):
    (checkout / "report").write_text(json.dumps(REPORT))
    # The stand-in for `lightloom process` writes down its arguments and leaves the report where it was asked to.
    script = f'echo "$*" > {checkout}/log; cp {checkout}/report {checkout}/out/sample.json'
    fake_program(checkout / "bin", "python", script)
    monkeypatch.setattr(tasks, "prepare", lambda group: checkout / "bin" / "python")
    monkeypatch.setattr(tasks, "has_display", lambda environment: False)
    assert tasks.task_run([]) == 0
    command = (checkout / "log").read_text()
    assert command.startswith(
        f"-P -m desktop process {tasks.HEADLESS_SOURCE} -o {checkout}/out/sample.mp4 --filter "
    )
    for name in tasks.HEADLESS_FILTERS:
        assert f"--filter {name} " in command
        assert (ROOT / "shaders" / "filters" / f"{name}.wgsl").exists()
    printed = capfd.readouterr().out
    assert "No display" in printed
    assert tasks.format_report(REPORT) in printed
    for ending in ("mp4", "png", "json"):
        assert str(checkout / "out" / f"sample.{ending}") in printed


def test_run_without_a_display_does_not_show_an_old_report(tasks, checkout, monkeypatch, capfd):
    (checkout / "out").mkdir()
    (checkout / "out" / "sample.json").write_text(json.dumps(REPORT))
    fake_program(checkout / "bin", "python", "echo one sentence >&2; exit 1")
    monkeypatch.setattr(tasks, "prepare", lambda group: checkout / "bin" / "python")
    monkeypatch.setattr(tasks, "has_display", lambda environment: False)
    assert tasks.task_run([]) == 1
    assert "FPS" not in capfd.readouterr().out
    assert not (checkout / "out" / "sample.json").exists()


# -- test --------------------------------------------------------------------------------------------------------


@pytest.fixture
def suite(tasks, checkout, monkeypatch):
    """A Python that answers the adapter check with `check`, and pytest with `pytest`: files that hold exit statuses."""
    (checkout / "check").write_text("0")
    (checkout / "pytest").write_text("0")
    script = f"""
    echo "$*" >> {checkout}/log
    case "$*" in "-m pytest"*) exit $(cat {checkout}/pytest);; "-c "*) exit $(cat {checkout}/check);; esac
    """
    fake_program(checkout / "bin", "python", script)
    monkeypatch.setattr(tasks, "prepare", lambda group: checkout / "bin" / "python")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(tasks, "_lint", lambda python: 0)
    return checkout


@pytest.mark.parametrize("status", [0, 1, 2, 5])
def test_the_exit_status_is_pytests(tasks, suite, status):
    (suite / "pytest").write_text(str(status))
    assert tasks.task_test([]) == status


def test_a_failed_lint_fails_the_task_after_the_tests_ran(tasks, suite, monkeypatch):
    monkeypatch.setattr(tasks, "_lint", lambda python: 1)
    assert tasks.task_test([]) == 1
    assert "-m pytest" in (suite / "log").read_text()


def test_arguments_go_to_pytest_alone(tasks, suite, monkeypatch):
    monkeypatch.setattr(tasks, "_lint", lambda python: pytest.fail("lint ran"))
    assert tasks.task_test(["tests/cpu", "-k", "shader"]) == 0
    assert "-m pytest tests/cpu -k shader\n" in (suite / "log").read_text()


def test_without_an_adapter_no_test_runs(tasks, suite):
    (suite / "check").write_text("1")
    with pytest.raises(tasks.TaskError, match="adapter"):
        tasks.task_test([])
    assert "-m pytest" not in (suite / "log").read_text()


UNSTEADY = """
import os
def test_alone():
    assert "PYTEST_XDIST_WORKER" not in os.environ
"""
BROKEN = """
import pytest
@pytest.mark.parametrize("number", range({count}))
def test_broken(number):
    assert False
"""


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ({"unsteady": UNSTEADY}, 0, "UNSTEADY"),
        ({"unsteady": UNSTEADY, "broken": BROKEN.format(count=1)}, 1, "2 of the tests failed"),
        ({"broken": BROKEN.format(count=11)}, 1, ""),
        ({"unsteady": "def test_alone(): pass"}, 0, ""),
    ],
)
def test_what_fails_beside_others_runs_once_more_alone(
    tasks, tmp_path, monkeypatch, capfd, files, status, said
):
    monkeypatch.setattr(tasks, "ROOT", tmp_path)
    for name, text in files.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    # What is left out fails, so that it would be seen.
    (tmp_path / "test_slow.py").write_text("def test_at_night(): raise RuntimeError\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "nightly.txt").write_text("test_slow.py::test_at_night\n")
    # What an earlier run has left is none of this one's.
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"test_gone.py::test_gone": true}')
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    assert tasks._test_all(sys.executable, environment) == status
    printed = capfd.readouterr().out
    assert said in printed and ("once more" in printed) == bool(said)


# A test's process that starts a program, as a server of its own, and crashes.
LEAVE_A_PROGRAM = """
import importlib.util, os, subprocess, sys
specification = importlib.util.spec_from_file_location("tasks", sys.argv[1])
tasks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tasks)
crashes = "import os, subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True); os.kill(os.getpid(), 11)"
environment = dict(os.environ)
with tasks.leftovers_ended(environment):
    sys.exit(tasks.call([sys.executable, "-c", crashes], environment))
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="processes' environments are read from /proc"
)
def test_what_a_crashed_process_left_running_does_not_keep_the_output_open(tasks):
    command = [sys.executable, "-c", LEAVE_A_PROGRAM, str(ROOT / "tasks.py")]
    # It reads to the end of the output, which "sleep" has inherited.
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 139
    assert done.stdout == "-- sleep was left running by a test; it is ended\n"


def test_the_end_of_a_program_by_a_signal_is_a_failure(tasks):
    assert tasks.call([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]) == 137


# -- lint and bench ----------------------------------------------------------------------------------------------


def test_all_linters_run_after_one_has_failed(tasks, checkout, monkeypatch, capfd):
    fake_program(checkout / "bin", "python", 'case "$*" in *"ruff check"*) echo "the finding"; exit 1;; esac')
    fake_program(checkout / ".venv" / "bin", "lint-imports", "exit 0")
    assert tasks._lint(checkout / "bin" / "python") == 1
    printed = capfd.readouterr().out
    assert "the finding" in printed
    assert printed.count("FAILED") == 1
    assert printed.count(" ok ") == 3


def test_bench_knows_its_names(tasks, checkout, monkeypatch):
    (checkout / "benchmarks").mkdir()
    (checkout / "benchmarks" / "startup.py").touch()
    (checkout / "benchmarks" / "_shared.py").touch()
    commands = []
    monkeypatch.setattr(tasks, "prepare", lambda group: Path("python"))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(
        tasks, "call", lambda command, environment: commands.append([str(c) for c in command]) or 0
    )
    assert tasks.task_bench(["--json"]) == 0
    assert [command[1:] for command in commands] == [
        ["-P", "-m", "desktop", "bench", "pipeline", "--json"],
        [str(checkout / "benchmarks" / "startup.py"), "--json"],
    ]
    with pytest.raises(tasks.TaskError, match="pipeline, startup"):
        tasks.task_bench(["startpu"])


@pytest.mark.parametrize("name", ["short.txt", "nightly.txt"])
def test_lists_name_tests_that_are_there(name):
    """A renamed test would end the matrix on every Python before its first test, and a night's run."""
    lines = [line for line in (ROOT / "tests" / name).read_text().splitlines() if line]
    assert len(lines) > 20
    for line in lines:
        path, _, name = line.partition("::")
        assert (ROOT / path).is_file(), line
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(), line
