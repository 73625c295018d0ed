-- What is in files: looked into once per content, read part by part when somebody asks, kept for the next.

-- Which version of a file was looked into. Who looks holds it until `looking_until`; `looks` counts the tries.
alter table files
    add column looked int not null default 0,
    add column looking_until timestamptz,
    add column looks int not null default 0;
create index files_to_look_into on files (created_at) where looked < version and deleted_at is null;
call open_to('files', 'workroom_sweep', array['update(looking_until, looks)']);
-- Whether `media_type` is what a look found, not only what somebody claimed; `lie`: the name claims something else.
alter table file_versions add column known boolean not null default false, add column lie text;

-- Equal bytes of one kind have one content in a mandate, whoever stored them, alone or in an archive. What people called
-- them is not kept here. A newer `reader` (contents/reading.py) looks again.
create table contents (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    media_type text not null,
    size bigint not null,
    reader int not null,
    structure jsonb,
    problem_code text, -- why there is nothing to read in it
    problem text,
    looked_at timestamptz not null,
    primary key (mandate_id, content_id),
    unique (mandate_id, hash, media_type),
    check (structure is null or problem is null)
);
create index contents_by_age on contents (looked_at);
call protect('contents');
call open_to('contents', 'workroom_sweep', '{select,delete}');

-- A page, sheet, slide or section that was read; without objects when there is nothing on it.
create table content_parts (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    part text not null,
    objects int not null,
    characters bigint not null,
    cut boolean not null, -- there was more than is kept
    read_at timestamptz not null,
    primary key (mandate_id, content_id, part),
    foreign key (mandate_id, content_id) references contents on delete cascade
);
call protect('content_parts');

create table content_objects (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    part text not null,
    sequence int not null,
    content_type text not null check (content_type in ('text', 'image', 'videostream', 'audiostream', 'other')),
    text text not null,
    ref jsonb not null,
    metadata jsonb not null,
    primary key (mandate_id, content_id, part, sequence),
    foreign key (mandate_id, content_id, part) references content_parts on delete cascade
);
call protect('content_objects');

-- What lies in an archive or a mail. `hash`, `found_type` and `lie` are known once a member was taken out.
create table content_members (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    place int not null,
    path text not null,
    size bigint,
    is_folder boolean not null,
    modified timestamptz,
    media_type text,
    encrypted boolean not null,
    hash text,
    found_type text,
    lie text,
    primary key (mandate_id, content_id, place),
    foreign key (mandate_id, content_id) references contents on delete cascade
);
create index content_members_by_hash on content_members (mandate_id, hash) where hash is not null;
call protect('content_members');
call open_to('content_members', 'workroom_sweep', '{select}');
