/* lightloom
title = "Detected objects"
group = "Objects"
help = "What the analysis network finds in the frame: all of it, or some classes."
tags = ["detector", "boxes", "instance", "class", "person", "face", "car", "yolo"]

[[param]]
name = "classes"
type = "text"
default = ""
help = "Names of classes with commas between them; empty for all."

[[param]]
name = "outline"
type = "choice"
choices = ["fitting", "box"]
help = "Fitting: the object's own mask if the network gives one, an ellipse around a face, else its box."

[[param]]
name = "score"
min = 0
max = 1
default = 0
step = 0.01
help = "Objects that are less certain are left out."

[given]
source = "detections"
texture = "objects"
*/

fn main(p: vec2i) -> vec4f { return vec4f(sample(objects, uv_of(p)).r); }
