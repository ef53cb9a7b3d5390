"""Latent diffusion with folders exported by diffusers and Optimum; see docs/diffusion.md."""
