"""Durable execution: a run is a row, a lease and a log of events. Whatever dies, the next session continues from what is stored.

service.py       what people do with runs: input, answer, stop, read; run_creation.py chooses the agent and queues
scheduling.py    runs as leased work (db/work_scheduler.py); places.py shows those that wait their place in the queue
session.py       one worker's work on one run: permitted, prepare, work, end; runner.py wires it to its services
preparation.py   what a session begins with: progress, instructions, models, the loop
retrieval.py     what files say, before every round
run_endings.py   how a session ends: complete, stop, fail, release
journal.py       stores each step of the loop, through run_writer.py; run_budget.py reserves and settles what it costs,
                 after_run_payment.py what titles and summaries cost after it
event_buffer.py  events of one run that are not stored yet; event_flusher.py stores those of all runs
held_runs.py     what ends the work on a run from outside; rights.py checks whether its people may still do this
tail.py          reads events as they come
call_results.py  stores results of tool calls with the facts (facts.py) found in them
store.py         all SQL of runs, beside call_store, event_store, fenced_store (what a lease protects) and others
types.py         a run, a claim, a fence
"""
