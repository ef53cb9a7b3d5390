"""`lightloom`: the window without a subcommand, the command line with one."""

from __future__ import annotations

import gc
import importlib.util
import io
import logging
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop.base import console
from desktop.base.errors import LightloomError, OutputError, StoppedError, UsageError
from desktop.base.interrupt import Interrupt
from desktop.base.memory import limit_heaps
from desktop.base.native_output import capture_native_output
from desktop.base.paths import user_log_folder


def window_parser(commands: Sequence[str]) -> console.Parser:
    """Return the parser of a command line that opens the window; `commands` are names for --help."""
    parser = console.Parser(
        prog="lightloom",
        description="See GPU filters and neural networks act on live video.",
        epilog=f"Subcommands, each with --help: {', '.join(commands)}.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="videos, images, folders, stream addresses, networks (.onnx, .tflite, .pt2, .pt), .wgsl, .cube, looks; the built-in sample "
        "if none is given",
    )
    parser.add_argument(
        "--empty", action="store_true", help="begin with an empty window instead of the sample"
    )
    parser.add_argument(
        "--adapter", metavar="NAME", help="GPU to use: part of a name that 'lightloom devices' lists"
    )
    parser.add_argument(
        "--grid", action="store_true", help="show up to four sources beside each other (docs/grid.md)"
    )
    parser.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        help="serve figures for Prometheus there, as at 127.0.0.1:9464 (docs/metrics.md)",
    )
    parser.add_argument(
        "--control",
        metavar="PORT",
        type=_port,
        help="allow remote control there, by programs on this computer, as at 9466 (docs/remote-control.md)",
    )
    parser.add_argument(
        "--look",
        "--preset",
        dest="preset",
        metavar="NAME|FILE",
        help="look to begin with: a file, or the name of a bundled or saved one ('lightloom looks' lists them)",
    )
    parser.add_argument(
        "--safe-mode",
        action="store_true",
        help="begin without your own shaders, without a network and without the graphics card",
    )
    parser.add_argument(
        "--trust-shaders",
        action="store_true",
        help="run filters of your own without trying them in a process of their own first",
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and 1024 <= int(text) <= 65535):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"'{text[:40]}' is no port; give a number from 1024 to 65535")
    return int(text)


def _refuse_mistyped(word: str, commands: Sequence[str]) -> None:
    """Raise for a word that is neither a command nor a source, without opening the window to report it."""
    if not re.fullmatch(r"\w[\w-]*", word) or word in ("sample", "camera", "screen") or os.path.lexists(word):
        return
    from desktop.base.nearest import suggestion

    hint = suggestion(word, commands, "'lightloom --help' names the commands.")
    raise UsageError(f"There is no command or file '{word}'; {hint}")


def _check_grid(paths: Sequence[str]) -> None:
    """Raise for a grid without sources, or with more than tiles: further arguments apply to the chain."""
    if not paths:
        raise UsageError("--grid shows several sources: name one to four of them behind it.")
    from desktop.pipeline.picture.mosaic import MOST_TILES

    if len(paths) > MOST_TILES:
        from desktop.media.sources.file_kinds import is_source

        count = sum(map(is_source, paths))
        if count > MOST_TILES:
            raise UsageError(
                f"--grid shows {MOST_TILES} sources at most, and {count} are named: leave some out."
            )


