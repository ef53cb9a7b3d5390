"""Processes for several GPUs, each of which computes every network on its GPU.

A model has a pool, and so a thread, for each of them, and all take requests from the model's one queue: a GPU that is free
gets the next batch. A process that ends (a driver that crashes) is started again, and the batch repeated once.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Client
from pathlib import Path
from typing import Final

from desktop.base.child import start_own
from desktop.base.errors import GpuError
from desktop.serving.gpu_channel import (
    Channel,
    Failed,
    Open,
    Ran,
    Request,
    Response,
    Run,
    Warm,
    layout_of,
    receive_arrays,
    send_arrays,
)
from desktop.serving.session_pool import Loading, ModelDescription, Pool
from desktop.serving.tensors import Arrays

log = logging.getLogger(__name__)

_START_S: Final = 180.0
_POLL_S: Final = 0.05
_MOST_STARTS: Final = 2
_END_S: Final = 5.0


class GpuProcess:
    """The process for an adapter (such as '#1', see `Gpu.open`). Thread-safe."""

    def __init__(self, adapter: str, folder: Path) -> None:
        """Start it on first use. `folder`: a private one, for its socket and as its working folder.

        `starts` counts how often it was started.
        """
        self.adapter = adapter
        self._folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._address = ""
        self._key = b""
        self.starts = 0

    @property
    def pid(self) -> int:
        """The process's id; 0 if it does not run."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else 0

    def connect(self) -> Channel:
        """Return a connection for a network, from a new process if it has ended. Raises GpuError."""
        until = time.monotonic() + _START_S
        starts = 0
        while time.monotonic() < until:
            with self._lock:
                if not self.pid:
                    if starts == _MOST_STARTS:
                        break
                    starts += 1
                    self._start()
                address, key = self._address, self._key
            try:
                return Client(address, authkey=key)
            except (OSError, EOFError):
                time.sleep(_POLL_S)
        raise GpuError(
            f"The process for the GPU {self.adapter} does not start; standard error and 'lightloom doctor' say more."
        )

    def _start(self) -> None:
        self._release()
        name = f"lightloom-{secrets.token_hex(8)}"
        windows = sys.platform == "win32"
        self._address = rf"\\.\pipe\{name}" if windows else str(self._folder / name)
        self._key = secrets.token_bytes(32)
        try:
            self.starts += 1
            self._process = process = start_own(
                ["serve", "--compute-for-server", "--adapter", self.adapter], self._folder, None
            )
            assert process.stdin is not None
            process.stdin.write(f"{self._address}\n{self._key.hex()}\n".encode())
            process.stdin.flush()
        except OSError as error:
            raise GpuError(
                f"The process for the GPU {self.adapter} cannot be started ({error}); end other programs."
            ) from error

    def _release(self) -> None:
        """Release what is left of a process that ended."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._release()
            if self._process is None:
                return
            try:
                self._process.wait(_END_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


class RemotePool(Pool):
    """A network in the process of a GPU. For one thread."""

    def __init__(self, process: GpuProcess, model: str, loading: Loading) -> None:
        """`loading.open_gpu` is not used: the process opens its own GPU."""
        self._process = process
        # The process has a working folder of its own.
        path = Path(model)
        name = str(path.resolve()) if path.is_file() else model
        self._open = Open(name, loading.backend, loading.precision, loading.max_batch, loading.memory_bytes)
        self._connection: Channel | None = None

    def open(self) -> ModelDescription:
        """Load the network there. Raises LightloomError."""
        self._connection = self._process.connect()
        found = self._exchanged(self._open)
        assert isinstance(found, ModelDescription)
        return replace(found, device=f"{found.device} ({self._process.adapter})")

    def warm(self) -> None:
        """Load every batch that there may be."""
        self._exchanged(Warm())

    def run_again(self, feeds: Arrays) -> Arrays:
        """Compute the outputs, once more in a new process if that ended. Raises LightloomError."""
        try:
            if self._connection is not None:
                return self._run(feeds)
        except GpuError as error:
            if self._connection is not None:
                raise  # told by the process, which has tried again itself
            log.warning("the process is started again: %s", error)
        self.open()
        return self._run(feeds)

    def _run(self, feeds: Arrays) -> Arrays:
        found = self._exchanged(Run(layout_of(feeds)), feeds)
        assert isinstance(found, Ran)
        connection = self._connection
        assert connection is not None
        try:
            return receive_arrays(connection, found.layout)
        except (EOFError, OSError) as error:
            raise self._ended(error) from error

    def _exchanged(self, request: Request, feeds: Arrays | None = None) -> Response:
        connection = self._connection
        assert connection is not None
        try:
            connection.send(request)
            send_arrays(connection, feeds or {})
            response: Response = connection.recv()
        except (EOFError, OSError) as error:
            raise self._ended(error) from error
        if isinstance(response, Failed):
            raise response.exception()
        return response

    def _ended(self, error: Exception) -> GpuError:
        self.close()
        return GpuError(
            f"The process for the GPU {self._process.adapter} ended ({type(error).__name__}); send the request again."
        )

    def close(self) -> None:
        """Release the network there."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class GpuProcesses:
    """The processes for some adapters, until `close`."""

    def __init__(self, adapters: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lightloom-gpus-")
        self.processes = tuple(GpuProcess(each, Path(self._folder.name)) for each in adapters)

    def pools(self, model: str, loading: Loading) -> tuple[Pool, ...]:
        """Make the pools of a network: one in each process."""
        return tuple(RemotePool(process, model, loading) for process in self.processes)

    def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.close()
        self._folder.cleanup()
