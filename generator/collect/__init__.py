"""The other wing: how a stored run comes to be. It writes ``results/`` and nothing else reads it.

The walk: ``order`` says which answers a contract asks for and when, ``protocols`` puts a question into a
service's words and reads its reply, ``ask`` is one attempt over the network, ``opening`` refuses a run that
may not start, ``recording`` keeps every attempt as a line, ``judging`` does the same for verdicts with the
prompt of ``frame``, ``budget`` guards the money, ``closing`` seals a run and writes the contract of its re-run.
"""
