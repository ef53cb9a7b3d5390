/* lightloom
title = "Tiny planet"
group = "Geometry"
help = "Bends the picture around a ball and looks at it from above (stereographic); made for 360° panoramas, fun with any picture."
tags = ["little planet", "360", "stereographic", "panorama", "globe"]
use = ["fill"]
hdr = true

[[param]]
name = "zoom"
min = 0.1
max = 4
default = 0.4
step = 0.01
unit = "×"
help = "At 1 the horizon's circle fills the frame's height."

[[param]]
name = "turn"
min = -180
max = 180
default = 0
step = 0.5
unit = "°"
help = "Turns the ball."

[[param]]
name = "tilt"
min = -90
max = 90
default = -90
step = 0.5
unit = "°"
help = "Where one looks: -90 is down on the planet, 0 ahead, 90 up into a tunnel of sky."
*/

// Inverse stereographic projection of the frame onto the unit sphere, then longitude and latitude as in an equirectangular panorama.
fn main(p: vec2i) -> vec4f {
  let v = 2.0 * (vec2f(p) + 0.5 - 0.5 * frame.size) / (frame.size.y * params.zoom);
  let n = dot(v, v);
  let ray = vec3f(2.0 * v, 1.0 - n) / (1.0 + n);
  let a = radians(params.tilt);
  let down = cos(a) * ray.y - sin(a) * ray.z;
  let ahead = sin(a) * ray.y + cos(a) * ray.z;
  var longitude = radians(params.turn);
  if (abs(ray.x) + abs(ahead) > 1e-6) { longitude += atan2(ray.x, ahead); }
  // Not asin, which loses half of its digits near the poles.
  let latitude = atan2(down, length(vec2f(ray.x, ahead)));
  // Half a texel inside, so that the poles don't wrap into each other.
  let half_texel = 0.5 / frame.size.y;
  return sample_repeat(vec2f(longitude / 6.2831853 + 0.5, clamp(latitude / 3.14159265 + 0.5, half_texel, 1.0 - half_texel)));
}
