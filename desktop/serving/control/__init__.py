"""Remote control of the window over HTTP and WebSocket (docs/remote-control.md). Knows neither Qt nor the window.

`ControlServer` checks a request, reads its body and passes the call to the `Program` on that one's thread, through
a `CallQueue` with a bound. `OPERATIONS` declares every request; the routes and the OpenAPI document are made of it.
"""
