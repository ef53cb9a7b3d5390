/* lightloom
title = "Polygon"
group = "Shapes"
help = "A closed outline of straight lines. Draw it in the video."
tags = ["lasso", "pen", "freeform"]
hdr = true

[[param]]
name = "points"
type = "points"
default = "0.25/0.25 0.75/0.25 0.75/0.75 0.25/0.75"
help = "Its corners in fractions of the frame, such as 0.25/0.25 0.75/0.25 0.5/0.75; a ; begins another polygon."

[given]
source = "outline"
texture = "outlines"
*/

fn main(p: vec2i) -> vec4f { return vec4f(sample(outlines, uv_of(p)).r); }
