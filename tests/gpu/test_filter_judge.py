"""A stranger's filter is tried in a process of its own: what is refused, what is kept of it, what stays
usable.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import FilterError, ShaderError
from desktop.base.webgpu import chosen
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.chain.runner import ChainRunner
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.stage import compile_filter
from desktop.pipeline.filters.trial import variants
from desktop.pipeline.filters.verifier import FilterVerifier, Limits, TrialStopped
from desktop.pipeline.running.inputs.picture import Picture

pytestmark = pytest.mark.long

LIMITS = Limits(compile_seconds=2.0, software_seconds=0.5, gpu_seconds=0.05, memory=1 << 30)
PLAIN = "fn main(p: vec2i) -> vec4f { return load(p); }"
LONG_LOOP = "fn main(p: vec2i) -> vec4f { var s = 0.0; for (var i = 0; i < %s; i++) { s += sin(s + f32(p.x)); } return vec4f(s); }"


def stranger(body, head=""):
    return parse_filter(f'/* lightloom\ntitle = "T"\n{head}\n*/\n{body}', "t.wgsl", builtin=False)


def param(name, **values):
    rows = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return f'[[param]]\nname = "{name}"\n{rows}'


@pytest.fixture
def verifier(tmp_path):
    return FilterVerifier(tmp_path / "verdicts", limits=LIMITS)


def refusal(verifier, gpu, spec):
    with pytest.raises(FilterError) as caught:
        verifier.check(gpu.adapter, spec, threading.Event())
    assert "\n" not in str(caught.value)
    return str(caught.value)


def passes(verifier, gpu, spec):
    verifier.check(gpu.adapter, spec, threading.Event())


def assert_tint_refuses(verifier, gpu, spec):
    """Tint takes no such arrays, so that a trial has nothing to run."""
    passes(verifier, gpu, spec)
    with pytest.raises(ShaderError, match=r"array count \(\d+\) must be less than 65536"):
        compile_filter(gpu, spec, time.perf_counter)


def test_a_verdict_is_kept(gpu, verifier, tmp_path):
    spec = stranger(PLAIN)
    passes(verifier, gpu, spec)
    passes(verifier, gpu, spec)
    assert verifier.trials == 1
    again = FilterVerifier(tmp_path / "verdicts", limits=LIMITS)
    passes(again, gpu, spec)
    assert again.trials == 0


def test_a_verdict_is_not_believed_of_another_text_adapter_or_when_damaged(gpu, verifier, tmp_path):
    spec = stranger(PLAIN)
    passes(verifier, gpu, spec)
    passes(verifier, gpu, stranger(PLAIN + " "))
    assert verifier.trials == 2
    other = replace(gpu.adapter, driver="another one")
    verifier.check(other, spec, threading.Event())
    assert verifier.trials == 3
    for damage in (b"", b"{}", b"[1]", b"\xff\xfe", b'{"refusal": 1, "seconds": 0}', b"[" * 9000):
        for path in (tmp_path / "verdicts").glob("*.json"):
            path.write_bytes(damage)
        before = verifier.trials
        passes(verifier, gpu, spec)
        assert verifier.trials == before + 1


def test_verdicts_are_limited_in_number(gpu, tmp_path):
    folder = tmp_path / "verdicts"
    verifier = FilterVerifier(folder, limits=LIMITS, max_stored=3)
    folder.mkdir()
    for number in range(5):
        path = folder / f"{number}.json"
        path.write_text("{}")
        os.utime(path, (number, number))
    passes(verifier, gpu, stranger(PLAIN))
    kept = {path.name for path in folder.iterdir()}
    assert len(kept) == 3
    assert not {"0.json", "1.json", "2.json"} & kept


def test_built_in_filters_and_trusted_ones_start_nothing(gpu, verifier, tmp_path):
    for spec in FilterLibrary(None).filters.values():
        passes(verifier, gpu, spec)
    assert verifier.trials == 0
    trusting = FilterVerifier(tmp_path, trusts=True, limits=LIMITS)
    passes(trusting, gpu, stranger(LONG_LOOP % 20000))
    assert trusting.trials == 0


def test_what_the_text_shows_needs_no_process(gpu, verifier):
    assert "nested more than" in refusal(verifier, gpu, stranger(f"const a = {'(' * 3000}1{')' * 3000};"))
    assert "t.wgsl: Line 5" in refusal(
        verifier, gpu, stranger("var<private> a: array<f32, 100000000>;" + PLAIN)
    )
    assert verifier.trials == 0


def test_an_endless_filter_is_refused_and_a_slow_one_is_not(gpu, verifier):
    said = refusal(verifier, gpu, stranger(LONG_LOOP % 20000))
    assert "s for a frame of 1920 x 1080 pixels on " in said
    assert "s are allowed" in said
    assert "--trust-shaders" in said
    passes(verifier, gpu, stranger(LONG_LOOP % 40))


def test_the_ends_of_the_ranges_are_tried(gpu, verifier):
    head = param("n", type="int", min=1, max=20000, default=1)
    assert "ends of their ranges" in refusal(verifier, gpu, stranger(LONG_LOOP % "params.n", head))
    head = param("mode", type="choice", choices=["fast", "endless", "off"])
    body = LONG_LOOP % "select(1, 20000, params.mode == 1)"
    assert "ends of their ranges" in refusal(verifier, gpu, stranger(body, head))


def test_variants_are_values_that_the_filter_takes_and_not_too_many():
    kinds = ("float", "int", "bool")
    defaults = {"float": 0.5, "int": 3, "bool": True}
    head = "".join(
        param(
            f"p{i}", type=kinds[i % 3], default=defaults[kinds[i % 3]], **({"max": 9} if i % 3 == 1 else {})
        )
        for i in range(30)
    )
    head += param("c", type="choice", choices=[f"c{i}" for i in range(30)])
    spec = stranger(PLAIN, head)
    found = variants(spec)
    assert found[0] == spec.defaults
    assert len(found) <= 24
    for values in found:
        assert spec.check(values) == values


def test_memory_that_the_text_hides_does_not_reach_this_process(gpu, verifier):
    hidden = "const n = vec2i(100000000, 1); var<private> a: array<f32, n.x>; "
    before = psutil.Process().memory_info().rss
    spec = stranger(hidden + "fn main(p: vec2i) -> vec4f { a[p.x] = 1.0; return vec4f(a[p.y]); }")
    if chosen().name == "dawn":
        assert_tint_refuses(verifier, gpu, spec)
        return
    said = refusal(verifier, gpu, spec)
    assert "crashes the driver" in said or "memory" in said or "GPU refuses" in said
    assert psutil.Process().memory_info().rss - before < 100 << 20


def test_a_long_compilation_is_ended(gpu, verifier):
    # Within the limits of the text, and far beyond those of a compiler that spells out every array access.
    hidden = "fn main(p: vec2i) -> vec4f { const n = 200000; var big: array<vec4f, n>;"
    spec = stranger(
        hidden + " for (var i = 0; i < 60000; i++) { big[i * 3] = vec4f(1.0); } return big[p.y]; }"
    )
    if chosen().name == "dawn":
        assert_tint_refuses(verifier, gpu, spec)
        return
    said = refusal(verifier, gpu, spec)
    assert "takes more than 2 s to be compiled" in said or "crashes" in said


def test_mistakes_are_reported_where_they_are_compiled_next(gpu, verifier):
    passes(verifier, gpu, stranger("fn main(p: vec2i) -> vec4f { return lod(p); }"))
    assert verifier.trials == 1
    head = '[[buffer]]\nname = "b"\ntype = "array<f32, 64>"\nbytes = 16'
    said = refusal(verifier, gpu, stranger("fn main(p: vec2i) -> vec4f { return vec4f(b[p.x]); }", head))
    assert "the GPU refuses to run it" in said


def children():
    """Return the running trials of this process; one that has ended may still be listed, without a command."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # also of zombies
            if "try-filter" in " ".join(process.cmdline()):
                found.append(process)
    return found


