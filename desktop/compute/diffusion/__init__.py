"""Latent diffusion: a folder as diffusers and Optimum export it, from words or a picture to a picture. docs/diffusion.md

folder.py reads what a folder says, tokens.py makes numbers of words, schedulers/ has a file for each way from noise to a picture, and
pipeline.py runs the parts by the project's own backends.
"""
