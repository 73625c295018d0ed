-- Files: content kept once at mandate/sha256, and what people call it, sort, share, change and throw away.

-- A row is committed before its bytes are put into the store, so nothing in there can be without one. What no version
-- names any more is swept a day after `touched_at`.
create table blobs (
    mandate_id uuid not null references mandates on delete cascade,
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    size bigint not null check (size >= 0),
    touched_at timestamptz not null,
    primary key (mandate_id, hash)
);
create index blobs_by_touch on blobs (touched_at);
call protect('blobs');
call open_to('blobs', 'workroom_sweep', array['select', 'update(touched_at)']);

-- The tree belongs to the workspace; it outlives the people who made it.
create table folders (
    mandate_id uuid not null references mandates on delete cascade,
    folder_id uuid not null,
    instance_id uuid not null,
    owner_id uuid,
    parent_id uuid,
    name text not null,
    auto_rule text, -- `tag:financial and type:pdf`; what it files is decided in files/rules.py
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deleted_with uuid, -- the folder whose deletion took this one along
    primary key (mandate_id, folder_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id),
    foreign key (mandate_id, parent_id) references folders on delete set null (parent_id)
);
create unique index folders_by_name on folders (mandate_id, instance_id, parent_id, name) nulls not distinct
    where deleted_at is null;
create index folders_by_parent on folders (mandate_id, parent_id);
create index folders_by_deletion on folders (deleted_at) where deleted_at is not null;
call protect('folders');
call open_to('folders', 'workroom_sweep', '{select,delete}');

create table files (
    mandate_id uuid not null references mandates on delete cascade,
    file_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null,
    folder_id uuid,
    filed_by text, -- the rule that put it into its folder; null: somebody did
    name text not null,
    description text not null default '',
    tags text[] not null default '{}',
    status text not null default 'active' check (status in ('active', 'archived', 'processing')),
    visibility text not null default 'MY' check (visibility in ('MY', 'GROUP', 'ALL')),
    -- Those of the newest version, so that lists need no join.
    version int not null,
    hash text not null,
    size bigint not null,
    media_type text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deleted_with uuid,
    primary key (mandate_id, file_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete cascade,
    foreign key (mandate_id, folder_id) references folders on delete set null (folder_id)
);
-- Per owner: a name that is taken by somebody else's private file must look free.
create unique index files_by_name on files (mandate_id, instance_id, owner_id, folder_id, name) nulls not distinct
    where deleted_at is null;
create index files_by_instance on files (mandate_id, instance_id, updated_at);
create index files_by_folder on files (mandate_id, folder_id);
create index files_by_owner on files (mandate_id, owner_id);
create index files_by_deletion on files (deleted_at) where deleted_at is not null;
call protect('files');
call open_to('files', 'workroom_sweep', '{select,delete}');

create table file_versions (
    mandate_id uuid not null references mandates on delete cascade,
    file_id uuid not null,
    version int not null,
    hash text not null,
    size bigint not null,
    media_type text not null,
    made_by uuid,
    made_at timestamptz not null,
    restored_from int,
    primary key (mandate_id, file_id, version),
    foreign key (mandate_id, file_id) references files on delete cascade,
    foreign key (mandate_id, hash) references blobs,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index file_versions_by_hash on file_versions (mandate_id, hash);
call protect('file_versions');
call open_to('file_versions', 'workroom_sweep', '{select}');

-- What is on its way in. The bytes lie in a draft of the store with the same id; `received` says how many of them count.
create table uploads (
    mandate_id uuid not null references mandates on delete cascade,
    upload_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null,
    folder_id uuid,
    name text not null,
    media_type text,
    on_conflict text check (on_conflict in ('version', 'rename', 'fail')),
    size bigint not null check (size >= 0),
    received bigint not null default 0 check (received between 0 and size),
    hash text, -- known before the content is kept: a finish that was interrupted goes on from here
    file_id uuid, -- what became of it: finishing twice makes one file
    created_at timestamptz not null,
    touched_at timestamptz not null,
    primary key (mandate_id, upload_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete cascade,
    foreign key (mandate_id, folder_id) references folders on delete set null (folder_id),
    foreign key (mandate_id, file_id) references files on delete cascade
);
create index uploads_by_owner on uploads (mandate_id, owner_id);
create index uploads_by_touch on uploads (touched_at);
call protect('uploads');
call open_to('uploads', 'workroom_sweep', '{select,delete}');
