-- How agents work in a workspace, where it differs from what is shipped. The tool set is the workspace's own.
create table agent_configs (
    mandate_id uuid not null references mandates on delete cascade,
    instance_id uuid not null,
    config jsonb not null,
    primary key (mandate_id, instance_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade
);
call protect('agent_configs');
