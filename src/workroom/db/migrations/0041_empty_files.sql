-- A file of 0 bytes is empty, not damaged: what was kept of such files is forgotten, and they are indexed once more.

delete from contents where media_type = 'application/x-empty';
with failed as (
    update knowledge_files set state = 'pending', tries = 0, problem_code = null, problem = null
    where media_type = 'application/x-empty' and state = 'failed'
    returning mandate_id, file_id
)
update files f set indexed = 0 from failed where f.mandate_id = failed.mandate_id and f.file_id = failed.file_id;
