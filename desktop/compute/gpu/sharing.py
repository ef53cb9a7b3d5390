"""A weak cache of a device's shader modules and pipelines; the most recently used are also held strongly.

Not all are: a software adapter keeps over a megabyte of code per compute pipeline.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Shared:
    """A cache by key of objects that support weak references. The caller takes a lock."""

    def __init__(self, held: int) -> None:
        """`held`: number of most recently used objects that the cache itself holds."""
        self._most = held
        self._objects: weakref.WeakValueDictionary[Hashable, Any] = weakref.WeakValueDictionary()
        self._held: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable) -> Any | None:
        """Return the object of a key, None if it is gone."""
        found = self._objects.get(key)
        if found is not None:
            self._hold(key, found)
        return found

    def put(self, key: Hashable, made: Any) -> Any:
        """Store an object; return it, or the one that another thread has stored meanwhile."""
        kept = self._objects.setdefault(key, made)
        self._hold(key, kept)
        return kept

    def _hold(self, key: Hashable, kept: Any) -> None:
        self._held[key] = kept
        self._held.move_to_end(key)
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    def clear(self) -> None:
        """Release everything."""
        self._objects.clear()
        self._held.clear()
