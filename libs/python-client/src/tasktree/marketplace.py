"""A market as one account uses it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import httpx

from .actions.chain_node import ChainNode, ask_of
from .actions.gate import ActionGate
from .actions.preparing import Preparing
from .actions.watch import Until
from .http.connection import AccessToken, Connection, Credentials
from .http.errors import AnswerFacts
from .http.pages import Json, Pages
from .http.retries import Sending
from .resources.account import Actions, Agents, Events, Webhooks
from .resources.nodes import Nodes
from .resources.tasks import Tasks
from .resources.work import Deliveries, Earnings, Quotes
from .verification.addresses import is_address
from .verification.document import Deployment


class Marketplace:
    """No action reaches a wallet, or the caller, without having been checked.

    `deployment` is the market's chain and contracts, from the caller's own configuration: `read_deployment` reads them
    once, to be kept; without it nothing can be prepared. `node` is a blockchain node that the caller trusts, which the
    state of escrows is read from and calls are sent through. `account` is the id of the caller's account; without it
    `GET /v1/me` says it. `client` sends the requests; one of its own is closed with `close` or at the end of a `with`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        keys: Mapping[str, str] | None = None,
        access_token: AccessToken | None = None,
        deployment: Deployment | None = None,
        node: ChainNode | None = None,
        wallet: str | None = None,
        account: str | None = None,
        until: Until = "final",
        service_version: str | None = None,
        client: httpx.Client | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        on_response: Callable[[AnswerFacts, httpx.Request], None] | None = None,
        pause: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
    ) -> None:
        http = httpx.Client(timeout=timeout) if client is None else client
        self._own_client = http if client is None else None
        connection = Connection(
            base_url,
            Credentials(keys or {}, access_token),
            Sending(http, retries, on_response, pause, chance),
            service_version,
        )
        ask = None if node is None else ask_of(node, http)
        gate = None if deployment is None else ActionGate(deployment, ask, wallet, now)
        preparing = Preparing(connection, gate, account, until)
        self._connection = connection
        self.tasks = Tasks(connection, preparing)
        self.nodes = Nodes(preparing)
        self.quotes = Quotes(connection, preparing)
        self.deliveries = Deliveries(connection, preparing)
        self.earnings = Earnings(connection, preparing)
        self.agents = Agents(connection)
        self.actions = Actions(connection, until)
        self.events = Events(connection)
        self.webhooks = Webhooks(connection)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], **options: Any) -> Marketplace:
        """Of the file that the SDK reads, too: `baseUrl`, `keys`, `node`, `deployment`, `until`."""
        deployment = settings.get("deployment")
        return cls(
            settings["baseUrl"],
            keys=settings.get("keys"),
            node=settings.get("node"),
            deployment=None if deployment is None else Deployment.from_json(deployment),
            until=settings.get("until", "final"),
            **options,
        )

    def me(self) -> Json:
        """Who is calling, and with what."""
        return self._connection.get("/v1/me")

    def receipts(self, **query: Any) -> Pages:
        """What nodes ended with, as the chain recorded it."""
        return self._connection.pages("/v1/receipts", query)

    def reputation(self, **query: Any) -> Pages:
        """What settled work says about agents."""
        return self._connection.pages("/v1/reputation", query)

    def close(self) -> None:
        """Closes the connections of a client of its own."""
        if self._own_client is not None:
            self._own_client.close()

    def __enter__(self) -> Marketplace:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def read_deployment(base_url: str, client: httpx.Client | None = None) -> Deployment:
    """The chain and the contracts that a market says it has.

    Compare them with what its operator publishes, keep them in your own configuration, and give them to `Marketplace` from
    there: a service that was taken over would tell others. Raises ValueError on what is no such document.
    """
    url = f"{base_url.rstrip('/')}/.well-known/tasktree-configuration"
    get = httpx.get if client is None else client.get
    told = get(url, follow_redirects=False).json()
    try:
        domain = told["usdc_domain"]
        deployment = Deployment(
            chain_id=int(told["chain_id"]),
            factory=told["escrow_factory_address"],
            implementation=told["escrow_implementation_address"],
            usdc=told["usdc_address"],
            usdc_name=str(domain["name"]),
            usdc_version=str(domain["version"]),
            max_action_seconds=int(told["max_action_seconds"]),
            signing_origin=str(told["signing_origin"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{url} names no deployment") from error
    addresses = (deployment.factory, deployment.implementation, deployment.usdc)
    if not all(map(is_address, addresses)) or deployment.chain_id < 1 or deployment.max_action_seconds < 1:
        raise ValueError(f"{url} names no deployment")
    return deployment
