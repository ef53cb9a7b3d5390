"""That the wait for all work waits behind it."""

from __future__ import annotations

from unittest.mock import MagicMock, call

from desktop.compute.gpu.wgpu_native import waiting


def test_the_wait_is_for_a_buffer_that_the_last_submission_writes(monkeypatch):
    """On an H100 a buffer that no submission has touched was mapped too early; a software adapter cannot show
    it.
    """
    device = MagicMock()
    probe = device.create_buffer.return_value
    monkeypatch.setattr(waiting, "map_for_reading", device.mapped)
    waiting.finish(device)
    assert call.mapped(device, probe) in device.mock_calls
    names = [each[0] for each in device.mock_calls]
    encoder = "create_command_encoder()"
    order = [f"{encoder}.clear_buffer", f"{encoder}.finish", "queue.submit", "mapped"]
    assert [name for name in names if name in order] == order
    assert call.create_command_encoder().clear_buffer(probe) in device.mock_calls
    assert call.queue.submit([device.create_command_encoder().finish()]) in device.mock_calls
