"""tasks.py: what it decides (packages, displays, stamps, tables), and that it stays within the standard
library.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import LIMIT_S, until

import tasks

ROOT = Path(__file__).resolve().parents[2]


# As `platform` says it, of the machine that the locks are for and that all but a few tests are about.
LINUX = "linux-x86_64"


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A checkout in a folder of its own, on a Linux with a display, whose Pythons only write their arguments
    into a file "log".
    """
    monkeypatch.setenv("LIGHTLOOM_NO_APT", "1")
    monkeypatch.delenv("LIGHTLOOM_TRAINING", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "packaging").symlink_to(ROOT / "packaging")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "nightly.txt").write_text("tests/test_slow.py\n")
    host = tasks.Host(
        root=tmp_path,
        python=str(tmp_path / "bin" / "python"),
        version=(3, 12, 4),
        is_usual_python=True,
        system=LINUX,
        is_root=True,
        os_release=tmp_path / "os-release",
        retry_s=0.0,
    )
    fake_program(tmp_path / "bin", "python", f'echo "$*" >> {tmp_path}/log')
    venv_python(host)
    fake_program(tmp_path / ".venv" / "bin", "lint-imports", "exit 0")
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("version = 3.12.4\n")
    return host


@pytest.fixture
def installed(host):
    """The same, with everything installed already and an empty log."""
    tasks.ensure_installed(host, "dev")
    (host.root / "log").unlink()
    return host


def venv_python(host, script=""):
    """Make the Python of a host's environment a shell script; its arguments are in the log."""
    fake_program(host.venv / "bin", "python", f'echo "$*" >> {host.root}/log\n{script}')


def log(host):
    """What the Pythons and programs of a host were called with, a line each."""
    path = host.root / "log"
    return path.read_text().splitlines() if path.exists() else []


def installations(host):
    """What was made in a host's environment, in order; whether it is usable was asked as well."""
    return [line for line in log(host) if not line.startswith("-c ")]


