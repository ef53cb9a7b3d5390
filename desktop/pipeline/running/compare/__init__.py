"""One network on two backends or precisions, compared."""
