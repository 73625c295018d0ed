"""Durable execution: a run is a row, a lease and a log of events. Whatever dies, the next worker goes on from what is stored.

types.py      a run, a claim
store.py      all SQL: claim, fence, journal, events
voice.py      what one run has said and not yet stored
event_flusher.py  stores the events of all runs of this process, in one transaction every 50 ms
journal.py    the loop's memory, on the database
runner.py     work(claim): load, loop, end
service.py    input, stop, looking at runs
tail.py       reading events as they come
scheduling.py runs as leased work (db/work_scheduler.py); places.py tells those who wait where they stand
leases.py     what ends the work on a run from outside; rights.py asks whether its people may still do this
feed.py       the events of a person's runs, for all their streams
"""
