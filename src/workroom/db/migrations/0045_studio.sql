-- Content in phases: projects, the tree of their blocks, versions of texts, personas and evaluations; profiles of creators that
-- projects share. Of a block's texts every version is a row, the newest counts.

create table creator_profiles (
    mandate_id uuid not null references mandates on delete cascade,
    profile_id uuid not null,
    instance_id uuid not null,
    owner_id uuid, -- null: whoever made it is gone; projects go on using it
    changed_by uuid,
    name text not null,
    text text not null,
    version int not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, profile_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id),
    foreign key (mandate_id, changed_by) references users on delete set null (changed_by)
);
create index creator_profiles_by_instance on creator_profiles (mandate_id, instance_id);
create index creator_profiles_by_owner on creator_profiles (mandate_id, owner_id);
create index creator_profiles_by_writer on creator_profiles (mandate_id, changed_by);
create index creator_profiles_by_deletion on creator_profiles (deleted_at) where deleted_at is not null;
call protect('creator_profiles');
call open_to('creator_profiles', 'workroom_sweep', '{select,delete}');

create table studio_projects (
    mandate_id uuid not null references mandates on delete cascade,
    project_id uuid not null,
    instance_id uuid not null,
    owner_id uuid, -- null: whoever made it is gone; a team works on it
    changed_by uuid,
    name text not null,
    description text not null,
    described_by uuid, -- null: no member has written the description; it was imported, or who did is gone
    language text not null,
    profile_id uuid,
    phases jsonb not null, -- in their order: code, own name, hidden
    current_phase text not null,
    phase_status jsonb not null, -- by code
    digests_chf numeric not null default 0, -- of the model calls that summed up its texts
    version int not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, project_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id),
    foreign key (mandate_id, changed_by) references users on delete set null (changed_by),
    foreign key (mandate_id, described_by) references users on delete set null (described_by),
    foreign key (mandate_id, profile_id) references creator_profiles on delete set null (profile_id)
);
create index studio_projects_by_instance on studio_projects (mandate_id, instance_id);
create index studio_projects_by_owner on studio_projects (mandate_id, owner_id);
create index studio_projects_by_writer on studio_projects (mandate_id, changed_by);
create index studio_projects_by_describer on studio_projects (mandate_id, described_by);
create index studio_projects_by_profile on studio_projects (mandate_id, profile_id);
create index studio_projects_by_deletion on studio_projects (deleted_at) where deleted_at is not null;
call protect('studio_projects');
call open_to('studio_projects', 'workroom_sweep', '{select,delete}');

-- The conversations in which people work on a project: each has their own, because an answer uses only what all readers may see. The
-- newest that is not in the trash counts; what the others cost was spent on the project, too.
create table studio_conversations (
    mandate_id uuid not null references mandates on delete cascade,
    project_id uuid not null,
    user_id uuid not null,
    conversation_id uuid not null,
    primary key (mandate_id, conversation_id),
    foreign key (mandate_id, project_id) references studio_projects on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, conversation_id) references conversations on delete cascade
);
create index studio_conversations_by_project on studio_conversations (mandate_id, project_id, user_id);
create index studio_conversations_by_user on studio_conversations (mandate_id, user_id);
call protect('studio_conversations');

create table content_blocks (
    mandate_id uuid not null references mandates on delete cascade,
    block_id uuid not null,
    project_id uuid not null,
    parent_id uuid, -- a group
    kind text not null check (kind in ('group', 'block')),
    phase text not null,
    name text not null,
    position int not null, -- among those with the same parent, or at the top of the same phase
    version int not null default 0, -- of its text; 0: it was never written
    depends_on uuid[] not null default '{}', -- blocks of the project; those in the trash do not count
    digest text not null default '', -- of the newest text
    digest_by_model boolean not null default false,
    digest_for uuid, -- for whom a model still has to sum it up, and who pays: the writer of the text
    digest_tries int not null default 0,
    lease_holder uuid,
    lease_epoch int not null default 0,
    not_before timestamptz, -- the text has to rest first
    edited_by uuid, -- who has the text open with changes that are not saved, and how long that counts
    edited_until timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deleted_with uuid, -- what was deleted, when this went along
    primary key (mandate_id, block_id),
    foreign key (mandate_id, project_id) references studio_projects on delete cascade,
    foreign key (mandate_id, parent_id) references content_blocks on delete cascade,
    foreign key (mandate_id, edited_by) references users on delete set null (edited_by),
    foreign key (mandate_id, digest_for) references users on delete set null (digest_for)
);
create index content_blocks_by_project on content_blocks (mandate_id, project_id);
create index content_blocks_by_parent on content_blocks (mandate_id, parent_id);
create index content_blocks_by_editor on content_blocks (mandate_id, edited_by);
create index content_blocks_to_digest on content_blocks (mandate_id, digest_for, not_before) where digest_for is not null;
create index content_blocks_by_deletion on content_blocks (deleted_at) where deleted_at is not null;
call protect('content_blocks');
call open_to('content_blocks', 'workroom_sweep', array[
    'select', 'update(lease_holder, lease_epoch, not_before, digest_tries)', 'delete']);

