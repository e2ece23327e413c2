"""Properties are tried on the same texts every time, and no clock decides: the machine may be busy."""

from hypothesis import settings

settings.register_profile("rapor", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("rapor")
