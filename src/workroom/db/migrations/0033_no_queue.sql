-- Workers are woken by notifications; what is to be done has always been in the rows.
drop table if exists pgqueuer, pgqueuer_log, pgqueuer_schedules, pgqueuer_statistics cascade;
drop function if exists fn_pgqueuer_changed cascade;
drop type if exists pgqueuer_status;
