// Values and images that Shadertoy gives, for compilers.
float at(int channel) { return iChannelTime[channel & 3]; }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 place = fragCoord / iResolution.xy + 0.01 * sin(iChannelTime[0] + at(iFrame));
  vec4 other = texture(iChannel1, place * iChannelResolution[1].xy / iResolution.xy);
  fragColor = mix(texture(iChannel0, place), other, iMouse.x / iResolution.x * iTimeDelta + iTime * 0.0);
}
