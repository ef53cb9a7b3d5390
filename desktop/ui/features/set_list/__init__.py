"""The set list: looks in an order, stepped through by key, controller or remote control."""
