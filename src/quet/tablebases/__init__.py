"""Tables of positions with their values: filled block by block, saved, and mapped into memory."""
