"""What a blockchain node is asked about an action, and what its answers say."""