def test_a_trial_that_nobody_needs_is_ended(gpu, verifier):
    stop = threading.Event()
    found = []

    def ask():
        try:
            verifier.check(gpu.adapter, stranger(LONG_LOOP % 20000), stop)
        except FilterError as error:
            found.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    until(children)
    stop.set()
    thread.join(LIMIT_S)
    assert [type(error) for error in found] == [TrialStopped]
    assert not children()


def test_a_trial_ends_with_the_process_that_asked(tmp_path):
    script = f"""
import threading
from pathlib import Path
from desktop.pipeline.filters.verifier import FilterVerifier
from desktop.pipeline.filters.header import parse_filter
from desktop.compute.gpu.device import list_adapters
text = '/* lightloom\\ntitle = "T"\\n*/\\n{LONG_LOOP % 20000}'
FilterVerifier(Path({str(tmp_path)!r})).check(list_adapters()[0], parse_filter(text, "t.wgsl", builtin=False), threading.Event())
"""
    process = subprocess.Popen([sys.executable, "-c", script])
    until(lambda: [p for p in psutil.Process(process.pid).children() if "try-filter" in p.cmdline()])
    child = psutil.Process(process.pid).children()[0]
    process.kill()
    process.wait()
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_trial_that_is_killed_is_a_refusal_in_one_sentence(gpu, tmp_path):
    verifier = FilterVerifier(
        tmp_path / "verdicts",
        limits=LIMITS,
        command=lambda arguments: [
            sys.executable,
            "-c",
            f"""
import json, os, sys
open({arguments[1]!r}, "w").write(json.dumps({{"step": "opening"}}) + "\\n" + json.dumps({{"step": "compile"}}) + "\\n")
os.kill(os.getpid(), {int(signal.SIGSEGV)})
""",
        ],
    )
    assert "crashes the driver (signal 11)" in refusal(verifier, gpu, stranger(PLAIN))