def fake_program(folder, name, script):
    """Put a shell script named `name` into `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
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


def test_an_old_python_gets_one_sentence(host, capsys):
    assert tasks.main(["run"], replace(host, version=(3, 9, 2))) == 1
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


# -- system packages -----------------------------------------------------------------------------------------


def test_missing_packages_reads_dpkg(tmp_path, monkeypatch):
    answer = "installed libegl1\\nconfig-files libgl1\\nnot-installed xvfb\\ninstalled libglib2.0-0t64\\n"
    fake_program(tmp_path / "bin", "dpkg-query", f"printf '{answer}'; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    wanted = ["libegl1", "libgl1", "libglib2.0-0", "xvfb", "unknown-here"]
    assert tasks.missing_packages(wanted) == ["libgl1", "xvfb", "unknown-here"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="apt is for Linux")
class TestApt:
    """`ensure_system` with stand-ins for dpkg-query, apt-get and sudo that write down how they were called."""

    @pytest.fixture
    def machine(self, host, monkeypatch):
        folder = host.root / "bin"
        fake_program(folder, "dpkg-query", "echo 'installed libegl1'")
        fake_program(
            folder,
            "apt-get",
            f'echo "$DEBIAN_FRONTEND apt-get $*" >> {host.root}/log; test ! -e {host.root}/broken',
        )
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        monkeypatch.delenv("LIGHTLOOM_NO_APT")
        return host

    def test_nothing_is_called_when_all_is_there(self, machine):
        tasks.ensure_system(machine, ["libegl1"])
        assert log(machine) == []

    def test_only_what_is_missing_is_installed_without_a_prompt(self, machine):
        tasks.ensure_system(machine, ["libegl1", "xvfb"])
        update, install = log(machine)
        assert update.startswith("noninteractive apt-get")
        assert update.endswith(" update")
        assert install.startswith("noninteractive apt-get")
        assert install.endswith(" install -y --no-install-recommends xvfb")

    def test_a_failure_is_retried_once_and_then_said(self, machine, capsys):
        (machine.root / "broken").touch()
        with pytest.raises(tasks.TaskError, match="failed"):
            tasks.ensure_system(machine, ["xvfb"])
        assert len(log(machine)) == 4
        assert "trying once more" in capsys.readouterr().out

    def test_without_rights_the_command_is_named(self, machine):
        fake_program(machine.root / "bin", "sudo", "exit 1")
        with pytest.raises(tasks.TaskError, match=r"apt-get install -y xvfb"):
            tasks.ensure_system(replace(machine, is_root=False), ["libegl1", "xvfb"])
        assert log(machine) == []

    def test_sudo_without_a_password_is_used(self, machine):
        script = f'echo "sudo $*" >> {machine.root}/log; test "$1" = -n && shift && exec "$@"'
        fake_program(machine.root / "bin", "sudo", script)
        tasks.ensure_system(replace(machine, is_root=False), ["xvfb"])
        assert log(machine)[0] == "sudo -n true"
        assert log(machine)[-1].endswith("install -y --no-install-recommends xvfb")

    def test_it_can_be_told_to_leave_the_system_alone(self, machine, monkeypatch):
        monkeypatch.setenv("LIGHTLOOM_NO_APT", "1")
        tasks.ensure_system(machine, ["xvfb"])
        assert log(machine) == []


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ('NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', ["ubuntu", "debian"]),
        ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', ["opensuse-leap", "suse", "opensuse"]),
        ("PRETTY_NAME=nothing else\n", []),
    ],
)
def test_families_of_a_distribution(text, families):
    assert tasks.linux_families(text) == families


def test_other_linux_families_are_told_what_to_install(host, tmp_path, monkeypatch, capsys):
    (tmp_path / "os-release").write_text("ID=nobara\nID_LIKE=fedora\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LIGHTLOOM_NO_APT")
    tasks.ensure_system(replace(host, libraries=["libno-such-library.so.7"]), ["xvfb"])
    printed = capsys.readouterr().out
    assert "libno-such-library.so.7" in printed
    assert "dnf install" in printed


# -- the virtual environment ---------------------------------------------------------------------------------


def test_a_second_call_installs_nothing(host):
    assert tasks.ensure_installed(host, "run") == host.program("python")
    locked, checkout_itself, compiled = (line.split() for line in installations(host))
    assert compiled == ["-m", "compileall", "-q", "lightloom", "desktop"]
    assert locked[:3] == checkout_itself[:3] == ["-m", "pip", "install"]
    assert "--require-hashes" in locked
    assert Path(locked[-1]) == tasks.find_lock(host, "run")
    assert checkout_itself[-4:] == ["--no-deps", "--no-build-isolation", "--editable", "."]
    before = log(host)
    tasks.ensure_installed(host, "run")
    assert log(host) == before


@pytest.mark.parametrize(
    ("version", "system"),
    [((3, 15, 0), LINUX), ((3, 12, 0), "freebsd-amd64"), ((3, 12, 0), "linux-aarch64")],
)
def test_without_a_lock_the_ranges_are_taken_and_it_is_said(host, capsys, version, system):
    tasks.ensure_installed(replace(host, version=version, system=system), "run")
    assert installations(host)[0].endswith("--editable .[app]")
    said = [line for line in capsys.readouterr().out.splitlines() if "no lock" in line]
    assert len(said) == 1
    assert f"no lock for Python {version[0]}.{version[1]} on {system}:" in said[0]


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
def test_the_name_of_a_system(system, machine, version, name):
    assert tasks.system_name(system, machine, version, version) == name


def test_a_host_is_this_process_by_default():
    host = tasks.Host()
    assert (host.root, host.python, host.version) == (ROOT, sys.executable, sys.version_info[:3])
    assert host.is_linux == sys.platform.startswith("linux")


def test_a_lock_is_for_the_usual_python_only(host):
    assert tasks.find_lock(host, "run").name == "run.txt"
    assert tasks.find_lock(replace(host, is_usual_python=False), "run") is None


def test_another_python_gets_the_environment_anew(host):
    tasks.ensure_installed(host, "run")
    assert tasks.is_installed(host, "run")
    assert not tasks.is_installed(replace(host, version=(3, 99, 0)), "run")


def test_the_dev_extras_serve_run_too_but_not_the_other_way_round(host):
    tasks.ensure_installed(host, "run")
    assert not tasks.is_installed(host, "dev")
    tasks.ensure_installed(host, "dev")
    (host.venv / "installed-run.stamp").unlink()
    assert tasks.is_installed(host, "run")


@pytest.mark.parametrize("changed", ["pyproject.toml", ".venv/pyvenv.cfg"])
def test_a_changed_project_or_interpreter_is_installed_anew(host, changed):
    tasks.ensure_installed(host, "run")
    with (host.root / changed).open("a") as file:
        file.write("\n# changed\n")
    assert not tasks.is_installed(host, "run")


def test_the_window_of_a_fresh_checkout_speaks_german_once_a_task_has_run(installed):
    """Nothing compiled is in the repository."""
    root = installed.root
    shutil.copytree(ROOT / "desktop", root / "desktop", ignore=shutil.ignore_patterns("__pycache__"))
    translations = root / "assets" / "translations"
    translations.mkdir(parents=True)
    for path in (ROOT / "assets" / "translations").glob("*.ts"):
        shutil.copy(path, translations)

    def start_output():
        program = (
            "from PySide6.QtCore import QCoreApplication; from desktop.ui.kit import language;"
            "print(language.install(QCoreApplication([]), 'de'), language.translated('&File'))"
        )
        environment = {**os.environ, "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=True, timeout=LIMIT_S
        )
        return done.stdout.strip(), done.stderr.strip()

    shown, logged = start_output()
    assert shown == "en &File"
    assert "lightloom_de.qm" in logged and "tasks.py run" in logged and "\n" not in logged
    assert tasks.task_run(installed, ["--version"]) == 0
    assert start_output() == ("de &Datei", "")


def test_a_failed_installation_is_shown_whole_and_leaves_no_stamp(host, capsys):
    venv_python(host, 'case "$*" in *"pip install"*) echo "line 1"; echo "no route to host"; exit 7;; esac')
    with pytest.raises(tasks.TaskError, match=r"exit status 7.*check the network connection"):
        tasks.ensure_installed(host, "run")
    assert capsys.readouterr().out.count("line 1\nno route to host") == 2
    assert not tasks.is_installed(host, "run")


@pytest.mark.parametrize("fault", ["gone", "no pip"])
def test_an_environment_that_does_not_run_or_has_no_pip_is_made_again(host, fault):
    good = host.program("python").read_text()
    host.program("python").unlink()
    if fault == "no pip":
        fake_program(host.venv / "bin", "python", "exit 1")
    # The stand-in for `python -m venv` leaves one that works.
    (host.root / "good").write_text(good)
    script = (
        f'echo "$*" >> {host.root}/log; cp {host.root}/good {host.venv}/bin/python; '
        f"chmod +x {host.venv}/bin/python"
    )
    fake_program(host.root / "bin", "python", script)
    tasks.ensure_installed(host, "run")
    assert installations(host)[0] == f"-m venv --clear {host.venv}"
    assert len(installations(host)) == 4


def test_whether_an_environment_is_usable_is_asked_of_its_python(host):
    """The question is one that a real Python answers by its exit status."""
    tasks.ensure_installed(host, "run")
    question = next(line for line in log(host) if line.startswith("-c ")).removeprefix("-c ")
    usable = f"{sys.version_info[0]}, {sys.version_info[1]}"
    for version, status in (("3, 12", int(usable != "3, 12")), (usable, 0), ("3, 99", 1)):
        done = subprocess.run([sys.executable, "-c", question.replace("3, 12", version)], check=False)
        assert done.returncode == status


# -- the short suite on every Python -------------------------------------------------------------------------


def test_pythons_are_found_on_the_path_and_in_pyenv_if_they_start(host, tmp_path, monkeypatch):
    others = [version for version in tasks.LOCKED_PYTHONS if version != "3.12"]
    versions = tmp_path / "pyenv" / "versions"
    for version in ("3.9", *others):
        # A shim of pyenv for a version that is not chosen.
        fake_program(tmp_path / "bin", f"python{version}", "echo 'command not found'; exit 127")
    for name, answer in ((f"{others[0]}.1", others[0]), (f"{others[1]}.4", "3.9")):
        fake_program(versions / name / "bin", "python3", f"echo {answer}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert tasks.find_pythons(host) == {
        "3.12": host.python,
        others[0]: str(versions / f"{others[0]}.1" / "bin" / "python3"),
    }


@pytest.fixture
def pythons(host, monkeypatch):
    """Make the Pythons of a list, which answer the short suite with a shell script; the first is the host's."""
    monkeypatch.setenv("PATH", f"{host.root / 'bin'}")
    monkeypatch.setenv("PYENV_ROOT", str(host.root / "none"))

    def make(versions, script):
        for version in versions:
            answer = f'case "$*" in "-c "*) echo {version}; exit 0;; esac'
            fake_program(host.root / "bin", f"python{version}", f"{answer}\n{script}")
        own = host.root / "bin" / f"python{versions[0]}"
        return replace(host, version=(*map(int, versions[0].split(".")), 0), python=str(own))

    return make


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
def test_the_matrix_adds_up_and_fails_with_any(pythons, capsys, script, status, last):
    assert tasks.task_matrix(pythons(["3.12", "3.13"], script), ["all"]) == status
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
def test_the_matrix_has_the_ends_of_what_is_supported(pythons, capsys, this, expected):
    versions = sorted(("3.11", "3.12", "3.13"), key=lambda version: version != this)
    host = pythons(versions, "echo '4 passed in 1.0s'")
    assert tasks.task_matrix(host, []) == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines() if " ok " in line]
    assert rows == expected
    with pytest.raises(tasks.TaskError, match="'all' or nothing"):
        tasks.task_matrix(host, ["some"])


