"""Description of a network in use, for the user."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.wording import Text, joined, sentence
from desktop.compute.nn.session import Session


def where_of(session: Session) -> Text:
    """Return the backend, device and precision of a session: 'wgpu on NVIDIA H100, fp16'."""
    return sentence(
        "{backend} on {device}, {precision}",
        backend=session.backend,
        device=session.device,
        precision=session.precision,
    )


@dataclass(frozen=True)
class NetworkDescription:
    """A network's backend, preprocessing and findings, in the parts that a card shows separately.

    Attributes:
        where: for example 'wgpu on NVIDIA H100, fp16'.
        details: the input, and what was inferred or assumed; a line each.
    """

    where: Text
    reason: str
    details: tuple[str, ...]

    @property
    def rest(self) -> Text:
        """Everything except `where`, in lines."""
        return joined("\n", (self.reason, *self.details))

    @property
    def text(self) -> Text:
        """The whole description, in lines."""
        return sentence("{where}: {rest}", where=self.where, rest=self.rest)
