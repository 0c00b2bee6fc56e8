"""Review: what a person looks at."""
