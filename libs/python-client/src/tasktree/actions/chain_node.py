"""A blockchain node that the caller trusts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Union

import httpx

from ..chain.queries import ChainQuery, chain_queries, reading_from
from ..verification.document import ChainReading, Deployment, Intent

#: Asks a node one question (JSON-RPC), and raises when it does not answer.
Ask = Callable[[str, Sequence[Any]], Any]
#: A node: its address, or what asks it. A function of the caller's own is called from several threads at the same time.
ChainNode = Union[str, Ask]


class NodeUnreachable(Exception):
    """The blockchain node has not answered, or with an error."""


def ask_of(node: ChainNode, client: httpx.Client) -> Ask:
    """What asks this node."""
    if not isinstance(node, str):
        return node
    url = node

    def ask(method: str, params: Sequence[Any]) -> Any:
        try:
            answer = client.post(url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}).json()
        except (httpx.HTTPError, ValueError) as error:
            raise NodeUnreachable(f"The blockchain node has not answered {method}") from error
        if not isinstance(answer, dict) or "result" not in answer:
            raise NodeUnreachable(f"The blockchain node has not answered {method}: {str(answer)[:200]}")
        return answer["result"]

    return ask


def readings_of(ask: Ask | None, action: object, intent: Intent, deployment: Deployment) -> list[ChainReading]:
    """What the node says of an action. What it does not answer is missing, and the checks that need it stay open."""
    if ask is None:
        return []

    def answer_of(query: ChainQuery) -> dict[str, Any]:
        try:
            return {query.name: ask(query.method, query.params)}
        except Exception:
            return {}

    queries = chain_queries(action, intent, deployment)
    answers: dict[str, Any] = {}
    # Together they take as long as one. A client of httpx may be shared by threads.
    with ThreadPoolExecutor(max_workers=len(queries)) as pool:
        for answer in pool.map(answer_of, queries):
            answers.update(answer)
    return [reading_from("wallet", answers, action, intent, deployment)]
