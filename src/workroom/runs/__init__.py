"""Durable execution: a run is a row, a lease and a log of events. Whatever dies, the next worker goes on from what is stored.

types.py      a run, a claim
store.py      all SQL: claim, fence, journal, events
voice.py      what one run has said and not yet stored
ticker.py     everything all runs of this process said, stored in one transaction per tick
journal.py    the loop's memory, on the database
runner.py     work(claim): load, loop, end
service.py    input, stop, looking at runs
tail.py       reading events as they come
crew.py       the scheduler: slots for those who wait, in fair order; places.py tells them where they stand
leases.py     renews the leases of a process; rights.py asks whether its people may still do this
"""