# -- a screen ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
    ],
)
def test_a_display_is_known_by_the_environment(host, environment, expected):
    assert host.has_display(environment) is expected
    for system in ("macos-arm64", "windows-x86_64"):
        assert replace(host, system=system).has_display(environment)


HOLD_A_SCREEN = """
import signal, sys, time
import tasks
# A shell that starts the tests in the background hands on an ignored SIGINT, and Python then leaves it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
def hold(host, arguments):
    with tasks.screens(host, 2) as environment:
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
    command = [sys.executable, "-c", HOLD_A_SCREEN]
    with subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        *displays, runtime = holder.stdout.readline().split()
        sockets = [Path(f"/tmp/.X11-unix/X{display[1:]}") for display in displays]
        assert len(set(sockets)) == 2 and all(socket.exists() for socket in sockets)
        assert Path(runtime).stat().st_mode & 0o777 == 0o700
        holder.send_signal(number)
        assert holder.wait(timeout=LIMIT_S) == status
    until(lambda: not any(socket.exists() for socket in sockets))
    assert not Path(runtime).exists()


# -- run without a display -----------------------------------------------------------------------------------


REPORT = {
    "frames": 150, "dropped": 3, "fps": 24.56, "latency_ms": {"p50": 40.1, "p95": 51.25, "p99": 60.0},
    "stages": [{"name": "color", "gpu_ms": 0.5, "cpu_ms": 0.06}, {"name": "bloom", "gpu_ms": None, "cpu_ms": 12.0}],
    "adapter": "llvmpipe", "backend": "Vulkan", "upload_bytes_per_frame": 345600, "readback_bytes_per_frame": 64,
}  # fmt: skip


def test_the_report_as_a_table():
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


@pytest.fixture
def headless(installed, monkeypatch):
    """An installed host without a display."""
    monkeypatch.delenv("DISPLAY")
    return installed


def test_run_without_a_display_takes_one_input(headless):
    for arguments in (["a.mp4", "b.mp4"], ["--filter"]):
        with pytest.raises(tasks.TaskError, match="one input"):
            tasks.task_run(headless, arguments)


def test_run_hands_arguments_and_exit_status_through(installed):
    venv_python(installed, "exit 5")
    assert tasks.task_run(installed, ["clip.mp4", "--x"]) == 5
    assert log(installed) == ["-P -m desktop clip.mp4 --x"]


def test_run_without_a_display_processes_the_sample(headless, capfd):
    root = headless.root
    (root / "report").write_text(json.dumps(REPORT))
    # The stand-in for `lightloom process` leaves the report where it was asked to.
    venv_python(headless, f"cp {root}/report {root}/out/sample.json")
    assert tasks.task_run(headless, []) == 0
    (command,) = log(headless)
    assert command.startswith(
        f"-P -m desktop process {tasks.HEADLESS_SOURCE} -o {root}/out/sample.mp4 --filter "
    )
    for name in tasks.HEADLESS_FILTERS:
        assert f"--filter {name} " in command
        assert (ROOT / "shaders" / "filters" / f"{name}.wgsl").exists()
    printed = capfd.readouterr().out
    assert "No display" in printed
    assert tasks.format_report(REPORT) in printed
    for ending in ("mp4", "png", "json"):
        assert str(root / "out" / f"sample.{ending}") in printed


def test_run_without_a_display_does_not_show_an_old_report(headless, capfd):
    report = headless.root / "out" / "sample.json"
    report.parent.mkdir()
    report.write_text(json.dumps(REPORT))
    venv_python(headless, "echo one sentence >&2; exit 1")
    assert tasks.task_run(headless, []) == 1
    assert "FPS" not in capfd.readouterr().out
    assert not report.exists()


# -- test ----------------------------------------------------------------------------------------------------


@pytest.fixture
def suite(installed):
    """A host whose Python answers the adapter check with `check`, pytest with `pytest` and ruff with `ruff`:
    files of exit statuses.
    """
    root = installed.root
    for name in ("check", "pytest", "ruff"):
        (root / name).write_text("0")
    script = f"""
    case "$*" in
        "-m pytest"*) exit $(cat {root}/pytest);;
        "-c "*) exit $(cat {root}/check);;
        "-m ruff check"*) echo "the finding"; exit $(cat {root}/ruff);;
    esac
    """
    venv_python(installed, script)
    return installed


@pytest.mark.parametrize("status", [0, 1, 2, 5])
def test_the_exit_status_is_pytests(suite, status):
    (suite.root / "pytest").write_text(str(status))
    assert tasks.task_test(suite, []) == status


def test_a_failed_lint_fails_the_task_after_the_tests_ran(suite):
    (suite.root / "ruff").write_text("1")
    assert tasks.task_test(suite, []) == 1
    assert any(line.startswith("-m pytest") for line in log(suite))


def test_arguments_go_to_pytest_alone(suite):
    assert tasks.task_test(suite, ["tests/cpu", "-k", "shader"]) == 0
    check, tested = (line for line in log(suite) if line.startswith("-"))
    assert check.startswith("-c") and tested == "-m pytest tests/cpu -k shader"


def test_without_an_adapter_no_test_runs(suite):
    (suite.root / "check").write_text("1")
    with pytest.raises(tasks.TaskError, match="adapter"):
        tasks.task_test(suite, [])
    assert not any(line.startswith("-m pytest") for line in log(suite))


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
    installed, tmp_path, monkeypatch, capfd, files, status, said
):
    venv_python(installed, f'case "$*" in "-m pytest"*) exec {sys.executable} "$@";; esac')
    for name, text in files.items():
        (tmp_path / "tests" / f"test_{name}.py").write_text(text)
    # What is left out fails, so that it would be seen.
    (tmp_path / "tests" / "test_slow.py").write_text("def test_at_night(): raise RuntimeError\n")
    (tmp_path / "tests" / "nightly.txt").write_text("tests/test_slow.py::test_at_night\n")
    # What an earlier run has left is none of this one's.
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"test_gone.py::test_gone": true}')
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)
    assert tasks.task_test(installed, []) == status
    printed = capfd.readouterr().out
    assert said in printed and ("once more" in printed) == bool(said)


# A test's process that starts a program, as a server of its own, and crashes.
LEAVE_A_PROGRAM = """
import os, subprocess, sys
import tasks
crashes = "import os, subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True); os.kill(os.getpid(), 11)"
environment = dict(os.environ)
with tasks.leftovers_ended(environment):
    sys.exit(tasks.call([sys.executable, "-c", crashes], environment, folder=tasks.Host().root))
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="processes' environments are read from /proc"
)
def test_what_a_crashed_process_left_running_does_not_keep_the_output_open():
    command = [sys.executable, "-c", LEAVE_A_PROGRAM]
    # It reads to the end of the output, which "sleep" has inherited.
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 139
    assert done.stdout == "-- sleep was left running by a test; it is ended\n"


