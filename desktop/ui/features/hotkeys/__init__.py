"""Global shortcuts: keys that act while another program has the focus."""
