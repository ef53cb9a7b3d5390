/* lightloom
title = "Brush"
group = "Shapes"
help = "What you paint in the video."
tags = ["paint", "draw", "stroke"]
hdr = true

[[param]]
name = "strokes"
type = "points"
default = ""
help = "Points of the strokes in fractions of the frame, such as 0.2/0.2 0.4/0.3; a ; begins another stroke."

[[param]]
name = "width"
min = 0.1
max = 100
default = 10
step = 0.1
unit = "% of height"
help = "Width of the strokes, in percent of the frame's height."

[given]
source = "brush"
texture = "strokes"
*/

fn main(p: vec2i) -> vec4f { return vec4f(sample(strokes, uv_of(p)).r); }
