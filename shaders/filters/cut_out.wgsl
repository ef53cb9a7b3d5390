/* lightloom
title = "Cut out"
group = "Key"
help = "Makes the frame transparent: with a mask, what it covers is cut out."
tags = ["alpha", "matte", "transparent", "key", "remove", "background"]
hdr = true
*/

fn main(p: vec2i) -> vec4f { return vec4f(load(p).rgb, 0.0); }
