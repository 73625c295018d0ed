-- Whoever works on a file is known by a number that only rises: tries are counted anew, and a number that comes again would let
-- two of them write.
alter table knowledge_files add column claim int not null default 0;
alter table files add column look_claim int not null default 0;
grant update (look_claim) on files to workroom_sweep;
