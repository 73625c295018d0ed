"""What tools of the studio have in common."""
