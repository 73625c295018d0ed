"""What every request passes through, and the tools all routers share."""
