"""What is raised when an action is not what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from ..verification.document import Check


class PreparedActionRejected(Exception):
    """What the service has prepared is not what was asked for, or has changed since.

    Nothing was signed, unless `signed` says that the signature had been handed in: then what came back to be sent was not the
    signed action, and is to be sent by nobody.
    """

    def __init__(self, failed: Sequence[Check], answer: object, signed: bool = False) -> None:
        #: The checks that failed, and when it was to be signed also those that found out too little.
        self.failed = tuple(failed)
        #: What the service has answered, for a report.
        self.answer = answer
        self.signed = signed
        told = "; ".join(f"{check.name} ({check.detail})" for check in failed)
        super().__init__(f"Not {'sent' if signed else 'signed'}: {told}")