def test_the_end_of_a_program_by_a_signal_is_a_failure(tmp_path):
    assert tasks.call([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], folder=tmp_path) == 137


# -- lint and bench ------------------------------------------------------------------------------------------


def test_all_linters_run_after_one_has_failed(suite, capfd):
    (suite.root / "ruff").write_text("1")
    assert tasks.task_lint(suite, []) == 1
    printed = capfd.readouterr().out
    assert "the finding" in printed
    assert printed.count("FAILED") == 1
    assert printed.count(" ok ") == 6


def test_the_status_of_a_linter_that_printed_nothing_is_told(suite, capfd):
    fake_program(suite.venv / "bin", "lint-imports", "kill -s SEGV $$")
    assert tasks.task_lint(suite, []) == 1
    assert "import contracts printed nothing and ended with status -11\n" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("version", "options"),
    [((3, 11, 7), ""), ((3, 12, 4), " --python-version 3.12 --no-warn-unused-ignores")],
)
def test_types_are_checked_for_the_python_whose_packages_are_there(suite, version, options):
    assert tasks.task_lint(replace(suite, version=version), []) == 0
    assert f"-m mypy{options}" in log(suite)


def test_bench_knows_its_names(installed):
    (installed.root / "benchmarks").mkdir()
    (installed.root / "benchmarks" / "startup.py").touch()
    (installed.root / "benchmarks" / "_shared.py").touch()
    assert tasks.task_bench(installed, ["--json"]) == 0
    assert log(installed) == [
        "-P -m desktop bench pipeline --json",
        f"{installed.root / 'benchmarks' / 'startup.py'} --json",
    ]
    with pytest.raises(tasks.TaskError, match="pipeline, startup"):
        tasks.task_bench(installed, ["startpu"])


