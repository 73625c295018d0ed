-- Changes to files that agents proposed without waiting for an answer: open until a person decides. The texts are whole, with one kind
-- of line ends; what is accepted is merged with what the file says by then.
create table file_proposals (
    mandate_id uuid not null references mandates on delete cascade,
    proposal_id uuid not null, -- the call that proposed it: once
    file_id uuid not null,
    version int not null, -- that it was made from
    before text not null,
    after text not null,
    proposed_by uuid, -- in whose name
    -- Without a foreign key: shipped agents have ids too, and no rows. Its name as it was then.
    agent_id uuid,
    agent_name text not null default '',
    run_id uuid,
    proposed_at timestamptz not null,
    state text not null default 'open' check (state in ('open', 'accepted', 'rejected')),
    decided_by uuid,
    decided_at timestamptz,
    became int, -- the version that came of it
    primary key (mandate_id, proposal_id),
    foreign key (mandate_id, file_id) references files on delete cascade,
    foreign key (mandate_id, proposed_by) references users on delete set null (proposed_by),
    foreign key (mandate_id, run_id) references runs on delete set null (run_id),
    foreign key (mandate_id, decided_by) references users on delete set null (decided_by)
);
create index file_proposals_by_file on file_proposals (mandate_id, file_id, proposed_at);
create index file_proposals_by_proposer on file_proposals (mandate_id, proposed_by);
create index file_proposals_by_run on file_proposals (mandate_id, run_id) where run_id is not null;
create index file_proposals_by_decider on file_proposals (mandate_id, decided_by);
call protect('file_proposals');
