/* lightloom
title = "Levels"
group = "Light"
help = "Maps a range of input values to a range of output values with a gamma between; values outside are clipped."
tags = ["black point", "white point", "gamma", "histogram"]

[[param]]
name = "channel"
type = "choice"
choices = ["all", "red", "green", "blue"]
default = "all"
help = "The channel that is changed."

[[param]]
name = "in_black"
label = "Input black"
min = 0
max = 1
default = 0
step = 0.005
help = "Input value that becomes output black."

[[param]]
name = "in_white"
label = "Input white"
min = 0
max = 1
default = 1
step = 0.005
help = "Input value that becomes output white."

[[param]]
name = "gamma"
min = 0.1
max = 10
default = 1
step = 0.01
help = "Above 1 lifts the midtones, below 1 darkens them."

[[param]]
name = "out_black"
label = "Output black"
min = 0
max = 1
default = 0
step = 0.005
help = "Value that black is given; above output white it inverts."

[[param]]
name = "out_white"
label = "Output white"
min = 0
max = 1
default = 1
step = 0.005
help = "Value that white is given."
*/

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  // A white at or below black gives a threshold, not a division by zero.
  let width = max(params.in_white - params.in_black, 1e-4);
  let unit = clamp((c.rgb - params.in_black) / width, vec3f(0.0), vec3f(1.0));
  let mapped = mix(vec3f(params.out_black), vec3f(params.out_white), pow(unit, vec3f(1.0 / params.gamma)));
  let chosen = vec3<bool>(params.channel == 1, params.channel == 2, params.channel == 3);
  return vec4f(select(c.rgb, mapped, chosen | vec3<bool>(params.channel == 0)), c.a);
}
