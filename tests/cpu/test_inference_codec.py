"""Tensors of the inference protocol, which the client and the server read and write with the same functions."""

from __future__ import annotations

import struct

import pytest

from desktop.net.inference.codec import (
    CONTENTS,
    binary_part,
    divided,
    from_bytes,
    from_numbers,
    to_bytes,
)
from desktop.net.inference.wire import DTYPES

FORMATS = {
    "BOOL": "?", "UINT8": "B", "UINT16": "H", "UINT32": "I", "UINT64": "Q", "INT8": "b", "INT16": "h", "INT32": "i",
    "INT64": "q", "FP16": "e", "FP32": "f", "FP64": "d",
}  # fmt: skip
VALUES = (0, 1, 1, 0, 1, 0)


@pytest.mark.parametrize("datatype", DTYPES)
def test_binary_tensors_are_what_struct_packs(datatype):
    packed = struct.pack(f"<6{FORMATS[datatype]}", *VALUES)
    # At an odd address, as behind JSON of any length.
    array = from_bytes(datatype, (2, 3), memoryview(b"x" + packed)[1:])
    assert array.shape == (2, 3) and array.dtype == DTYPES[datatype] and array.flags.aligned
    assert array.ravel().tolist() == list(VALUES)
    assert to_bytes(array) == packed
    assert to_bytes(array.astype(array.dtype.newbyteorder(">"))) == packed
    assert from_bytes(datatype, (0, 3), b"").shape == (0, 3)
    for size in (5, 7):
        with pytest.raises(ValueError, match=r"of \[2, 3\] has \d+ bytes, not"):
            from_bytes(datatype, (2, 3), struct.pack(f"<{size}{FORMATS[datatype]}", *(0,) * size))


def test_a_bool_is_one_or_zero():
    with pytest.raises(ValueError, match="each byte of it is 0 or 1"):
        from_bytes("BOOL", (2,), b"\1\2")


@pytest.mark.parametrize("datatype", sorted(DTYPES))
def test_numbers_are_flat_or_nested(datatype):
    for numbers in ([0, 1, 1, 0], [[0, 1], [1, 0]]):
        array = from_numbers(datatype, (2, 2), numbers)
        assert array.dtype == DTYPES[datatype] and array.tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match=r"of \[2, 2\] has 4 elements, not 3"):
        from_numbers(datatype, (2, 2), [0, 1, 1])
    with pytest.raises(ValueError, match=f"has a number that {datatype} cannot hold"):
        from_numbers(datatype, (2, 2), [[0, 1], [1]])


@pytest.mark.parametrize(
    ("datatype", "number"), [("UINT8", 256), ("UINT8", -1), ("INT64", 1 << 63), ("FP16", 1e5), ("FP32", 1e39)]
)
def test_a_number_that_a_type_cannot_hold_is_refused(datatype, number):
    with pytest.raises(ValueError, match=f"has a number that {datatype} cannot hold"):
        from_numbers(datatype, (1,), [number])


def test_fields_of_grpc_take_each_type_that_has_one():
    from tritonclient.grpc import service_pb2

    assert CONTENTS.keys() == DTYPES.keys() - {"FP16"}
    for datatype, field in CONTENTS.items():
        contents = service_pb2.InferTensorContents(**{field: VALUES})
        assert from_numbers(datatype, (6,), getattr(contents, field)).tolist() == list(VALUES)


def test_a_body_is_divided_where_its_header_says():
    body = b'{"a": 1}\x01\x02\x03'
    head, rest = divided(body, " 8 ")
    assert bytes(head) == b'{"a": 1}' and bytes(rest) == b"\1\2\3"
    assert bytes(divided(body, None)[0]) == body
    first, rest = binary_part({"binary_data_size": 1}, rest)
    none, rest = binary_part({}, rest)
    last, rest = binary_part({"binary_data_size": 2}, rest)
    assert first is not None and last is not None
    assert (bytes(first), none, bytes(last), bytes(rest)) == (b"\1", None, b"\2\3", b"")
    for length in ("", "x", "-1", "0", "12", "9" * 20, "\N{SUPERSCRIPT TWO}"):
        with pytest.raises(ValueError, match="is "):
            divided(body, length)
    for size in (-1, 4, 1.0, True, "1"):
        with pytest.raises(ValueError, match="not within the body"):
            binary_part({"binary_data_size": size}, memoryview(b"abc"))
