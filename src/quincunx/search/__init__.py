"""Search, written once against the contract and bound to any game."""
