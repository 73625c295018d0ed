-- Tags are kept as they were written and compared by their keys, without regard to case. Those so far are their own keys.

alter table files add column tag_keys text[] not null default '{}';
update files set tag_keys = tags where tags <> '{}';
