/* lightloom
title = "Spotlight"
group = "Light"
help = "Darkens the frame around the objects that the network detects, with a soft ellipse of light on each."
tags = ["track", "detection", "follow", "object", "vignette"]
inputs = ["tracks"]

[[param]]
name = "dim"
min = 0
max = 1
default = 0.25
step = 0.01
help = "Light that is left around the objects."

[[param]]
name = "size"
min = 0.5
max = 3
default = 1.4
step = 0.05
unit = "×"
help = "Size of the ellipses, relative to the objects."

[[param]]
name = "softness"
min = 0.01
max = 1
default = 0.4
step = 0.01
help = "Width of the soft edge, as a share of the ellipse."

[[param]]
name = "score"
min = 0
max = 1
default = 0
step = 0.01
help = "Objects with a lower score get no light."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let uv = uv_of(p);
  // Without an object the frame stays as it is.
  var light = select(0.0, 1.0, tracks.count == 0u);
  for (var i = 0u; i < tracks.count; i++) {
    let track = tracks.items[i];
    if (track.score < params.score) { continue; }
    let center = 0.5 * (track.box.xy + track.box.zw);
    let radius = max(0.5 * params.size * (track.box.zw - track.box.xy), vec2f(0.001));
    light = max(light, 1.0 - smoothstep(1.0 - params.softness, 1.0, length((uv - center) / radius)));
  }
  return vec4f(from_linear(to_linear(c.rgb) * mix(params.dim, 1.0, light)), c.a);
}
