"""Files: content in a blob store, and everything people do with it: folders, tags, versions, sharing, trash, uploads.

ports.py, disk.py, testing.py   where bytes lie, behind one port
s3.py, s3_….py, stores.py       the same on S3-compatible storage, and which of them the settings name
contents.py                     bytes in and out, each content once per mandate
storing.py, service.py          files; bulk.py many at once; folders.py, filing.py, rules.py where they lie
uploads.py                      resumable, in chunks
links.py, quotas.py, access.py  who may have it, for how long, and how much
"""
