"""``results/`` on disk <-> records, strictly. The third room, and the only one that reads files there.

``layout`` names the places, ``write`` puts bytes into them, ``read`` gives them back checked or raises every
fault at once.
"""

from generator.store.read import read_results

__all__ = ["read_results"]
