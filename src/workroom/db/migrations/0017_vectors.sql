-- Vectors of another model: made beside the old ones, paid for, and exchanged when all of them are there.

alter table knowledge_files
    add column dimensions int, -- of the vectors it has: one name may stand for another model one day
    add column wanted text, -- the model whose vectors are being made, or wait to be; until then the old ones are searched
    add column setbacks int not null default 0, -- how often that went wrong, one after the other
    add column cost_chf numeric not null default 0, -- what its vectors have cost so far, of all versions
    add column cost_assumed boolean not null default false;
create index knowledge_files_to_renew on knowledge_files (updated_at) where wanted is not null;

-- Another kind of call that is paid for.
alter table billing drop constraint billing_purpose_check;
alter table billing add constraint billing_purpose_check
    check (purpose in ('round', 'summary', 'entities', 'embedding', 'vision', 'speech', 'rerank'));

alter table knowledge_files no force row level security;
do $$
declare dimensions int;
begin
    foreach dimensions in array array[256, 384, 512, 768, 1024, 1536, 3072] loop
        execute format('alter table vectors_%s no force row level security', dimensions);
        execute format('update knowledge_files k set dimensions = %s where exists (select from vectors_%s v
            where v.mandate_id = k.mandate_id and v.file_id = k.file_id and v.embedder = k.embedder)', dimensions, dimensions);
        execute format('alter table vectors_%s force row level security', dimensions);
    end loop;
end $$;
alter table knowledge_files force row level security;
