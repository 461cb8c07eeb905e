"""The handlers of signals as the interpreter keeps them: `signals` has the plain numbers and functions.

The module `signal` wraps the same in enums, whose import takes a third of Python's own start.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signals
else:
    try:
        import _signal as signals
    except ImportError:  # an interpreter of another make
        import signal as signals

__all__ = ["signals"]
