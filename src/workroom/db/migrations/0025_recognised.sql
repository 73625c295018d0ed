-- Pages that are pictures: how many of a file nobody has recognised the text of, and whether somebody is to.

alter table knowledge_files
    add column unread int not null default 0, -- pages that are pictures, without recognised text
    add column recognised int not null default 0, -- how many recognised pictures of its content its passages know of
    add column pages_wanted int, -- so many are to be recognised; null: nobody has begun; 0: that is over, was called off, or waits
    -- to be asked for, because there are many
    add column pages_done int not null default 0, -- of these
    add column pages_tries int not null default 0, -- to recognise the next one
    add column pages_problem_code text, -- why some were given up
    add column pages_problem text;
create index knowledge_files_to_recognise on knowledge_files (updated_at) where pages_wanted > 0;

-- What was recognised till now for somebody who looked at it, under names that nobody asks for any more: the picture that a file
-- is as its page, pages of a document by their location. It is recognised again when it is wanted.
alter table contents no force row level security;
alter table content_parts no force row level security;
alter table content_objects no force row level security;
delete from content_parts p using contents c, content_objects o
    where c.mandate_id = p.mandate_id and c.content_id = p.content_id
        and o.mandate_id = p.mandate_id and o.content_id = p.content_id and o.part = p.part and p.part like 'ocr:%'
        and (c.media_type like 'image/%' or p.part not like 'ocr:page:%' and o.ref ->> 'location' ~ '^page:[0-9]+$');
alter table content_objects force row level security;
alter table content_parts force row level security;
alter table contents force row level security;

-- What may have such pages is cut into passages anew, from what is kept: then it is known which.
alter table files no force row level security;
alter table knowledge_files no force row level security;
with anew as (
    update knowledge_files set state = 'pending', tries = 0, claim = claim + 1, held_until = null, wanted = null
    where (state = 'indexed' or wanted is not null) and (media_type = 'application/pdf' or media_type like 'image/%')
    returning mandate_id, file_id
)
update files f set indexed = 0 from anew where f.mandate_id = anew.mandate_id and f.file_id = anew.file_id;
alter table knowledge_files force row level security;
alter table files force row level security;
