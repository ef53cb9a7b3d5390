/* lightloom
title = "Mirror"
group = "Geometry"
help = "Flips the picture, or mirrors one half onto the other."
tags = ["flip", "reflect", "symmetry", "selfie"]
hdr = true

[[param]]
name = "mode"
type = "choice"
choices = ["flip horizontally", "flip vertically", "turn by 180°", "left half", "right half", "top half", "bottom half", "four-way"]
help = "A flip shows everything; a half is repeated on the other side."
*/

fn main(p: vec2i) -> vec4f {
  let far = vec2i(frame.size) - 1 - p;
  let near = min(p, far);
  var q = p;
  switch (params.mode) {
    case 0: { q.x = far.x; }
    case 1: { q.y = far.y; }
    case 2: { q = far; }
    case 3: { q.x = near.x; }
    case 4: { q.x = max(p.x, far.x); }
    case 5: { q.y = near.y; }
    case 6: { q.y = max(p.y, far.y); }
    default: { q = near; }
  }
  return load(q);
}
