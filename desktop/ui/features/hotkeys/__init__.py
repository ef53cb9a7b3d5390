"""Global hotkeys: keys that act while another program has the focus."""
