"""All SQL of identity, one file per noun. Stores move rows; they decide nothing and check no permission.

Every statement names the mandate, although row-level security would filter by itself: two walls.
"""
