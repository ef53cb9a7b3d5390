/* lightloom
title = "Ripple"
group = "Geometry"
help = "Moving waves, as of water: straight ones that shear the picture, or rings around a point."
tags = ["wave", "water", "wobble", "heat", "dream"]
use = ["fill"]
hdr = true

[[param]]
name = "shape"
type = "choice"
choices = ["rings", "waves"]
help = "Rings around the center, or straight waves."

[[param]]
name = "amplitude"
min = 0
max = 100
default = 10
step = 0.5
unit = "px"
help = "Largest displacement."

[[param]]
name = "wavelength"
min = 4
max = 1000
default = 90
step = 1
unit = "px"
help = "Distance from crest to crest."

[[param]]
name = "speed"
min = -10
max = 10
default = 0.75
step = 0.05
unit = "Hz"
help = "Crests that pass in a second; rings run outwards."

[[param]]
name = "angle"
min = -180
max = 180
default = 90
step = 1
unit = "°"
help = "Where the waves run to: 0 is right, 90 is down."
when = { shape = "waves" }

[[param]]
name = "center"
type = "point"
default = [0.5, 0.5]
help = "The middle of the rings."
when = { shape = "rings" }

[[param]]
name = "fill"
type = "choice"
choices = ["black", "transparent", "edge", "mirror", "repeat"]
default = "mirror"
help = "What is shown where the picture does not reach."
*/

fn main(p: vec2i) -> vec4f {
  let at = vec2f(p) + 0.5;
  let d = at - params.center * frame.size;
  let a = radians(params.angle);
  var direction = vec2f(cos(a), sin(a));
  if (params.shape == 0) { direction = d / max(length(d), 1e-6); }
  // The fraction is taken before it meets the sine, whose argument would lose precision in a long run.
  let phase = fract(dot(d, direction) / params.wavelength - fract(params.speed * frame.time));
  // Rings stretch along their radius, straight waves shear across their direction.
  let along = select(vec2f(-direction.y, direction.x), direction, params.shape == 0);
  return sample_fill((at + along * params.amplitude * sin(6.2831853 * phase)) / frame.size, params.fill);
}
