/* lightloom
title = "Chromatic aberration"
group = "Lens"
help = "Color fringes that grow towards the corners, as a lens leaves them when it enlarges red and blue differently."
tags = ["fringe", "rgb split", "lens"]
hdr = true

[[param]]
name = "shift"
min = -40
max = 40
default = 8
step = 0.25
unit = "px"
help = "Shift of red outwards and of blue inwards in the corners; it is in proportion to the distance from the center."

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The lens's axis, where nothing is shifted."
*/

fn main(p: vec2i) -> vec4f {
  let at = uv_of(p);
  // A shift in proportion to the radius is a scale, which is the same in uv; half the diagonal is the corner's radius.
  let offset = (at - params.center) * params.shift / (0.5 * length(frame.size));
  let c = load(p);
  return vec4f(sample(input, at - offset).r, c.g, sample(input, at + offset).b, c.a);
}