def test_what_cannot_be_tried_is_not_trusted_and_not_remembered(gpu, tmp_path):
    verifier = FilterVerifier(
        tmp_path / "verdicts", limits=LIMITS, command=lambda arguments: [sys.executable, "-c", "1"]
    )
    assert "could not be tried" in refusal(verifier, gpu, stranger(PLAIN))
    passes(FilterVerifier(tmp_path / "verdicts", limits=LIMITS), gpu, stranger(PLAIN))


# -- in a chain ----------------------------------------------------------------------------------------------


def picture(gpu):
    import wgpu

    usage = wgpu.TextureUsage
    return gpu.device.create_texture(
        size=(16, 16, 1),
        format="rgba16float",
        usage=usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC,
    )


def step(gpu, runner, source, timer):
    timer.begin_frame()
    encoder = runner.encode(gpu.device.create_command_encoder(), Picture(source, source, 0.0), timer).encoder
    gpu.queue.submit([encoder.finish()])
    return runner.statuses[0]


def write(folder: Path, body):
    (folder / "mine.wgsl").write_text(f'/* lightloom\ntitle = "Mine"\n*/\n{body}')


def test_the_last_good_version_goes_on_while_the_next_is_tried_and_after_it_was_refused(
    gpu, verifier, tmp_path
):
    folder = tmp_path / "filters"
    folder.mkdir()
    write(folder, PLAIN)
    library = FilterLibrary(folder)
    runner = ChainRunner(gpu, library, verifier=verifier)
    source, timer = picture(gpu), FrameTimer(gpu)
    try:
        runner.set_spec(ChainSpec().added("mine", {}))
        until(lambda: step(gpu, runner, source, timer).state == "running")
        write(folder, LONG_LOOP % 20000)
        assert library.refresh() == ("mine",)
        runner.filters_changed()
        assert step(gpu, runner, source, timer).state == "running"  # at once: nobody waits
        until(lambda: step(gpu, runner, source, timer).message)
        status = step(gpu, runner, source, timer)
        assert status.state == "running"
        assert "s are allowed" in status.message
        write(folder, PLAIN + "\n// mended")
        library.refresh()
        runner.filters_changed()
        until(lambda: not step(gpu, runner, source, timer).message)
    finally:
        runner.close()
        timer.close()


def test_a_built_in_filter_does_not_wait_for_a_stranger(gpu, verifier, tmp_path):
    folder = tmp_path / "filters"
    folder.mkdir()
    write(folder, LONG_LOOP % 20000)
    runner = ChainRunner(gpu, FilterLibrary(folder), verifier=verifier)
    source, timer = picture(gpu), FrameTimer(gpu)
    try:
        runner.set_spec(ChainSpec().added("mine", {}).added("invert", {}))
        until(children)

        def states():
            step(gpu, runner, source, timer)
            return [status.state for status in runner.statuses]

        until(lambda: states() == ["compiling", "running"])
    finally:
        runner.close()  # ends the trial
        timer.close()
    assert not children()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hand the peak down")
def test_a_trial_does_not_answer_for_the_memory_of_the_window(tmp_path):
    """getrusage's peak is handed down to a new program: a window of 2 GB would have every trial refused."""
    ask = "from desktop.base.trials import peak_memory; print(peak_memory())"
    large = (
        "import subprocess, sys; held = bytearray(b'x') * (600 << 20);"
        f"sys.exit(subprocess.run([sys.executable, '-c', {ask!r}]).returncode)"
    )
    done = subprocess.run([sys.executable, "-c", large], capture_output=True, text=True, check=True)
    assert 1 << 20 < int(done.stdout) < 300 << 20


def test_a_filter_that_is_slow_where_the_picture_is_bright_is_refused(gpu, verifier):
    body = "if (load(p).r > 0.05) { for (var i = 0; i < 60000; i++) { s += sin(s + f32(p.x)); } }"
    spec = stranger(f"fn main(p: vec2i) -> vec4f {{ var s = 0.0; {body} return vec4f(s); }}")
    assert "takes" in refusal(verifier, gpu, spec)
