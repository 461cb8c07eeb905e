"""What the files of a root mean."""