def _run_window(argv: Sequence[str], commands: Sequence[str]) -> int:
    options = window_parser(commands).parse_args(argv)
    if options.version:
        from desktop.base.version import version_line

        console.out(f"lightloom {version_line()}")
        return 0
    if options.grid:
        _check_grid(options.paths)
    if options.metrics is not None:
        from desktop.metrics.address import Address

        Address.of(options.metrics)
    if options.trust_shaders:
        os.environ["LIGHTLOOM_TRUST_SHADERS"] = "1"
    if importlib.util.find_spec("PySide6") is None:
        from desktop.base.version import extra_command

        raise LightloomError(
            f"The window is not installed: {extra_command('app')} adds it; commands work without it "
            "('lightloom --help' names them)."
        )
    if options.safe_mode:
        os.environ["LIGHTLOOM_PLUGINS"] = "off"
    from desktop.app import run_app

    return run_app(
        options.paths,
        adapter=options.adapter,
        preset=options.preset,
        empty=options.empty,
        safe=options.safe_mode,
        grid=options.grid,
        metrics=options.metrics,
        control=options.control,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run Lightloom; return the exit status: 0, 1 (failed; one sentence on stderr) or 2 (usage)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["try-filter"] and len(arguments) == 3:
        # Started by pipeline/filters/verifier.py; not for users.
        from desktop.pipeline.filters.trial import main as try_filter

        return try_filter(arguments[1:])
    if arguments[:1] == ["try-torch"] and len(arguments) == 3:
        # Started by nn/frontends/pytorch/trial.py; not for users.
        from desktop.compute.nn.frontends.pytorch.trial import main as try_torch

        return try_torch(arguments[1:])
    if arguments == ["send-stream"]:
        # Started by outputs/live/_stream_link.py; not for users.
        from desktop.outputs.live._stream_child import main as send_stream

        return send_stream()
    noted = capture_native_output(user_log_folder()) if argv is None else None
    if noted is not None:
        logging.captureWarnings(True)  # of NumPy's, say: into the file too
    _set_up_process()
    return _status_of(arguments, noted)


def _set_up_process() -> None:
    limit_heaps()
    for stream in (sys.stdout, sys.stderr):
        # File names may contain characters that the terminal's encoding lacks.
        if isinstance(stream, io.TextIOWrapper):
            encoding = console.encoding_of_output(
                is_console=stream.isatty(), system=sys.platform, environment=os.environ
            )
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    # NumPy's OpenBLAS would start a thread per core, which spin beside the first frame and are not needed.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # The collector would traverse all imported objects repeatedly (2.1 s to 1.9 s to the first frame).
    gc.set_threshold(50_000, 20, 100)
    # Decoding threads release the GIL within 0.2 ms; CPython's 5 ms was the latency's 95th percentile.
    sys.setswitchinterval(2e-4)


def _status_of(arguments: list[str], noted: Path | None) -> int:
    """Run a command or the window; every outcome is an exit status, and a sentence if it failed."""
    try:
        try:
            return _run(arguments)
        finally:
            console.flush()  # what argparse has printed too
    except UsageError as error:
        console.fail(error)
        return 2
    except StoppedError as error:
        console.fail(error)
        if error.is_busy:
            # The interpreter's own exit would release wgpu's objects and wait for the GPU, maybe for minutes.
            os._exit(1)
        return 1
    except OutputError as error:
        console.fail(error)
        console.close()
        return 1
    except LightloomError as error:
        console.fail(error)
        return 1
    except KeyboardInterrupt:
        console.fail("stopped.")
        return 1
    except BrokenPipeError:  # the reader has closed the pipe (`| head`)
        console.close()
        return 1
    except MemoryError:
        console.fail("There is not enough memory for this; end other programs, or take smaller files.")
        return 1
    except Exception as error:
        if noted is None:
            raise
        # A bug; the traceback is in the file.
        logging.getLogger("lightloom").exception("a fault of the program's own")
        console.fail(
            f"A fault of Lightloom's own ended this ({type(error).__name__}: {error}); report it with the "
            f"file {noted}."
        )
        return 1


def _run(arguments: list[str]) -> int:
    if not arguments:
        return _run_window((), ())
    with Interrupt() as interrupt:
        from desktop.cli import command_names, run_command

        commands = command_names()
        interrupt.check()
    if arguments[0] in commands:
        return run_command(arguments)
    _refuse_mistyped(arguments[0], commands)
    return _run_window(arguments, commands)


if __name__ == "__main__":
    sys.exit(main())
