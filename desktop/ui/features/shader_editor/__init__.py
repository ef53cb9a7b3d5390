"""Editor of shaders, with errors in place and the result in the view."""
