"""Map the pixels of a convolution's input to the stored tensor, through padding and enlargement.

`Pad` (reflect, edge, zeros) and nearest `Resize` by integers only choose pixels. A pass folds them into the
convolution: 18 of 80 dispatches less for Johnson's style network at 512x512.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Detail


@dataclass(frozen=True)
class InputMap(Detail):
    """Map from the pixels of a convolution's input to those of the stored tensor. Pairs are (height, width).

    Attributes:
        mode: 'reflect', 'edge' or 'constant' (zeros), as ONNX's Pad names them.
        scale: integer factors of enlargement, before padding.
    """

    mode: str
    before: tuple[int, int]
    after: tuple[int, int]
    scale: tuple[int, int]
    stored: tuple[int, int]

    @property
    def size(self) -> tuple[int, int]:
        """Return the spatial size of the convolution's input."""
        height, width = (
            self.before[axis] + self.stored[axis] * self.scale[axis] + self.after[axis] for axis in (0, 1)
        )
        return height, width

    def code(self) -> str:
        """Return WGSL `source_row` and `source_column`: stored coordinates, huge for padding zeros."""
        return "\n".join(
            f"fn source_{name}(padded: u32) -> u32 {{\n{self._body(axis)}\n}}"
            for axis, name in enumerate(("row", "column"))
        )

    def _body(self, axis: int) -> str:
        last = self.stored[axis] * self.scale[axis] - 1
        lines = [f"  let at = i32(padded) - {self.before[axis]};"]
        if self.mode == "constant":
            lines.append(f"  if (at < 0 || at > {last}) {{ return 0xffffffffu; }}\n  let inside = at;")
        elif self.mode == "edge":
            lines.append(f"  let inside = clamp(at, 0, {last});")
        else:
            lines.append(f"  let inside = min(abs(at), {2 * last} - abs(at));")
        return "\n".join([*lines, f"  return u32(inside) / {self.scale[axis]}u;"])
