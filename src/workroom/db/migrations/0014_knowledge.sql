-- Knowledge: what files say, in passages that can be searched, each with the place it came from.

alter table files add column indexed int not null default 0; -- the version that can be searched
create index files_to_index on files (created_at) where indexed < version and looked >= version and deleted_at is null;

-- How far a file has come. The rows below belong to this version of it and go with it.
create table knowledge_files (
    mandate_id uuid not null references mandates on delete cascade,
    file_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null, -- who pays for its vectors
    version int not null,
    hash text not null,
    media_type text not null,
    state text not null check (state in ('pending', 'extracted', 'embedding', 'indexed', 'failed')),
    done int not null default 0, -- of `total` parts read, then of `total` chunks embedded
    total int not null default 0,
    chunks int not null default 0,
    length bigint not null default 0, -- lexemes in all of them
    language text not null default 'simple',
    embedder text, -- whose vectors it has
    notes text[] not null default '{}', -- what is left out, and why
    problem_code text,
    problem text,
    held_until timestamptz,
    tries int not null default 0,
    updated_at timestamptz not null,
    primary key (mandate_id, file_id),
    foreign key (mandate_id, file_id) references files on delete cascade,
    foreign key (mandate_id, instance_id) references instances on delete cascade
);
create index knowledge_files_by_hash on knowledge_files (mandate_id, hash);
create index knowledge_files_by_instance on knowledge_files (mandate_id, instance_id);
call protect('knowledge_files');
call open_to('knowledge_files', 'workroom_sweep', array['select', 'insert', 'update']);

-- `inside` is the path of a member for archives. `ref` is a context reference without the file's name.
create table chunks (
    mandate_id uuid not null references mandates on delete cascade,
    file_id uuid not null,
    chunk int not null,
    inside text not null default '',
    text text not null,
    ref jsonb not null,
    tokens int not null,
    primary key (mandate_id, file_id, chunk),
    foreign key (mandate_id, file_id) references knowledge_files on delete cascade
);
call protect('chunks');

-- Which chunks of a file have a lexeme, how often, and how long they are: full text without an index that row-level
-- security would keep the planner from using.
create table postings (
    mandate_id uuid not null references mandates on delete cascade,
    instance_id uuid not null,
    lexeme text not null,
    file_id uuid not null,
    chunks int[] not null,
    tfs smallint[] not null,
    lengths smallint[] not null,
    primary key (mandate_id, instance_id, lexeme, file_id),
    foreign key (mandate_id, file_id) references knowledge_files on delete cascade
);
create index postings_by_file on postings (mandate_id, file_id);
call protect('postings');

-- One narrow table per dimension, in the order of workspaces, read from end to end.
do $$
declare dimensions int;
begin
    foreach dimensions in array array[256, 384, 512, 768, 1024, 1536, 3072] loop
        execute format('create table vectors_%s (
            mandate_id uuid not null references mandates on delete cascade,
            instance_id uuid not null,
            file_id uuid not null,
            chunk int not null,
            embedder text not null,
            vector halfvec(%s) not null,
            primary key (mandate_id, instance_id, file_id, chunk, embedder),
            foreign key (mandate_id, file_id) references knowledge_files on delete cascade
        )', dimensions, dimensions);
        execute format('create index vectors_%s_by_file on vectors_%s (mandate_id, file_id)', dimensions, dimensions);
        execute format('call protect(%L)', 'vectors_' || dimensions);
    end loop;
end $$;