create table content_block_versions (
    mandate_id uuid not null references mandates on delete cascade,
    block_id uuid not null,
    version int not null check (version > 0),
    status text not null check (status in ('empty', 'draft', 'needsReview', 'final')),
    text text not null,
    from_outside boolean not null, -- it contains what was read on the web or in files
    written_by uuid,
    -- Without a foreign key: shipped agents have ids too, and no rows. Its name as it was then.
    agent_id uuid,
    agent_name text not null default '',
    run_id uuid,
    written_at timestamptz not null,
    restored_from int,
    cost_chf numeric not null default 0, -- of the model calls that wrote it
    primary key (mandate_id, block_id, version),
    foreign key (mandate_id, block_id) references content_blocks on delete cascade,
    foreign key (mandate_id, written_by) references users on delete set null (written_by),
    foreign key (mandate_id, run_id) references runs on delete set null (run_id)
);
create index content_block_versions_by_writer on content_block_versions (mandate_id, written_by);
create index content_block_versions_by_run on content_block_versions (mandate_id, run_id) where run_id is not null;
call protect('content_block_versions');

create table personas (
    mandate_id uuid not null references mandates on delete cascade,
    persona_id uuid not null,
    project_id uuid not null,
    name text not null,
    content jsonb not null,
    version int not null check (version > 0),
    changed_by uuid,
    agent_name text not null default '', -- that wrote it, for `changed_by`; empty: the person wrote it
    from_outside boolean not null, -- it contains what was read on the web or in files
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, persona_id),
    foreign key (mandate_id, project_id) references studio_projects on delete cascade,
    foreign key (mandate_id, changed_by) references users on delete set null (changed_by)
);
create index personas_by_project on personas (mandate_id, project_id);
create index personas_by_writer on personas (mandate_id, changed_by);
create index personas_by_deletion on personas (deleted_at) where deleted_at is not null;
call protect('personas');
call open_to('personas', 'workroom_sweep', '{select,delete}');

create table content_evaluations (
    mandate_id uuid not null references mandates on delete cascade,
    evaluation_id uuid not null,
    project_id uuid not null,
    targets jsonb not null, -- blocks: id, name, version
    results jsonb not null, -- by dimension: score, reason, suggestions
    made_by uuid,
    agent_name text not null default '',
    run_id uuid,
    made_at timestamptz not null,
    cost_chf numeric not null default 0,
    primary key (mandate_id, evaluation_id),
    foreign key (mandate_id, project_id) references studio_projects on delete cascade,
    foreign key (mandate_id, made_by) references users on delete set null (made_by),
    foreign key (mandate_id, run_id) references runs on delete set null (run_id)
);
create index content_evaluations_by_project on content_evaluations (mandate_id, project_id);
create index content_evaluations_by_person on content_evaluations (mandate_id, made_by);
create index content_evaluations_by_run on content_evaluations (mandate_id, run_id) where run_id is not null;
call protect('content_evaluations');

-- What models write for a project has a purpose of its own on the bill.
alter table billing drop constraint billing_purpose_check;
alter table billing add constraint billing_purpose_check check (purpose in
    ('round', 'summary', 'entities', 'embedding', 'vision', 'speech', 'rerank', 'evaluation', 'search', 'content'));
