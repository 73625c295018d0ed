-- Places in documents are values now: what was stored as an English label, such as `pages 3-5, 9 of report.pdf`, gets a `place`
-- beside it. This is the only reader of such labels, and it reads each once.

create function old_label_ranges(listed text) returns jsonb language plpgsql as $$
declare
    span text;
    ends text[];
    numbers jsonb := '[]';
begin
    foreach span in array string_to_array(listed, ', ') loop
        ends := regexp_match(span, '^([0-9]{1,6})(?:-([0-9]{1,6}))?$');
        if ends is null or coalesce(ends[2], ends[1])::int - ends[1]::int not between 0 and 9999
            or jsonb_array_length(numbers) > 10000 then
            return null; -- the name of a file that looks like it
        end if;
        numbers := numbers || (select jsonb_agg(n) from generate_series(ends[1]::int, coalesce(ends[2], ends[1])::int) n);
    end loop;
    return numbers;
end $$;

-- What stands before ` of ` and the path; null where the label has none of these forms.
create function old_label_place_in(label text, opens jsonb) returns jsonb language plpgsql as $$
declare
    sheet text := opens ->> 'sheet';
    section text := opens ->> 'section';
    parts text[];
    numbers jsonb;
begin
    parts := coalesce(
        regexp_match(label, '^()(page|slide)s? ([0-9][0-9, -]*) of (.+)$'),
        regexp_match(label, '^(.*), (page|slide)s? ([0-9][0-9, -]*) of (.+)$'), -- of a summary, with its chapter
        regexp_match(label, '^()(page|slide):([0-9]+)(?:/\S*)? of (.+)$') -- an element of a page
    );
    if parts is not null then
        numbers := old_label_ranges(parts[3]);
        if numbers ->> 0 = opens ->> parts[2] then
            return jsonb_build_object('kind', parts[2], 'numbers', numbers, 'path', parts[4], 'title', nullif(parts[1], ''));
        end if;
    end if;
    if sheet <> '' and starts_with(label, 'sheet ' || sheet || ' of ') then
        return jsonb_build_object('kind', 'sheet', 'sheet', sheet, 'path', substr(label, length(sheet) + 11));
    end if;
    if section <> '' and starts_with(label, 'section ' || section || ' of ') then
        return jsonb_build_object('kind', 'section', 'section', section, 'path', substr(label, length(section) + 13));
    end if;
    if section <> '' and starts_with(label, 'section ' || section || ' “') then
        parts := regexp_match(substr(label, length(section) + 11), '^(.*)” of (.*)$');
        return jsonb_build_object('kind', 'section', 'section', section, 'path', coalesce(parts[2], ''),
            'title', coalesce(parts[1], substr(label, length(section) + 11)));
    end if;
    if starts_with(label, '“') then
        parts := regexp_match(substr(label, 2), '^(.*)” of (.*)$');
        return jsonb_build_object('kind', 'title', 'path', coalesce(parts[2], ''), 'title', coalesce(parts[1], substr(label, 2)));
    end if;
    parts := regexp_match(label, '^(?:(.*), )?part ([0-9]{1,4}) of ([0-9]{1,4}) of (.+)$'); -- of a summary
    if parts is not null then
        return jsonb_build_object('kind', case when parts[1] is null then 'file' else 'title' end, 'title', parts[1],
            'piece', parts[2]::int, 'pieces', parts[3]::int, 'path', parts[4]);
    end if;
    return jsonb_build_object('kind', 'file', 'path', label);
end $$;

create function old_label_placed(item jsonb) returns jsonb language sql as $$
    select case when item ? 'place' then item else item || jsonb_build_object('place', jsonb_strip_nulls(
        old_label_place_in(regexp_replace(item ->> 'label', ' \(recognised from a picture\)$', ''), nullif(item -> 'opens', 'null'))
        || jsonb_build_object('recognised', item ->> 'label' like '% (recognised from a picture)'))) end
$$;

create function old_label_with_sources(item jsonb) returns jsonb language sql as $$
    select case when jsonb_typeof(item -> 'sources') is distinct from 'array' or item -> 'sources' = '[]' then item
        else jsonb_set(item, '{sources}', (select jsonb_agg(old_label_placed(source) order by place)
            from jsonb_array_elements(item -> 'sources') with ordinality as s(source, place))) end
$$;

alter table messages no force row level security;
update messages set content = jsonb_set(content, '{parts}', (
        select jsonb_agg(case part ->> 'type'
            when 'material' then old_label_with_sources(
                case when part ->> 'kind' = 'note' and part ->> 'label' = 'degraded'
                    then part || '{"place": {"kind": "named", "title": "degraded"}}' else old_label_placed(part) end)
            when 'toolResult' then jsonb_set(part, '{result}', old_label_with_sources(part -> 'result'))
            else part end order by place)
        from jsonb_array_elements(content -> 'parts') with ordinality as p(part, place)))
    where content @? '$.parts[*] ? (@.type == "material" || exists (@.result.sources[*]))';
alter table messages force row level security;

alter table tool_calls no force row level security;
update tool_calls set result = old_label_with_sources(result) where result @? '$.sources[*]';
alter table tool_calls force row level security;

alter table run_events no force row level security;
update run_events set event = jsonb_set(event, '{result}', old_label_with_sources(event -> 'result'))
    where event @? '$.result.sources[*]';
alter table run_events force row level security;

-- Parts of summaries have a `title` and a `where`, such as `pages 47-81` or `part 1 of 2`.
create function old_label_digest_part(item jsonb) returns jsonb language sql as $$
    select case when item ? 'place' then item else item - 'title' - 'where' || jsonb_build_object('place', jsonb_strip_nulls(
        jsonb_build_object('title', nullif(item ->> 'title', '')) || case
            when pages is not null then jsonb_build_object('kind', pages[1], 'numbers', old_label_ranges(pages[2]))
            when item ->> 'title' <> '' then '{"kind": "title"}'
            else '{"kind": "file"}' end
        || case when piece is null then '{}' else jsonb_build_object('piece', piece[1]::int, 'pieces', piece[2]::int) end)) end
    from (select regexp_match(item ->> 'where', '^(page|slide)s? ([0-9][0-9, -]*)$') as pages,
        regexp_match(item ->> 'where', '^part ([0-9]{1,4}) of ([0-9]{1,4})$') as piece) found
$$;

alter table digests no force row level security;
update digests set digest = case when digest ? 'parts'
    then jsonb_set(digest, '{parts}', (select jsonb_agg(old_label_digest_part(part) order by place)
        from jsonb_array_elements(digest -> 'parts') with ordinality as p(part, place)))
    else old_label_digest_part(digest) end
    where digest ? 'where' or digest @? '$.parts[*].where';
alter table digests force row level security;

drop function old_label_digest_part(jsonb), old_label_with_sources(jsonb), old_label_placed(jsonb),
    old_label_place_in(text, jsonb), old_label_ranges(text);
