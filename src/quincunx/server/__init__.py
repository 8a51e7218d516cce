"""Matches over REST and WebSocket, durable and secret-keeping."""
