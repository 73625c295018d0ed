-- Pages that are pictures: how many of a file nobody has recognised the text of, and whether somebody is to.

alter table knowledge_files
    add column unread int not null default 0, -- pages that are pictures, without recognised text
    add column recognised int not null default 0, -- how many recognised pictures of its content its passages know of
    add column pages_wanted int, -- so many are to be recognised; 0: that is over, or was called off; null: nobody has begun
    add column pages_done int not null default 0; -- of these
create index knowledge_files_to_recognise on knowledge_files (updated_at) where pages_wanted > 0;
