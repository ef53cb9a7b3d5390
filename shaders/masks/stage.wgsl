/* lightloom
title = "Another effect"
group = "Image"
help = "The result of an earlier effect of the chain, as a mask: its brightness, or how opaque it is."
tags = ["stage", "matte", "alpha"]

[[param]]
name = "stage"
type = "int"
min = 1
max = 32
default = 1
label = "Effect"
help = "Number of the effect in the chain; it must stand before this one."

[[param]]
name = "channel"
type = "choice"
choices = ["brightness", "opacity"]
help = "Luma of R'G'B' (BT.709), or alpha."

[given]
source = "stage"
texture = "of_stage"
*/

fn main(p: vec2i) -> vec4f {
  let c = sample(of_stage, uv_of(p));
  return vec4f(clamp(select(luma(c.rgb), c.a, params.channel == 1), 0.0, 1.0));
}
