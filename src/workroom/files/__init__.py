"""Files: content in a blob store, and everything people do with it: folders, tags, versions, sharing, trash, uploads.

service.py   what the rest of the product calls: `Files`
new_files.py, edits.py          store, change, delete and restore a file within the caller's transaction
bulk.py, sharing.py             the same change to many files; who sees them
folders.py, folder_trash.py     folders; tree.py and finder.py find folders and files by path or name
auto_filing.py, folder_rules.py folders that collect files by a rule
uploads.py   resumable uploads, in chunks
contents.py  bytes in and out of the blob store, each content once per mandate
ports.py, disk.py, testing.py   the blob store as a port, on disk and in memory
s3.py, s3_….py, blob_stores.py  blob store on S3-compatible storage; which store the settings select
links.py, quotas.py, access.py  signed links, storage quotas, permissions; audit_names.py names files in the audit log
jobs.py, blob_backup.py         housekeeping; copying blobs for a backup
"""
