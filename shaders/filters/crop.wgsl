/* lightloom
title = "Crop and zoom"
group = "Geometry"
help = "Cuts off the edges, zooms and pans, and scales what is left to the frame."
tags = ["cut", "zoom", "pan", "punch in", "trim"]
use = ["fill"]
hdr = true

[[param]]
name = "left"
min = 0
max = 95
default = 0
step = 0.5
unit = "%"
help = "Cut off at the left."

[[param]]
name = "right"
min = 0
max = 95
default = 0
step = 0.5
unit = "%"
help = "Cut off at the right."

[[param]]
name = "top"
min = 0
max = 95
default = 0
step = 0.5
unit = "%"
help = "Cut off at the top."

[[param]]
name = "bottom"
min = 0
max = 95
default = 0
step = 0.5
unit = "%"
help = "Cut off at the bottom."

[[param]]
name = "zoom"
min = 1
max = 16
default = 1
step = 0.05
unit = "×"
help = "Enlarges what the edges leave."

[[param]]
name = "pan"
type = "point"
default = [0.5, 0.5]
help = "Where in the remaining picture the zoom looks; 0 and 1 are its edges."

[[param]]
name = "size"
type = "choice"
choices = ["fit", "cover", "stretch", "in place"]
help = "Fit it into the frame, cover the frame, stretch to it, or leave it where it was."
*/

// The part of the picture that is shown, in uv: x, y of its corner and its width and height.
fn window() -> vec4f {
  let smallest = 1.0 / frame.size;
  let low = min(vec2f(params.left, params.top) * 0.01, 1.0 - smallest);
  let kept = max(1.0 - low - vec2f(params.right, params.bottom) * 0.01, smallest);
  let size = kept / params.zoom;
  return vec4f(low + (kept - size) * params.pan, size);
}

fn main(p: vec2i) -> vec4f {
  let part = window();
  if (params.size == 3) {
    // A pixel belongs to the part if its center does; centers exactly on an edge count to its right, whichever way a product rounds.
    let first = vec2i(ceil(part.xy * frame.size - 0.501));
    let end = vec2i(ceil((part.xy + part.zw) * frame.size - 0.501));
    let inside = all(p >= first) && all(p < end);
    return select(vec4f(0.0, 0.0, 0.0, 1.0), load(p), inside);
  }
  // uv and the frame have the same aspect, so equal scales in uv are equal scales in pixels.
  var scale = part.zw;
  if (params.size == 0) { scale = vec2f(max(scale.x, scale.y)); }
  if (params.size == 1) { scale = vec2f(min(scale.x, scale.y)); }
  let at = part.xy + part.zw * 0.5 + (uv_of(p) - 0.5) * scale;
  let edge = (part.zw * 0.5 - abs(at - part.xy - part.zw * 0.5)) / scale * frame.size;
  let inside = clamp(min(edge.x, edge.y) + 0.5, 0.0, 1.0);
  return mix(vec4f(0.0, 0.0, 0.0, 1.0), sample(input, at), select(inside, 1.0, params.size != 0));
}
