"""Agents as data: those that are shipped (`builtin/`; what a team of them shares stands in `teams/`), those people make, every
version of them, and the instructions that hold for all of them. What an agent does is `agent/`; which one answers is decided in
`runs/`."""
