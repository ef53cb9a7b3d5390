"""The newest documents, and the clients that follow them."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from desktop.base.errors import ServingError
from desktop.serving.control.documents import Parameters, State, json_of

MOST_FOLLOWERS: Final = 8


class Follower:
    """A client that follows; it gets the newest documents only, however slowly it reads."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._sent: tuple[State | None, Parameters | None] = (None, None)

    def notify(self) -> None:
        """There is another document, or the end."""
        self._changed.set()

    async def next(self, changes: Changes) -> dict[str, Any]:
        """Return what has changed since the last call; {} at the end."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if changes.is_ended:
                return {}
            state, parameters = changes.state, changes.parameters
            sent, self._sent = self._sent, (state, parameters)
            message: dict[str, Any] = {}
            if state is not None and state != sent[0]:
                message["state"] = json_of(state)
            if parameters is not None and parameters != sent[1]:
                message["parameters"] = json_of(parameters)
            if message:
                return message


class Changes:
    """The newest state and parameters. For the server's thread.

    Attributes:
        is_ended: True once the server closes.
    """

    def __init__(self) -> None:
        self.state: State | None = None
        self.parameters: Parameters | None = None
        self.is_ended = False
        self._followers: set[Follower] = set()

    @property
    def followers(self) -> int:
        """Number of clients that follow."""
        return len(self._followers)

    def publish(self, state: State, parameters: Parameters) -> None:
        """Replace the documents."""
        self.state, self.parameters = state, parameters
        for follower in self._followers:
            follower.notify()

    def follow(self) -> Follower:
        """Add a client, which gets what is there first. Raises ServingError if there are too many."""
        if len(self._followers) >= MOST_FOLLOWERS:
            raise ServingError("full", f"{MOST_FOLLOWERS} clients follow already; close another one.")
        follower = Follower()
        self._followers.add(follower)
        if self.state is not None:
            follower.notify()
        return follower

    def leave(self, follower: Follower) -> None:
        """Remove a client."""
        self._followers.discard(follower)

    def end(self) -> None:
        """End all."""
        self.is_ended = True
        for follower in self._followers:
            follower.notify()
