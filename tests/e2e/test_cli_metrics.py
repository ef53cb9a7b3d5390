"""`--metrics` of commands: served while they run, in a program of its own."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from metrics_rig import promtool, scrape

from desktop.__main__ import main


@pytest.mark.skipif(sys.platform == "win32", reason="ends the program by SIGINT")
def test_a_run_is_scraped_while_it_lasts(tmp_path):
    command = [
        *(sys.executable, "-m", "desktop", "process", "sample:64x64", "--filter", "sharpen"),
        *("--max-frames", "1000000", "--metrics", "0", "-o", str(tmp_path / "out.mp4")),
    ]
    with (tmp_path / "errors").open("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            ends = time.monotonic() + 120

            def said() -> str:
                return (tmp_path / "errors").read_text()

            while (found := re.search(r"http://127\.0\.0\.1:(\d+)/metrics", said())) is None:
                assert process.poll() is None and time.monotonic() < ends, said()
                time.sleep(0.05)
            frames, text = 0.0, ""
            while frames < 3:
                assert time.monotonic() < ends, text
                text = scrape(int(found[1]))[1]
                frames = float(re.search(r'^lightloom_frames_total{lane="0"} (\S+)$', text, re.MULTILINE)[1])
            assert 'lightloom_stage_cpu_seconds_count{lane="0",stage="filter:sharpen"}' in text
            assert 'lightloom_queue_length{queue="recording"}' in text
            assert 'lightloom_queue_length{queue="events"} 0.0' in text
            assert promtool("check", "metrics", text=text) == ""
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 1 and "is in" in said() and "Traceback" not in said()
            with pytest.raises(OSError):
                scrape(int(found[1]))
        finally:
            process.kill()
            process.wait()


def test_what_cannot_be_served_is_a_sentence(tmp_path, capsys):
    command = ["process", "sample:64x64", "--max-frames", "1", "-o", str(tmp_path / "x.png"), "--metrics"]
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert main([*command, f"127.0.0.1:{other.getsockname()[1]}"]) == 1
    [line] = [line for line in capsys.readouterr().err.splitlines() if "Metrics" in line]
    assert "another program has that port" in line
    for arguments in ([*command, "nowhere"], ["detect", "sample:", "--metrics", "a:b:c"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2 and "is no address to serve metrics at" in capsys.readouterr().err
    assert main(["--metrics", "nowhere"]) == 2
    assert "is no address to serve metrics at" in capsys.readouterr().err
