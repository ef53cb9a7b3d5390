/* lightloom
title = "Tracked object"
group = "Objects"
help = "One object by its number, wherever it moves. Click it in the video to choose it."
tags = ["track", "follow", "identity"]

[[param]]
name = "identity"
type = "int"
min = 1
max = 1000000
default = 1
label = "Number"
help = "The number that tracking has given the object."

[[param]]
name = "outline"
type = "choice"
choices = ["fitting", "box"]
help = "Fitting: the object's own mask if the network gives one, an ellipse around a face, else its box."

[given]
source = "track"
texture = "objects"
*/

fn main(p: vec2i) -> vec4f { return vec4f(sample(objects, uv_of(p)).r); }
