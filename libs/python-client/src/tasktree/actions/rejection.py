"""What is raised when an action is not what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from ..verification.document import Check


class PreparedActionRejected(Exception):
    """What the service has prepared is not what was asked for, or has changed since. Nothing was signed."""

    def __init__(self, failed: Sequence[Check], answer: object) -> None:
        #: The checks that failed, and when it was to be signed also those that found out too little.
        self.failed = tuple(failed)
        #: What the service has answered, for a report.
        self.answer = answer
        super().__init__("Not signed: " + "; ".join(f"{check.name} ({check.detail})" for check in failed))
