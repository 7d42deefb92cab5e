"""The vectors of libs/prepared-action/vectors, as this package reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tasktree import Context, Deployment, Intent, reading_from_json, verify_prepared_action

FOLDER = Path(__file__).parents[2] / "prepared-action" / "vectors"


def vectors(file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    assert found
    return found


def context_of(told: dict[str, Any]) -> Context:
    readings = [reading for reading in map(reading_from_json, told["readings"]) if reading is not None]
    return Context(Deployment.from_json(told["deployment"]), told["nowMs"], told.get("connectedWallet"), readings)


def verdict_of(vector: dict[str, Any]) -> dict[str, list[int]]:
    """The numbers of the checks that failed, and of those that found out too little."""
    checks = verify_prepared_action(vector.get("action"), Intent.from_json(vector["intent"]), context_of(vector["context"]))
    assert len(checks) == 15
    return {
        "failing": [check.number for check in checks if check.status == "failed"],
        "unknown": [check.number for check in checks if check.status == "unknown"],
    }
