"""The models of a server: the versions of each, and which one answers a request."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from desktop.base.errors import LightloomError, ModelError, ServingError
from desktop.base.memory import give_back
from desktop.serving.served_model import ModelOptions, ServedModel
from desktop.serving.tensors import shown


@dataclass(frozen=True)
class Unserved:
    """A version that is known and not served. `reason`: why, as a sentence."""

    name: str
    version: str
    reason: str


class Models:
    """Models by name and version. Without a version, requests get the newest that is loaded. Thread-safe."""

    def __init__(self, models: Mapping[str, ServedModel] | None = None) -> None:
        self._lock = threading.Lock()
        # Replaced as a whole, so that reading needs no lock.
        self._served = {name: {model.version: model} for name, model in (models or {}).items()}
        # By name and version; '' for a problem of a whole model.
        self._problems: dict[tuple[str, str], str] = {}
        self._retiring: set[threading.Thread] = set()

    @property
    def all(self) -> tuple[ServedModel, ...]:
        """All versions, models in the order in which they were added."""
        return tuple(model for versions in self._served.values() for model in versions.values())

    @property
    def unserved(self) -> tuple[Unserved, ...]:
        """Versions that are known and not served; '' for a problem of a whole model, of which versions may be
        served.
        """
        served = self._served
        with self._lock:
            problems = dict(self._problems)
        return tuple(
            Unserved(name, version, reason)
            for (name, version), reason in problems.items()
            if not version or version not in served.get(name, ())
        )

    def problem(self, name: str, version: str) -> str:
        """Return why a version, or with '' a whole model, is not as its files are, or not served, as a sentence; ''
        without a problem.
        """
        with self._lock:
            return self._problems.get((name, version), "")

    def versions(self, name: str) -> tuple[str, ...]:
        """Versions of a model that are served, oldest first."""
        return tuple(sorted(self._served.get(name, ()), key=int))

    def find(self, name: str, version: str = "") -> ServedModel:
        """Return a version of a model, by default the newest. Raises ServingError for unknown ones."""
        versions = self._served.get(name)
        if not versions:
            raise self._missing(name)
        if not version:
            loaded = [each for each in versions.values() if each.is_ready]
            return max(loaded or versions.values(), key=lambda model: int(model.version))
        if version not in versions:
            known = ", ".join(self.versions(name))
            number = "version" if len(versions) == 1 else "versions"
            raise ServingError(
                "missing", f"The model '{name}' has the {number} {known} alone, not '{shown(version)}'."
            )
        return versions[version]

    def select(self, name: str, version: str = "") -> tuple[ServedModel, ...]:
        """Return a version of a model, by default all, oldest first. Raises ServingError for unknown ones."""
        if version:
            return (self.find(name, version),)
        known = self._served.get(name)
        if not known:
            raise self._missing(name)
        return tuple(known[each] for each in sorted(known, key=int))

    def _missing(self, name: str) -> ServingError:
        known = next((each for each in self.unserved if each.name == name), None)
        if known is None:
            return ServingError("missing", f"There is no model '{shown(name)}' here.")
        return ServingError("unavailable", f"The model '{name}' is not served: {known.reason}")

    @contextmanager
    def using(self, name: str, version: str = "") -> Iterator[ServedModel]:
        """Find a model for a request; it stays loaded inside the context, even if it is replaced.

        Raises ServingError as `find`, or if the model has as many requests as it takes.
        """
        model = self._begun(name, version)
        try:
            yield model
        finally:
            model.end_use()

    def _begun(self, name: str, version: str) -> ServedModel:
        while True:
            model = self.find(name, version)
            model.begin_use()
            # It may have been replaced in between, and be unloaded already.
            if self._served.get(name, {}).get(model.version) is model:
                return model
            model.end_use()

    # -- changes ---------------------------------------------------------------------------------------------

    def put(self, model: ServedModel, retire_s: float) -> None:
        """Serve a loaded model; one of the same version is retired on a thread, within `retire_s` seconds."""
        with self._lock:
            versions = self._served.get(model.name, {})
            old = versions.get(model.version)
            self._served = {**self._served, model.name: {**versions, model.version: model}}
            self._problems.pop((model.name, model.version), None)
        if old is not None and old is not model:
            self._retire(old, retire_s)

    def remove(self, name: str, version: str, retire_s: float) -> None:
        """Serve a version no longer, and retire it on a thread."""
        with self._lock:
            versions = dict(self._served.get(name, {}))
            old = versions.pop(version, None)
            self._served = {**self._served, name: versions}
            if not versions:
                self._served = {key: each for key, each in self._served.items() if each}
        if old is not None:
            self._retire(old, retire_s)

    def note_problem(self, name: str, version: str, reason: str) -> None:
        """Record why a version, or with '' a whole model, is not served or not as its files are; '' to forget it."""
        with self._lock:
            self._problems.pop((name, version), None)
            if reason:
                self._problems[name, version] = reason

    def _retire(self, model: ServedModel, seconds: float) -> None:
        def run() -> None:
            model.retire(seconds)
            with self._lock:
                self._retiring.discard(thread)

        thread = threading.Thread(target=run, name=f"retire {model.name}", daemon=True)
        with self._lock:
            self._retiring.add(thread)
        thread.start()

    # -- all together ----------------------------------------------------------------------------------------

    def load(
        self,
        on_wait: Callable[[ServedModel, int], None] = lambda *_: None,
        on_loaded: Callable[[ServedModel], None] = lambda _: None,
    ) -> None:
        """Load all models in turn. `on_wait` receives a slow one and its number from 1, `on_loaded` each.

        Raises LightloomError if one cannot be loaded, after closing the others.
        """
        try:
            for number, model in enumerate(self.all, 1):
                model.load(partial(on_wait, model, number))
                on_loaded(model)
        except LightloomError as error:
            self.close(None)
            raise ModelError(f"The model '{model.name}' is not served: {error}") from error

    def close(self, timeout: float | None) -> bool:
        """Unload all; False if one was still running after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout

        def left() -> float | None:
            return None if until is None else max(0.0, until - time.monotonic())

        for model in self.all:
            model.begin_unload(gives_back=False)
        ended = [model.unload(left()) for model in self.all]
        with self._lock:
            retiring = tuple(self._retiring)
        for thread in retiring:
            thread.join(left())
        give_back()  # once for all models: called for each, it made 71 small ones take 8 s to end
        return all(ended)


def models_of(
    named: Mapping[str, str], options: ModelOptions, own: Mapping[str, ModelOptions] | None = None
) -> Models:
    """Make the unloaded models of a mapping from served names to networks; `own` has options of some."""
    given = own or {}
    return Models({n: ServedModel(n, model, given.get(n, options)) for n, model in named.items()})
