/* lightloom
title = "Zone"
group = "Shapes"
help = "A zone that objects are counted in."
tags = ["area", "region of interest"]

[[param]]
name = "zone"
type = "text"
default = ""
label = "Name"
help = "Name of the zone; empty for all."

[given]
source = "zone"
texture = "zones"
*/

fn main(p: vec2i) -> vec4f { return vec4f(sample(zones, uv_of(p)).r); }
