"""Outlook messages, made for tests: honest ones with attachments, and some that would hurt whoever believes them."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from workroom.documents.compound_writer import compound_file

MSG = "application/vnd.ms-outlook"
Streams = dict[tuple[str, ...], bytes]
_PROPERTIES = "__properties_version1.0"


def message(subject: str, attached: Sequence[tuple[str, bytes] | Streams] = (), body: str = "") -> Streams:
    """As the streams of a message by itself; another message among the attachments is given as its streams."""
    made: Streams = {
        (_PROPERTIES,): bytes(32) + struct.pack("<HHIQ", 0x0003, 0x340D, 6, 0x40000),
        ("__substg1.0_0037001F",): text(subject),
        ("__substg1.0_1000001F",): text(body or f"The text of {subject}."),
        ("__nameid_version1.0", "__substg1.0_00020102"): b"names",
    }
    for number, each in enumerate(attached):
        place = f"__attach_version1.0_#{number:08X}"
        made[place, _PROPERTIES] = bytes(8)
        if isinstance(each, dict):
            made |= {(place, "__substg1.0_3701000D", *path): data for path, data in inside(each).items()}
        else:
            made[place, "__substg1.0_3707001F"] = text(each[0])
            made[place, "__substg1.0_37010102"] = each[1]
    return made


def inside(streams: Mapping[tuple[str, ...], bytes]) -> Streams:
    """The same message as it lies in another: a shorter header, and no names of its own."""
    found = {path: data for path, data in streams.items() if path[0] != "__nameid_version1.0"}
    told = found[_PROPERTIES,]
    return found | {(_PROPERTIES,): told[:24] + told[32:]}


def saved(streams: Mapping[tuple[str, ...], bytes]) -> bytes:
    return compound_file(streams)


def sharing(count: int, size: int) -> bytes:
    """Attachments that are all the same bytes: one lies in the file, and every entry of the directory points there."""
    whole = bytearray(saved(message("shared", [(f"{number}.bin", b"x" * size) for number in range(count)])))
    name = "__substg1.0_37010102".encode("utf-16-le")
    places = [at for at in range(0, len(whole), 128) if whole[at : at + len(name)] == name]
    first = whole[places[0] + 116 : places[0] + 120]
    for at in places:
        whole[at + 116 : at + 120] = first
        whole[at + 120 : at + 124] = struct.pack("<I", size * count)
    return bytes(whole)


def text(value: str) -> bytes:
    return value.encode("utf-16-le")
