"""What has happened: a stream that comes back, and webhooks."""