@pytest.mark.parametrize("name", ["short.txt", "nightly.txt"])
def test_lists_name_tests_that_are_there(name):
    """A renamed test would end the matrix on every Python before its first test, and a night's run."""
    lines = [line for line in (ROOT / "tests" / name).read_text().splitlines() if line]
    assert len(lines) > 20
    for line in lines:
        path, _, name = line.partition("::")
        assert (ROOT / path).is_file(), line
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(), line


def test_the_nightly_list_names_cases_that_are_there():
    """pytest knows each of them: other parameters have other names in brackets."""
    lines = (ROOT / "tests" / "nightly.txt").read_text().splitlines()
    cases = [line for line in lines if "[" in line]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", *cases],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.fixture
def released(host):
    """A host whose checkout is a repository with everything committed, and whose comparison of versions is the
    true one.
    """
    (host.root / "packaging").unlink()
    (host.root / "packaging" / "linux").mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "check_release.py", host.root / "packaging")
    (host.root / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (host.root / "CHANGELOG.md").write_text("## 1.2.3 (2026-01-31)\n- New.\n")
    metainfo = host.root / "packaging" / "linux" / "org.lightloom.Lightloom.metainfo.xml"
    metainfo.write_text('<release version="1.2.3" date="2026-01-31"/>')
    (host.root / ".gitignore").write_text("bin\n.venv\n")
    git(host, "init", "--quiet")
    commit_all(host)
    return replace(host, python=sys.executable)


def git(host, *arguments):
    options = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *options, *arguments], cwd=host.root, check=True, timeout=LIMIT_S)


