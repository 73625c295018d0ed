"""All SQL of files, by table."""
