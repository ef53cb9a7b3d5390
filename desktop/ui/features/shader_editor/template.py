"""The text that a new effect begins with."""

from __future__ import annotations

from typing import Final

TEMPLATE: Final = """/* lightloom
title = "{title}"
help = "One sentence about what it does."

# Sliders, switches and colors of the card; docs/filters.md lists all types.
[[param]]
name = "amount"
min = 0
max = 1
default = 0.5
step = 0.01
help = "How much of the effect is seen."

# To read the audio, the mask or tracked objects add a line above [[param]]:
# inputs = ["audio", "mask", "tracks"]
*/

// Called for each pixel p of the result, with (0, 0) at the top left. Returns R, G, B and alpha, 0 to 1.
fn main(p: vec2i) -> vec4f {{
  let color = load(p);        // the same pixel of the input
  let uv = uv_of(p);          // its position, 0 to 1
  let tinted = color.rgb * vec3f(uv, 0.5 + 0.5 * sin(frame.time));
  return vec4f(mix(color.rgb, tinted, params.amount), color.a);
}}
"""


def copied(text: str, title: str) -> str:
    """Return a filter's text with another title."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.replace(" ", "").startswith("title="):
            lines[number] = f'title = "{title}"'
            break
    return "\n".join(lines)
