"""Workers of a Ray cluster, each an actor with a GPU: `--on ray` (local) or `--on ray://host:10001`.

An actor runs each piece in a process (`PieceRun`), so that it responds at once. A dead actor is replaced and
its piece reassigned, three times each at most; `max_restarts` of Ray would not reassign the piece.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import LightloomError, SpreadError, UsageError
from desktop.base.files import read_regular, reason
from desktop.base.version import extra_command, version
from desktop.base.wording import sentence
from desktop.spread.executor import CARRIED_BYTES, Event, Executor, ExecutorKind, Failed, Moved, Task
from desktop.spread.piece_run import PieceRun, lacks_input

# A cluster may have to start machines first.
_START_S: Final = 600.0
_RESPONSE_S: Final = 60.0
_POLL_S: Final = 0.2
_REPLACED: Final = 3
_CACHED_INPUTS: Final = 2
_MOST: Final = 1024
_LOCAL_STORE_BYTES: Final = 256 << 20
# Ray gives its own processes 30 s to start, which a busy machine may not have.
_LOCAL_TRIES: Final = 3


class RayWorker:
    """Actor on a machine of the cluster; found there by its name in the same version of this program."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._run: PieceRun | None = None

    def hello(self) -> str:
        """Return the version of the program here."""
        return version()

    def lacks_input(self, task: Task) -> bool:
        """See `piece_run.lacks_input`."""
        return lacks_input(task)

    def begin(self, task: Task, carried: bytes | None) -> str:
        """Begin a piece; return '', or a sentence why it cannot be."""
        self.stop()
        try:
            self._run = PieceRun(self._name, _own_gpu(), task, carried)
        except LightloomError as error:
            return str(error)
        return ""

    def poll(self) -> Event | None:
        """Return how it stands; None where nothing is done."""
        return self._run.poll() if self._run is not None else None

    def pids(self) -> tuple[int, int]:
        """The processes of this worker and of what it is at, 0 for none."""
        return os.getpid(), self._run.pid if self._run is not None else 0

    def stop(self) -> None:
        """End what it is at."""
        if self._run is not None:
            self._run.close()
            self._run = None


def _own_gpu() -> int:
    import ray

    found = ray.get_runtime_context().get_accelerator_ids().get("GPU", [])
    return int(found[0]) if found and str(found[0]).isdecimal() else 0


@dataclass
class _Slot:
    """A worker as the driver sees it: `waits` is what Ray is to answer, `asks` what that is."""

    actor: Any
    waits: Any
    asks: str
    since: float
    task: Task | None = None
    sent: int = 0
    replaced: int = 0


