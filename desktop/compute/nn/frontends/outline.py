def outline(*a): raise NotImplementedError
