"""Latent diffusion: a folder as diffusers and Optimum export it, from text or an image to an image. docs/diffusion.md

folder.py reads a folder, tokens.py tokenizes prompts, schedulers/ has a file for each sampler, and pipeline.py runs the parts on the
project's own backends.
"""
