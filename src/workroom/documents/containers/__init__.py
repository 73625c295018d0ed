"""Archives and other containers of files: listed without unpacking, and treated as hostile.

types.py            members, limits, and the container protocol
budget.py           bytes and members unpacked so far, against the limits
base.py             base class of containers: extracting, reading the first bytes, closing
extraction.py       writes a member to disk, capped by its real size
member_names.py     names of members: decoded, checked, made unique
zips.py             ZIP
tars.py             TAR, plain or compressed
compressed_file.py  a single compressed file: GZ, BZ2, XZ
folders.py          a folder on disk
mails.py            the attachments of a mail
outlook.py          the attachments of an Outlook message
decompression.py    streams of GZ, BZ2 and XZ
factory.py          opens the container class for a media type
traversal.py        walks containers inside containers
"""

from workroom.documents.containers.factory import can_open, open_container
from workroom.documents.containers.traversal import FoundMember, extract_path, open_inside, walk
from workroom.documents.containers.types import Container, ContainerMember, UnpackingLimits

__all__ = [
    "Container",
    "ContainerMember",
    "FoundMember",
    "UnpackingLimits",
    "can_open",
    "extract_path",
    "open_container",
    "open_inside",
    "walk",
]
