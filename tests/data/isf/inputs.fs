/*{
  "DESCRIPTION": "Shows each type of input.",
  "CREDIT": "Lightloom",
  "ISFVSN": "2",
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "level", "TYPE": "float", "LABEL": "Level", "MIN": -2, "MAX": 2, "DEFAULT": 0.5},
    {"NAME": "isOn", "TYPE": "bool", "DEFAULT": true},
    {"NAME": "flash", "TYPE": "event"},
    {"NAME": "mode", "TYPE": "long", "VALUES": [0, 1, 2], "LABELS": ["Red", "Green", "Blue"], "DEFAULT": 1},
    {"NAME": "taps", "TYPE": "long", "VALUES": [3, 9, 5], "LABELS": ["few", "many", "many"], "DEFAULT": 9},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0.8, 0.4, 0.2, 1.0]},
    {"NAME": "center", "TYPE": "point2D", "MIN": [-1, -1], "MAX": [1, 1], "DEFAULT": [0.5, -0.25]},
    {"NAME": "override", "TYPE": "image", "LABEL": "Overlay"}
  ]
}*/

void main() {
  vec4 color = IMG_THIS_PIXEL(inputImage);
  float near = 1.0 - clamp(distance(isf_FragNormCoord * 2.0 - 1.0, center) * 0.7, 0.0, 1.0);
  color.rgb = mix(color.rgb, tint.rgb, near * level);
  if (isOn) color[mode] *= float(taps) / 10.0;
  if (flash) color = vec4(1.0);
  gl_FragColor = color + IMG_NORM_PIXEL(override, isf_FragNormCoord) * 0.5;
}
