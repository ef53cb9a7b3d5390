"""What a network in use tells of itself."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.nn.session import Session
from desktop.wording import Text, joined, sentence


def where_of(session: Session) -> Text:
    """Return what computes a session and in which numbers: 'wgpu on NVIDIA H100, fp16'."""
    return sentence(
        "{backend} on {device}, {precision}",
        backend=session.backend,
        device=session.device,
        precision=session.precision,
    )


@dataclass(frozen=True)
class NetworkDescription:
    """What computes a network and why, how pictures go into it, and what was found out about it; in the parts that a card shows apart.

    Attributes:
        where: 'wgpu on NVIDIA H100, fp16'.
        why: the reason for that backend, a sentence.
        details: the input, and what was inferred or assumed; a line each.
    """

    where: Text
    why: str
    details: tuple[str, ...]

    @property
    def rest(self) -> Text:
        """All but `where`, in lines."""
        return joined("\n", (self.why, *self.details))

    @property
    def text(self) -> Text:
        """All of it, in lines."""
        return sentence("{where}: {rest}", where=self.where, rest=self.rest)
