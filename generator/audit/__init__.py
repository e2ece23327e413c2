"""May these numbers be believed? Checks of answers, graders, keys and judges, before a number may be seen. Pure."""
