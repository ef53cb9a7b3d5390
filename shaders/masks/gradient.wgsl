/* lightloom
title = "Gradient"
group = "Shapes"
help = "Full on one side of the frame, falling to nothing on the other."
tags = ["linear", "graduated", "sky", "horizon", "fade"]
hdr = true

[[param]]
name = "start"
type = "point"
default = [0.5, 0.25]
help = "Where the mask begins to fall; before this it is full."

[[param]]
name = "end"
type = "point"
default = [0.5, 0.75]
help = "Where the mask ends."
*/

fn main(p: vec2i) -> vec4f {
  let along = (params.end - params.start) * frame.size;
  let at = vec2f(p) + 0.5 - params.start * frame.size;
  let share = dot(at, along) / max(dot(along, along), 1e-6);
  return vec4f(1.0 - clamp(share, 0.0, 1.0));
}
