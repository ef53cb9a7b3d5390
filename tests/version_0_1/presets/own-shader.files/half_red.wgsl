/* lightloom
title = "Half red"
[[param]]
name = "amount"
default = 0.5
*/
fn main(p: vec2i) -> vec4f { let c = load(p); return vec4f(c.r * params.amount, c.gba); }
