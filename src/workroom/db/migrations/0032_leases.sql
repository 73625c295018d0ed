-- One kind of lease for all work: a row names the worker that has it, and belongs to it while that worker is heard of. What was
-- under way when this runs is free in a moment; times until which something waits after a failure stay.

-- A row per process that works on something. Ids and times only, so everybody who claims may look.
create table workers (
    worker_id uuid primary key,
    heartbeat_at timestamptz not null,
    -- Since when it has been heard of without a gap; -infinity: always.
    steady_since timestamptz not null default '-infinity'
);
alter table workers set (fillfactor = 50);
alter table workers enable row level security;
alter table workers force row level security;
call open_to('workers', 'workroom_sweep', array['select', 'insert', 'update(heartbeat_at, steady_since)', 'delete']);
call open_to('workers', 'workroom_app', array['select(worker_id, heartbeat_at, steady_since)']);

-- Runs. `takeovers` counts workers that died with it one soon after the other.
alter table runs drop column lease_until, add column lease_holder uuid, add column not_before timestamptz,
    add column takeovers int not null default 0;
-- (The index on `lease_until` went with it: every renewal had to write to it.)
create index runs_to_do on runs (created_at) where state in ('queued', 'running');
grant update (lease_holder, not_before, takeovers) on runs to workroom_sweep;

-- Scans of files: `scanned` is the newest version that was scanned, `scan_tries` counts claims since the last that ended well.
alter table files rename column looked to scanned;
alter table files rename column looks to scan_tries;
alter table files rename column look_claim to lease_epoch;
alter table files rename column looking_until to not_before;
alter table files add column lease_holder uuid;
alter index files_to_look_into rename to files_to_scan;
truncate queue_lanes; -- one kind of work has another name; everybody's turn comes anew
grant update (lease_holder) on files to workroom_sweep;

-- The way into the index, recognition and new vectors.
alter table knowledge_files rename column claim to lease_epoch;
alter table knowledge_files rename column held_until to not_before;
alter table knowledge_files add column lease_holder uuid;

alter table switch_evaluations rename column epoch to lease_epoch;
alter table switch_evaluations rename column held_until to not_before;
alter table switch_evaluations add column lease_holder uuid;
grant update (lease_holder) on switch_evaluations to workroom_sweep;

-- Who asks a model for a digest. Rows come and go, so the fence is an id of the claim, not a number.
truncate digest_claims;
alter table digest_claims drop column held_until;
alter table digest_claims rename column holder to claim_id;
alter table digest_claims add column lease_holder uuid not null;
