"""A frame on the GPU: upload, color, redaction, filters, networks, presentation."""