class RayCluster(Executor):
    """Implements `Executor`."""

    def __init__(self, address: str, workers: int) -> None:
        """Connect, and request workers, ready once they respond. Raises SpreadError without a cluster."""
        self._ray = _imported()
        self._inputs: OrderedDict[str, Any] = OrderedDict()
        self._events: list[Event] = []
        _connect(self._ray, address, workers)
        try:
            count, self._share = self._places(workers)
            self._slots = {f"ray {number + 1}": self._new(f"ray {number + 1}") for number in range(count)}
        except BaseException:
            self.close()
            raise

    def _places(self, workers: int) -> tuple[int, float]:
        """Return the number of workers and of GPUs reserved for each: 1, or 0 in a cluster without GPUs."""
        there = int(self._ray.cluster_resources().get("GPU", 0))
        if not there:
            return workers or max(1, len(self._ray.nodes())), 0.0
        if workers > there:
            raise UsageError(
                sentence(
                    "The cluster has {count} GPUs, and each of {workers} workers wants one; ask for fewer.",
                    count=there,
                    workers=workers,
                )
            )
        return workers or there, 1.0

    def _new(self, name: str, replaced: int = 0) -> _Slot:
        kind = self._ray.remote(RayWorker)
        actor = kind.options(num_cpus=1, num_gpus=self._share, scheduling_strategy="SPREAD").remote(name)
        return _Slot(actor, actor.hello.remote(), "hello", time.monotonic(), replaced=replaced)

    @property
    def idle(self) -> Sequence[str]:
        return [name for name, slot in self._slots.items() if not slot.asks]

    @property
    def size(self) -> int:
        return len(self._slots)

    def pids(self, worker: str) -> tuple[int, int]:
        """Return the processes of a worker, see `RayWorker.pids`."""
        found: tuple[int, int] = self._ray.get(self._slots[worker].actor.pids.remote(), timeout=_RESPONSE_S)
        return found

    def give(self, worker: str, task: Task) -> None:
        slot = self._slots[worker]
        slot.task, slot.sent = task, 0
        self._send_request(slot, "lacks", slot.actor.lacks_input.remote(task))

    def _send_request(self, slot: _Slot, what: str, waits: Any) -> None:
        slot.asks, slot.waits, slot.since = what, waits, time.monotonic()

    def poll(self) -> Sequence[Event]:
        asked = {slot.waits: name for name, slot in self._slots.items() if slot.asks}
        if asked:
            ready, _ = self._ray.wait(list(asked), num_returns=len(asked), timeout=_POLL_S)
            for waits in ready:
                self._finish_request(asked[waits], waits)
        if not asked or len(ready) == len(asked):
            # They all answer at once: they are asked some times a second.
            time.sleep(_POLL_S)
        self._check_patience()
        events, self._events = self._events, []
        return events

    def _finish_request(self, name: str, waits: Any) -> None:
        slot = self._slots[name]
        try:
            answer = self._ray.get(waits, timeout=_RESPONSE_S)
        except (self._ray.exceptions.RayActorError, self._ray.exceptions.GetTimeoutError):
            self._replace(name, sentence("The worker has ended."))
        except self._ray.exceptions.RayError as error:
            if slot.asks == "hello":
                raise _no_program(error) from error
            self._replace(name, _line(error))
        else:
            getattr(self, f"_on_{slot.asks}")(name, slot, answer)

    def _on_hello(self, name: str, slot: _Slot, found: str) -> None:
        if found != version():
            raise SpreadError(
                sentence(
                    "The cluster has Lightloom {found}, and this is {wanted}; install the same on all "
                    "machines.",
                    found=found,
                    wanted=version(),
                )
            )
        slot.asks = ""

    def _on_lacks(self, name: str, slot: _Slot, lacks: bool) -> None:
        assert slot.task is not None
        carried = None
        if lacks:
            try:
                carried, slot.sent = self._carried(slot.task)
            except LightloomError as error:
                self._events.append(Failed(name, slot.task.number, str(error)))
                slot.asks, slot.task = "", None
                return
        self._send_request(slot, "begin", slot.actor.begin.remote(slot.task, carried))

    def _carried(self, task: Task) -> tuple[Any, int]:
        """The input's bytes in Ray's store, once for all its pieces."""
        assert task.mark is not None
        if task.mark.size > CARRIED_BYTES:
            raise SpreadError(
                sentence(
                    "{name} is larger than what is sent between machines, {most} MiB; put it on storage "
                    "that all of them see.",
                    name=task.input,
                    most=CARRIED_BYTES >> 20,
                )
            )
        if task.input not in self._inputs:
            try:
                self._inputs[task.input] = self._ray.put(read_regular(Path(task.input), CARRIED_BYTES))
            except OSError as error:
                raise SpreadError(
                    sentence("{name} can't be read ({reason}).", name=task.input, reason=reason(error))
                ) from error
            while len(self._inputs) > _CACHED_INPUTS:
                self._inputs.popitem(last=False)
        return self._inputs[task.input], task.mark.size

    def _on_begin(self, name: str, slot: _Slot, error: str) -> None:
        assert slot.task is not None
        if error:
            self._events.append(Failed(name, slot.task.number, error))
            slot.asks, slot.task = "", None
            return
        self._send_request(slot, "poll", slot.actor.poll.remote())

    def _on_poll(self, name: str, slot: _Slot, event: Event | None) -> None:
        assert slot.task is not None
        if event is None:
            event = Failed(name, slot.task.number, sentence("The worker has forgotten it."))
        self._events.append(event)
        if isinstance(event, Moved):
            self._send_request(slot, "poll", slot.actor.poll.remote())
        else:
            slot.asks, slot.task = "", None

    def _replace(self, name: str, why: str) -> None:
        slot = self._slots.pop(name)
        self._ray.kill(slot.actor)
        if slot.task is not None:
            self._events.append(Failed(name, slot.task.number, why))
        if slot.replaced < _REPLACED:
            self._slots[name] = self._new(name, slot.replaced + 1)
        elif not self._slots:
            raise SpreadError(
                sentence("No worker of the cluster is left ({reason}); check its machines.", reason=why)
            )

    def _check_patience(self) -> None:
        now = time.monotonic()
        if all(slot.asks == "hello" and now - slot.since > _START_S for slot in self._slots.values()):
            raise SpreadError(
                sentence(
                    "The cluster has given no worker in {seconds:.0f} s; look whether its GPUs are free.",
                    seconds=_START_S,
                )
            )
        for name, slot in list(self._slots.items()):
            if slot.asks and slot.asks != "hello" and now - slot.since > _RESPONSE_S:
                self._replace(name, sentence("The worker does not answer."))

    def close(self) -> None:
        for slot in getattr(self, "_slots", {}).values():
            # Its end closes the pipe by which the piece's process ends too.
            self._ray.kill(slot.actor)
        self._ray.shutdown()


