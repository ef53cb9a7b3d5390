"""GPU compute: the device (`gpu`) and the network engine (`nn`). Knows neither frames, tasks nor windows."""
