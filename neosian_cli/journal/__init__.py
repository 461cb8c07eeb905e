"""The redo plan: physical steps, their commit and their recovery. Knows files, not documents."""
