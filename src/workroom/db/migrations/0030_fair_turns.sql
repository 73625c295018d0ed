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
