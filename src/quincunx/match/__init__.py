Match = None
