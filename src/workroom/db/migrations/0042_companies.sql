-- Companies and what is written about them: a document of each kind, every version of it a row, the newest counts. A conversation
-- can be about one company.

create table companies (
    mandate_id uuid not null references mandates on delete cascade,
    company_id uuid not null,
    instance_id uuid not null,
    owner_id uuid, -- null: whoever made it is gone; a team works on it
    changed_by uuid,
    name text not null,
    website text not null,
    language text not null,
    description text not null,
    version int not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, company_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id),
    foreign key (mandate_id, changed_by) references users on delete set null (changed_by)
);
create index companies_by_instance on companies (mandate_id, instance_id);
create index companies_by_owner on companies (mandate_id, owner_id);
create index companies_by_writer on companies (mandate_id, changed_by);
create index companies_by_deletion on companies (deleted_at) where deleted_at is not null;
call protect('companies');
call open_to('companies', 'workroom_sweep', '{select,delete}');

create table dna_documents (
    mandate_id uuid not null references mandates on delete cascade,
    company_id uuid not null,
    kind text not null,
    version int not null check (version > 0),
    status text not null check (status in ('empty', 'draft', 'final')),
    text text not null,
    written_by uuid,
    -- Without a foreign key: shipped agents have ids too, and no rows. Its name as it was then.
    agent_id uuid,
    agent_name text not null default '',
    run_id uuid,
    written_at timestamptz not null,
    restored_from int,
    primary key (mandate_id, company_id, kind, version),
    foreign key (mandate_id, company_id) references companies on delete cascade,
    foreign key (mandate_id, written_by) references users on delete set null (written_by),
    foreign key (mandate_id, run_id) references runs on delete set null (run_id)
);
create index dna_documents_by_writer on dna_documents (mandate_id, written_by);
create index dna_documents_by_run on dna_documents (mandate_id, run_id) where run_id is not null;
call protect('dna_documents');

create table company_conversations (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    company_id uuid not null,
    primary key (mandate_id, conversation_id),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, company_id) references companies on delete cascade
);
create index company_conversations_by_company on company_conversations (mandate_id, company_id);
call protect('company_conversations');
