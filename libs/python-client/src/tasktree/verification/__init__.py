"""What the checks are made of: documents, hashes, typed data, call data. Nothing here asks a network."""