def _imported() -> Any:
    # Ray asks for these before anything else: it is not to tell anybody of this run.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise SpreadError(
            sentence(
                "Ray is not installed ({reason}): {command}.", reason=error, command=extra_command("ray")
            )
        ) from error
    # Keep Ray's own messages out of the command's output; its errors are raised.
    logging.getLogger("ray").setLevel(logging.ERROR)
    return ray


def _connect(ray: Any, address: str, workers: int) -> None:
    told = {"configure_logging": False, "log_to_driver": False}
    tries = _LOCAL_TRIES if address == "ray" else 1
    for left in range(tries - 1, -1, -1):
        try:
            if address == "ray":
                _begin_cluster(ray, max(workers, os.cpu_count() or 1), told)
            elif address.startswith("ray://"):
                ray.init(address)
            else:
                ray.init(address.removeprefix("ray:"), **told)
            return
        except (
            Exception
        ) as error:  # Ray has no base of these: ConnectionError, RuntimeError, ValueError, Exception itself
            ray.shutdown()
            if not left:
                raise SpreadError(
                    sentence(
                        "Ray cannot be reached at {address}: {reason} Check its address, its token "
                        "(RAY_AUTH_TOKEN) and whether it runs.",
                        address=address,
                        reason=_line(error),
                    )
                ) from error


def _begin_cluster(ray: Any, cpus: int, told: dict[str, bool]) -> None:
    ray.init(
        # Without it Ray would use the address in RAY_ADDRESS, which the user has not typed.
        "local",
        num_cpus=cpus,
        include_dashboard=False,
        object_store_memory=_LOCAL_STORE_BYTES,
        # Actors get processes of their own: those kept ready for tasks would be started for nothing.
        _system_config={"prestart_worker_first_driver": False},
        **told,
    )


def _line(error: BaseException) -> str:
    """The first line of what Ray says; its errors have a traceback in them."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__


def _no_program(error: BaseException) -> SpreadError:
    return SpreadError(
        sentence(
            "The workers do not start ({reason}); they need Lightloom {wanted} and the same Python as here.",
            reason=_line(error),
            wanted=version(),
        )
    )


def _open(address: str, workers: int) -> RayCluster:
    if not re.fullmatch(r"ray|ray:auto|ray://[\w.\-\[\]:]+:\d{1,5}", address):
        raise UsageError(
            sentence(
                "'{address}' is not understood; write ray, ray:auto or ray://host:10001.", address=address
            )
        )
    if workers > _MOST:
        raise UsageError(sentence("{count} workers are too many; ask for fewer.", count=workers))
    return RayCluster(address, workers)


EXECUTOR: Final = ExecutorKind(
    "ray, a Ray cluster begun on this machine; ray:auto, the one that this machine is in; "
    "ray://HOST:10001, another",
    _open,
)
