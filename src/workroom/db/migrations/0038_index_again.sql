-- Files that were refused by mistake are read and indexed once more: those of 0 bytes, which are empty and not damaged, and
-- Office files with macros, whose kind was looked for by a name in capitals.

delete from contents where media_type = 'application/x-empty' or media_type ilike '%.macroenabled.12';
with failed as (
    update knowledge_files set state = 'pending', tries = 0, problem_code = null, problem = null
    where (media_type = 'application/x-empty' or media_type ilike '%.macroenabled.12') and state = 'failed'
    returning mandate_id, file_id
)
update files f set indexed = 0 from failed where f.mandate_id = failed.mandate_id and f.file_id = failed.file_id;
