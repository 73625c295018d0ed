"""Files that hold files: looked into without unpacking them, and never believed.

types.py       members, limits, and what a container can do
budget.py      what has been counted and unpacked so far, against the limits
base.py        what all containers share: unpacking, peeking, closing
extraction.py     a member onto the disk, capped by what really comes
member_names.py      member names: decoded, checked, kept apart
zips.py        ZIP
tars.py        TAR, plain or compressed
compressed_file.py      one compressed file: GZ, BZ2, XZ
folders.py     a folder on disk
mails.py       the attachments of a mail
outlook.py     the attachments of an Outlook message
decompression.py   streams of GZ, BZ2 and XZ
factory.py     which of them opens a file
traversal.py     containers in containers
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
