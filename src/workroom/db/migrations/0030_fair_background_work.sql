-- Background work is shared out fairly: organisations in turn, in each its people in turn, each person's oldest first.

-- When a person was last given something of one kind of work: a number that only rises, because clocks are set.
create table queue_lanes (
    mandate_id uuid not null references mandates on delete cascade,
    work text not null,
    owner_id uuid not null,
    turn bigint not null,
    primary key (mandate_id, work, owner_id)
);
call protect('queue_lanes');
call open_to('queue_lanes', 'workroom_sweep', array['select', 'insert', 'update(turn)']);

-- Reading the newest version took longer than a first try may: it is read again at low priority.
alter table files add column slow boolean not null default false;

-- Whoever has something waiting is found by jumping from person to person, never by reading all that waits.
drop index files_to_look_into, files_to_index, knowledge_files_to_recognise, knowledge_files_to_renew;
create index files_to_look_into on files (slow, mandate_id, owner_id, created_at)
    where looked < version and deleted_at is null;
create index files_to_index on files (slow, mandate_id, owner_id, created_at)
    where indexed < version and looked >= version and deleted_at is null;
create index knowledge_files_to_recognise on knowledge_files (mandate_id, owner_id, updated_at) where pages_wanted > 0;
create index knowledge_files_to_renew on knowledge_files (mandate_id, owner_id, updated_at) where wanted is not null;

-- What is derived from files counts against quotas: the text read from each version, and passages, words and vectors in the index.
alter table file_versions add column text_bytes bigint not null default 0;
alter table files add column index_bytes bigint not null default 0;
do $$
declare target text;
begin
    foreach target in array array['files', 'file_versions', 'contents', 'content_parts', 'chunks', 'knowledge_files'] loop
        execute format('alter table %s no force row level security', target);
    end loop;
    update file_versions v set text_bytes = kept.bytes from (
        select c.mandate_id, c.hash, sum(p.characters + 200 * p.objects) as bytes
        from contents c join content_parts p using (mandate_id, content_id) group by 1, 2
    ) kept where kept.mandate_id = v.mandate_id and kept.hash = v.hash;
    update files f set index_bytes = kept.bytes from (
        select mandate_id, file_id, sum(length(c.text) + 200 + 2 * coalesce(k.dimensions, 0)) as bytes
        from chunks c join knowledge_files k using (mandate_id, file_id) group by 1, 2
    ) kept where kept.mandate_id = f.mandate_id and kept.file_id = f.file_id;
    foreach target in array array['files', 'file_versions', 'contents', 'content_parts', 'chunks', 'knowledge_files'] loop
        execute format('alter table %s force row level security', target);
    end loop;
end $$;
