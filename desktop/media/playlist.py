"""A playlist: entries, their playing order, and the current one. Immutable; opens no file."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from desktop.base.addresses import is_address, public_name
from desktop.base.errors import UsageError
from desktop.base.printable import printable
from desktop.base.wording import sentence

Loop = Literal["none", "all", "one"]
LOOPS: Final[tuple[Loop, ...]] = ("none", "all", "one")
MOST_ENTRIES: Final = 10_000


@dataclass(frozen=True)
class Entry:
    """An entry of a playlist.

    Attributes:
        id: unique, even among entries for the same file.
        spec: as `open_source` takes it: a path, an address, 'sample', 'camera:...'.
        seconds: duration, 0.0 if unknown.
    """

    id: int
    spec: str
    title: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", printable(self.title or name_of(self.spec)))


def name_of(spec: str) -> str:
    """Return what a source is called before it is opened; of an address what may be shown of it."""
    name = public_name(spec)
    return name if is_address(name) else Path(name).name or name


@dataclass(frozen=True)
class Playlist:
    """Entries in display order.

    Attributes:
        order: their ids in playing order, which differs if shuffled.
        current: the id of the current entry, None before the first.
        loop: what follows the last entry: nothing, the first, or ('one') each entry again.
        seed: of the shuffled order, None if not shuffled.
        broken: ids of those that could not be opened and are skipped, with the reasons.
    """

    entries: tuple[Entry, ...] = ()
    order: tuple[int, ...] = ()
    current: int | None = None
    loop: Loop = "none"
    seed: int | None = None
    broken: tuple[tuple[int, str], ...] = ()
    next_id: int = field(default=0, compare=False)

    def __len__(self) -> int:
        return len(self.entries)

    # -- looking ---------------------------------------------------------------------------------------------

    def entry(self, entry_id: int | None) -> Entry | None:
        """Return an entry by its id."""
        return next((entry for entry in self.entries if entry.id == entry_id), None)

    def place(self, entry_id: int | None) -> int:
        """Return the index of an entry in `entries`, -1 if it is not there."""
        return next((n for n, entry in enumerate(self.entries) if entry.id == entry_id), -1)

    def failure_reason(self, entry_id: int) -> str:
        """Return why an entry could not be opened, '' where it was not tried or opened."""
        return dict(self.broken).get(entry_id, "")

    # -- what comes next -------------------------------------------------------------------------------------

    def step(self, direction: int) -> Playlist | None:
        """Return the list at the next (1) or previous (-1) entry that is not broken; None if there is none. A
        looping shuffled list begins each round in another order: each entry plays once before any repeats.
        """
        broken = dict(self.broken)
        at = self.order.index(self.current) if self.current in self.order else -1 if direction > 0 else 0
        ahead = self.order[at + 1 :] if direction > 0 else self.order[:at][::-1]
        found = next((entry for entry in ahead if entry not in broken), None)
        if found is not None:
            return replace(self, current=found)
        if self.loop == "none":
            return None
        round_ = self._next_round() if direction > 0 else self
        again = round_.order if direction > 0 else round_.order[::-1]
        found = next((entry for entry in again if entry not in broken), None)
        return None if found is None else replace(round_, current=found)

    def _next_round(self) -> Playlist:
        if self.seed is None:
            return self
        seed = self.seed + 1
        order = _shuffled([entry.id for entry in self.entries], seed)
        if len(order) > 1 and order[0] == self.current:
            # Playing an entry twice in a row would look as if nothing had happened.
            order = (*order[1:], order[0])
        return replace(self, seed=seed, order=order)

    def after_end(self) -> Playlist | None:
        """Return the list after the current entry ended: as `step(1)`, except if that entry repeats."""
        if self.loop == "one" and self.current is not None:
            return self
        return self.step(1)

    # -- changing --------------------------------------------------------------------------------------------

    def at(self, entry_id: int) -> Playlist:
        """Return the list with this entry current and no longer broken, so that it is tried again."""
        broken = tuple(pair for pair in self.broken if pair[0] != entry_id)
        return replace(self, current=entry_id, broken=broken)

    def chosen(self, entry_id: int) -> Playlist:
        """Return the list with this entry played out of turn: if shuffled, skipped entries follow it."""
        if self.seed is None or entry_id == self.current or self.place(entry_id) < 0:
            return self.at(entry_id)
        done = self.order.index(self.current) + 1 if self.current in self.order else 0
        played, ahead = (
            [n for n in part if n != entry_id] for part in (self.order[:done], self.order[done:])
        )
        return replace(self, order=(*played, entry_id, *ahead)).at(entry_id)

    def marked_broken(self, entry_id: int, why: str) -> Playlist:
        """Return the list with an entry that could not be opened."""
        kept = tuple(pair for pair in self.broken if pair[0] != entry_id)
        return replace(self, broken=(*kept, (entry_id, why)))

    def lasting(self, entry_id: int, seconds: float) -> Playlist:
        """Return the list with what is now known of an entry's length."""
        entries = tuple(replace(e, seconds=seconds) if e.id == entry_id else e for e in self.entries)
        return replace(self, entries=entries)

    def added(self, new: Iterable[Entry | str], at: int | None = None) -> Playlist:
        """Return the list with entries or their specs inserted; UsageError if over `MOST_ENTRIES`."""
        made = tuple(
            replace(entry, id=number) if isinstance(entry, Entry) else Entry(number, entry)
            for number, entry in enumerate(new, self.next_id)
        )
        if len(self.entries) + len(made) > MOST_ENTRIES:
            raise UsageError(
                sentence(
                    "A playlist holds {most:,} entries at most; take a part of the files, or a folder of "
                    "images as one entry.",
                    most=MOST_ENTRIES,
                )
            )
        at = len(self.entries) if at is None else max(0, min(at, len(self.entries)))
        entries = (*self.entries[:at], *made, *self.entries[at:])
        grown = replace(self, entries=entries, next_id=self.next_id + len(made))
        if self.seed is None:
            return grown._in_order()
        # Among those that are still to come: what has played in this round stays played.
        done = self.order.index(self.current) + 1 if self.current in self.order else 0
        ahead = _shuffled([*self.order[done:], *(entry.id for entry in made)], self.seed + len(entries))
        return replace(grown, order=(*self.order[:done], *ahead))

    def removed(self, ids: Collection[int]) -> Playlist:
        """Return the list without some entries; a removed current entry is replaced by its predecessor."""
        gone = set(ids)
        current = self.current
        if current in gone:
            before = self.order[: self.order.index(current)][::-1] if current in self.order else ()
            current = next((entry for entry in before if entry not in gone), None)
        return replace(
            self,
            entries=tuple(entry for entry in self.entries if entry.id not in gone),
            order=tuple(entry for entry in self.order if entry not in gone),
            broken=tuple(pair for pair in self.broken if pair[0] not in gone),
            current=current,
        )

    def moved(self, ids: Collection[int], to: int) -> Playlist:
        """Return the list with some entries, in their order, moved before the one now at index `to`."""
        taken = set(ids)
        moving = [entry for entry in self.entries if entry.id in taken]
        before = [entry for entry in self.entries[:to] if entry.id not in taken]
        behind = [entry for entry in self.entries[max(0, to) :] if entry.id not in taken]
        moved = replace(self, entries=(*before, *moving, *behind))
        return moved if self.seed is not None else moved._in_order()

    def shuffled(self, seed: int | None) -> Playlist:
        """Return the list shuffled, the current entry first; None restores the order of its entries."""
        if seed is None:
            return replace(self, seed=None)._in_order()
        others = [entry.id for entry in self.entries if entry.id != self.current]
        first = () if self.place(self.current) < 0 else (self.current,)
        return replace(
            self, seed=seed, order=(*(n for n in first if n is not None), *_shuffled(others, seed))
        )

    def looping(self, loop: Loop) -> Playlist:
        """Return the list with another `loop`."""
        return replace(self, loop=loop)

    def _in_order(self) -> Playlist:
        return replace(self, order=tuple(entry.id for entry in self.entries))


def _shuffled(ids: Sequence[int], seed: int) -> tuple[int, ...]:
    # Nothing secret: a seed gives the same order again, which a test and an undone step rely on.
    return tuple(random.Random(seed).sample(ids, len(ids)))
