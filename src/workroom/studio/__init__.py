"""Content in phases: projects, the tree of their blocks, personas, evaluations, and profiles of creators."""
