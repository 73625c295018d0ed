-- Who reads what: things are shared with single persons, conversations have readers and writers, messages have authors, folders
-- follow the same levels, and looking into what another person keeps private is an act of its own that they see.

create table file_grants (
    mandate_id uuid not null references mandates on delete cascade,
    file_id uuid not null,
    user_id uuid not null,
    primary key (mandate_id, file_id, user_id),
    foreign key (mandate_id, file_id) references files on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade
);
create index file_grants_by_user on file_grants (mandate_id, user_id);
call protect('file_grants');

alter table conversations
    add column visibility text not null default 'MY' check (visibility in ('MY', 'GROUP')),
    add column group_writes boolean not null default false,
    -- Since when somebody has been reading who did not before: what was read for answers until then is not theirs to hear of.
    add column audience_since timestamptz;

create table conversation_grants (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    user_id uuid not null,
    may_write boolean not null,
    primary key (mandate_id, conversation_id, user_id),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade
);
create index conversation_grants_by_user on conversation_grants (mandate_id, user_id);
call protect('conversation_grants');
-- Whether runs under way may still write in their conversation is asked for all of them at once.
call open_to('conversation_grants', 'workroom_sweep', '{select}');
call open_to('conversations', 'workroom_sweep',
    array['select(mandate_id, conversation_id, owner_id, visibility, group_writes)']);

-- Who said it; null for answers, and once the author is gone.
alter table messages add column author_id uuid;
update messages m set author_id = coalesce(
    (select r.user_id from runs r where r.mandate_id = m.mandate_id and r.message_id = m.message_id order by r.created_at limit 1),
    (select c.owner_id from conversations c where c.mandate_id = m.mandate_id and c.conversation_id = m.conversation_id))
where m.role = 'user';
alter table messages add foreign key (mandate_id, author_id) references users on delete set null (author_id);
create index messages_by_author on messages (mandate_id, author_id) where author_id is not null;

-- Everybody in the workspace has seen the folders that are there; new ones are private until they are shared.
alter table folders add column visibility text not null default 'GROUP' check (visibility in ('MY', 'GROUP'));
alter table folders alter column visibility set default 'MY';
-- A name that another person uses in private is free.
drop index folders_by_name;
create unique index folders_by_name on folders (mandate_id, instance_id, parent_id, name) nulls not distinct
    where deleted_at is null and visibility = 'GROUP';
create unique index private_folders_by_name on folders (mandate_id, instance_id, owner_id, parent_id, name) nulls not distinct
    where deleted_at is null and visibility = 'MY' and owner_id is not null;

create table inspections (
    mandate_id uuid not null references mandates on delete cascade,
    inspection_id uuid not null,
    inspector_id uuid,
    inspector_name text not null, -- as they were called then
    subject_id uuid not null,
    reason text not null,
    began_at timestamptz not null,
    ends_at timestamptz not null,
    primary key (mandate_id, inspection_id),
    foreign key (mandate_id, inspector_id) references users on delete set null (inspector_id),
    foreign key (mandate_id, subject_id) references users on delete cascade
);
create index inspections_by_subject on inspections (mandate_id, subject_id, began_at);
create index inspections_by_inspector on inspections (mandate_id, inspector_id, ends_at);
call protect('inspections');
call open_to('inspections', 'workroom_login', '{select}');
