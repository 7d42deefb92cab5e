"""Requests to the market: credentials, retries, errors, pages."""
