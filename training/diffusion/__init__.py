"""The few-step denoiser in the box: how it is made, trained, measured and written."""
