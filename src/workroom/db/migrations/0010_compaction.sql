-- Words of a finished answer arrive one by one and are kept as few: when that has been done.
alter table runs add column compacted boolean not null default false;
create index runs_to_compact on runs (ended_at) where not compacted and ended_at is not null;
