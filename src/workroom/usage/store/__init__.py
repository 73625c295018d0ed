"""All SQL of usage, by table. Every function names the mandate, beside row-level security."""
