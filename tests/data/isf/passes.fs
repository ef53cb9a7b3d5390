/*{
  "DESCRIPTION": "Mixes a blurred half of the frame with trails of the frames before.",
  "CREDIT": "Lightloom",
  "ISFVSN": "2",
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "trailShare", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.5}
  ],
  "PASSES": [
    {"TARGET": "small", "WIDTH": "floor($WIDTH / 2.0)", "HEIGHT": "max(floor($HEIGHT / 2.0), 1.0)"},
    {"TARGET": "trail", "PERSISTENT": true},
    {"TARGET": "state", "PERSISTENT": true, "FLOAT": true, "WIDTH": "4", "HEIGHT": "2"},
    {}
  ]
}*/

varying vec2 left_coord;
varying vec2 right_coord;

void main() {
  if (PASSINDEX == 0) {
    gl_FragColor = (IMG_NORM_PIXEL(inputImage, left_coord) + IMG_NORM_PIXEL(inputImage, right_coord)) * 0.75;
  } else if (PASSINDEX == 1) {
    gl_FragColor = mix(IMG_THIS_PIXEL(small), IMG_THIS_PIXEL(trail), FRAMEINDEX == 0 ? 0.0 : trailShare);
  } else if (PASSINDEX == 2) {
    gl_FragColor = IMG_THIS_PIXEL(state) + vec4(gl_FragCoord.xy, 0.25, 1.5);
  } else {
    vec4 kept = IMG_NORM_PIXEL(state, isf_FragNormCoord);
    vec4 color = IMG_NORM_PIXEL(trail, vec2(left_coord.x, isf_FragNormCoord.y));
    gl_FragColor = vec4(color.rgb * 0.7 + fract(kept.rgb * 0.1) * 0.3, 1.0);
    gl_FragColor.b += texelFetch(trail, ivec2(1, 2), 0).g * 0.1 + TIME;
  }
}