def commit_all(host):
    git(host, "add", "--all")
    git(host, "commit", "--quiet", "--message", "change")


def test_a_release_is_checked_and_neither_tagged_nor_published(released, capfd):
    assert tasks.main(["release", "1.2.3", "--check"], released) == 0
    assert capfd.readouterr().out.endswith("and all is committed: v1.2.3\n")
    tags = subprocess.run(["git", "tag"], cwd=released.root, capture_output=True, text=True)
    assert tags.stdout == ""
    assert log(released) == []


def test_a_release_of_another_version_is_refused(released, capfd):
    assert tasks.main(["release", "1.2.4", "--check"], released) == 1
    assert "The tag is v1.2.4, but pyproject.toml has the version 1.2.3" in capfd.readouterr().err


def test_a_release_with_uncommitted_files_is_refused(released, capfd):
    (released.root / "CHANGELOG.md").write_text("## 1.2.3 (2026-01-31)\n- Other.\n")
    assert tasks.main(["release", "1.2.3", "--check"], released) == 1
    assert "Not all is committed; commit or remove these files:\n M CHANGELOG.md" in capfd.readouterr().err


def test_a_release_that_is_tagged_is_refused(released, capfd):
    git(released, "tag", "v1.2.3")
    assert tasks.main(["release", "1.2.3"], released) == 1
    assert "There is a tag v1.2.3 already" in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--check"], ["1.2.3", "1.2.4"], ["--now"]])
def test_a_release_needs_one_version(released, arguments, capfd):
    assert tasks.main(["release", *arguments], released) == 1
    assert "'release' takes a version" in capfd.readouterr().err


def test_a_release_stops_at_the_first_step_that_fails(released, capfd):
    """The tests, by a Python that only ends with a failure."""
    venv_python(released, "exit 1")
    assert tasks.main(["release", "1.2.3"], released) == 1
    written = capfd.readouterr()
    assert "-- tasks.py test" in written.out
    assert "is ready" not in written.out
