"""A service that lies to the client: nothing is signed, and nothing is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data
from vectors import FOLDER, context_of, vectors

from tasktree import ActionNotExecuted, LocalWallet, Marketplace, PreparedActionRejected, TreeParties
from tasktree.actions.chain_node import readings_of
from tasktree.actions.gate import ActionGate, Asked, PrepareOptions
from tasktree.actions.signable_action import SignableAction
from tasktree.chain.queries import chain_queries
from tasktree.checks.typed_data import to_sign
from tasktree.http.connection import Connection, Credentials
from tasktree.http.retries import Sending
from tasktree.verification.document import ChainReading, Context, Intent

#: Well-known keys of test chains, of the buyer and the worker of the vectors.
KEYS = {
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8": "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC": "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
}
HONEST = {vector["name"]: vector for vector in vectors("honest.json")}
ATTACKS = [vector for file in sorted(FOLDER.glob("attacks-*.json")) for vector in vectors(file.name)]


class CountingWallet:
    """A wallet that counts what it is asked for."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.signatures = 0
        self.calls = 0

    def sign(self, typed_data: Any) -> str:
        self.signatures += 1
        return "0x" + "5a" * 65

    def send(self, call: Any, chain_id: int) -> str:
        self.calls += 1
        return "0x" + "11" * 32


def told_context(vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Context:
    """The context of a vector, with a blockchain node that says what the vector says."""
    context = context_of(vector["context"])

    def readings(*_: Any) -> list[ChainReading]:
        return list(context.readings)

    monkeypatch.setattr("tasktree.actions.gate.readings_of", readings)
    return context


def gate_of(vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> ActionGate:
    context = told_context(vector, monkeypatch)
    return ActionGate(context.deployment, None, vector["intent"].get("wallet"), lambda: context.now_ms / 1000)


def _unreachable(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"{request.url} is asked")


#: The connection of actions that are only signed.
UNUSED = Connection(
    "https://market.example",
    Credentials({}, None),
    Sending(httpx.Client(transport=httpx.MockTransport(_unreachable)), 0, None, pause=lambda _: None, chance=lambda: 0.0),
    None,
)


def signatures(vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """Signatures that are given when this action is the answer to the request of the vector."""
    intent = Intent.from_json(vector["intent"])
    gate = gate_of(vector, monkeypatch)
    wallet = CountingWallet(vector["context"].get("connectedWallet", ""))
    asked = Asked(intent.kind, "read", intent.task_id, intent.node_id, intent.body, intent.expects)
    options = PrepareOptions(tree=intent.tree, escrow=intent.escrow, digest=intent.digest)
    try:
        admitted = gate.admit(vector["action"], asked, intent.principal, options)
        SignableAction(admitted, gate, UNUSED, "read", "final").sign_with(wallet)
    except PreparedActionRejected as rejected:
        assert rejected.failed
    return wallet.signatures


def test_every_honest_action_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [name for name, vector in HONEST.items() if signatures(vector, monkeypatch) != 1] == []


def test_no_attack_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    # A body that JSON cannot hold is a lie of the caller's own, which is JSON by the time it is sent.
    assert [vector["name"] for vector in ATTACKS if signatures(vector, monkeypatch) != 0] == []


def test_an_account_of_eth_account_signs_the_checked_digest() -> None:
    for vector in HONEST.values():
        data = to_sign(vector["action"]["payload"])
        account = Account.from_key(KEYS[vector["context"]["connectedWallet"]])
        signature = LocalWallet(account).sign(data)
        message = encode_typed_data(full_message=json.loads(json.dumps(data)))
        assert Account.recover_message(message, signature=signature) == account.address


def test_what_was_admitted_cannot_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = json.loads(json.dumps(HONEST["fund_task by EIP-3009"]))
    intent = Intent.from_json(vector["intent"])
    asked = Asked(intent.kind, "buyer", intent.task_id, intent.node_id, intent.body)
    gate = gate_of(vector, monkeypatch)
    admitted = gate.admit(vector["action"], asked, intent.principal, PrepareOptions(tree=intent.tree))
    vector["action"]["payload"]["message"]["value"] = "1"
    admitted.action["payload"]["message"]["value"] = "1"
    assert admitted.action["payload"]["message"]["value"] == "250000000"


def test_a_price_above_the_greatest_is_refused_by_the_members(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = HONEST["select_agent"]
    intent = Intent.from_json(vector["intent"])
    gate = gate_of(vector, monkeypatch)

    def admit(most: str) -> None:
        asked = Asked(intent.kind, "buyer", intent.task_id, intent.node_id, intent.body, most=most)
        gate.admit(vector["action"], asked, intent.principal, PrepareOptions(tree=intent.tree))

    admit("250")
    with pytest.raises(PreparedActionRejected) as rejected:
        admit("249.999999")
    assert [check.name for check in rejected.value.failed] == ["members"]


def test_terms_of_the_request_cannot_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = HONEST["fund_task"]
    intent = Intent.from_json(vector["intent"])
    expects = {"terms": {"amount": "240000000"}}
    asked = Asked(intent.kind, "buyer", intent.task_id, intent.node_id, intent.body, expects)
    options = PrepareOptions(tree=intent.tree, expects={"terms": {"amount": "250000000"}})
    with pytest.raises(PreparedActionRejected):
        gate_of(vector, monkeypatch).admit(vector["action"], asked, intent.principal, options)


def test_what_the_caller_knows_is_not_hidden_by_what_a_quote_says(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = HONEST["fund_task"]
    intent = Intent.from_json(vector["intent"])
    terms = vector["action"]["payload"]["message"]["terms"]
    asked = Asked(intent.kind, "buyer", intent.task_id, intent.node_id, intent.body, {"terms": terms})
    for worker, is_admitted in ((terms["worker"], True), ("0x" + "1" * 40, False)):
        options = PrepareOptions(tree=intent.tree, expects={"terms": {"worker": worker}})
        try:
            gate_of(vector, monkeypatch).admit(vector["action"], asked, intent.principal, options)
        except PreparedActionRejected:
            assert not is_admitted
        else:
            assert is_admitted


class Service:
    """A market that has prepared one action of the vectors, and a blockchain node that knows nothing of it."""

    def __init__(self, vector: dict[str, Any], call: dict[str, Any] | None, statuses: list[str]) -> None:
        self.vector = vector
        self.call = call
        self.statuses = statuses
        self.asked: list[httpx.Request] = []
        #: What is answered to the hash of a transaction.
        self.told: Callable[[], httpx.Response] = lambda: httpx.Response(200, json={"status": "submitted"})
        #: The chunks of each stream that is opened; without any, streams are refused.
        self.streams: Iterator[Iterator[str]] = iter([])

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        path = request.url.path
        if path == "/v1/me":
            return httpx.Response(200, json={"account": {"id": "acct_1"}})
        if path.endswith("-intents"):
            return httpx.Response(201, json=self.vector["action"])
        if path.endswith("/submissions"):
            if "transaction_hash" in json.loads(request.content):
                return self.told()
            return httpx.Response(200, json={"action_id": "act_1", "status": "signed", "transaction": self.call})
        if path.endswith("/stream"):
            chunks = next(self.streams, None)
            if chunks is not None:
                return httpx.Response(200, content=(chunk.encode() for chunk in chunks))
            return httpx.Response(404, json={"error": {"code": "not_found", "reason": "None."}})
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return httpx.Response(200, json={"action_id": "act_1", "status": status}, headers={"Poll-Interval": "3"})

    def count(self, end: str) -> int:
        """Requests to paths with this end."""
        return sum(request.url.path.endswith(end) for request in self.asked)

    @property
    def submitted(self) -> list[Any]:
        """The bodies of what was handed in."""
        return [json.loads(request.content) for request in self.asked if request.url.path.endswith("/submissions")]

    def market(self, pauses: list[float]) -> Marketplace:
        context = context_of(self.vector["context"])
        return Marketplace(
            "https://market.example",
            keys={"read": "r", "worker": "w", "buyer": "b"},
            deployment=context.deployment,
            client=httpx.Client(transport=httpx.MockTransport(self.answer)),
            until="confirmed",
            pause=pauses.append,
            now=lambda: context.now_ms / 1000,
        )


def abandonment(monkeypatch: pytest.MonkeyPatch, call: dict[str, Any] | None, statuses: list[str]) -> Any:
    vector = HONEST["abandon_node"]
    service = Service(vector, call, statuses)
    told_context(vector, monkeypatch)
    pauses: list[float] = []
    market = service.market(pauses)
    node = {"task_id": vector["intent"]["taskId"], "id": vector["intent"]["nodeId"]}
    tree = TreeParties(**vector["intent"]["tree"])
    action = market.nodes.prepare_abandonment(node, PrepareOptions(tree=tree))
    return service, action, CountingWallet(vector["context"]["connectedWallet"]), pauses


CALLS = [
    one for one in vectors("signed-calls.json") if one["action"]["kind"] == "abandon_node" and len(one["signature"]) == 132
]


def test_an_action_is_signed_handed_in_sent_and_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    call = next(one["call"] for one in CALLS if one["status"] == "passed")
    service, action, wallet, pauses = abandonment(monkeypatch, call, ["signed", "submitted", "confirmed"])
    assert action.send(wallet)["status"] == "confirmed"
    assert (wallet.signatures, wallet.calls) == (1, 1)
    assert pauses == [3.0, 3.0]
    assert service.submitted == [{"signature": "0x" + "5a" * 65}, {"transaction_hash": "0x" + "11" * 32}]
    prepared = next(request for request in service.asked if request.url.path.endswith("-intents"))
    assert prepared.headers["X-Api-Key"] == "w"
    assert prepared.headers["Idempotency-Key"]
    assert prepared.content == b""


def test_a_buyer_names_one_of_several_root_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = HONEST["reject_task"]
    service = Service(vector, None, ["prepared"])
    told_context(vector, monkeypatch)
    market = service.market([])
    another = vector["intent"]["nodeId"][:-1] + "2"
    with pytest.raises(PreparedActionRejected) as refused:
        market.tasks.prepare_rejection(vector["intent"]["taskId"], reason="Page 12 is missing.", node_id=another)
    assert json.loads(service.asked[-1].content) == {"reason": "Page 12 is missing.", "node_id": another}
    assert 4 in [check.number for check in refused.value.failed]


def _away() -> httpx.Response:
    raise httpx.ConnectError("refused")


@pytest.mark.parametrize(
    "told", [lambda: httpx.Response(409, json={"error": {"code": "state_conflict", "reason": "Done."}}), _away]
)
def test_what_is_sent_is_waited_for_where_its_hash_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, told: Callable[[], httpx.Response]
) -> None:
    call = next(one["call"] for one in CALLS if one["status"] == "passed")
    service, action, wallet, _ = abandonment(monkeypatch, call, ["signed", "confirmed"])
    service.told = told
    assert action.send(wallet)["status"] == "confirmed"
    assert {"transaction_hash": "0x" + "11" * 32} in service.submitted


@pytest.mark.parametrize("one", [one for one in CALLS if one["status"] == "failed"], ids=lambda one: str(one["name"]))
def test_a_call_that_lies_is_never_sent(monkeypatch: pytest.MonkeyPatch, one: dict[str, Any]) -> None:
    _, action, wallet, _ = abandonment(monkeypatch, one["call"], ["confirmed"])
    with pytest.raises(PreparedActionRejected) as rejected:
        action.send(wallet)
    assert rejected.value.signed
    assert wallet.calls == 0


@pytest.mark.parametrize("status", ["failed", "declined", "expired", "superseded"])
def test_an_action_that_ends_otherwise_is_told(monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    _, action, _, _ = abandonment(monkeypatch, None, ["moonstruck", status])
    with pytest.raises(ActionNotExecuted):
        action.wait()


@pytest.mark.parametrize("kind", ["submit_quote", "select_agent", "create_task"])
def test_what_somebody_else_signs_and_nobody_sends_ends_with_its_signature(kind: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            return httpx.Response(404, json={"error": {"code": "not_found", "reason": "None."}})
        return httpx.Response(200, json={"kind": kind, "status": "signed"})

    client = httpx.Client(transport=httpx.MockTransport(answer))
    market = Marketplace("https://market.example", keys={"read": "r"}, client=client, pause=lambda _: None)
    for until in (None, "confirmed", "final"):
        assert market.actions.wait("act_1", until, timeout=1)["status"] == "signed"


def test_a_limit_of_time_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    _, action, _, _ = abandonment(monkeypatch, None, ["prepared"])
    with pytest.raises(TimeoutError):
        action.wait(timeout=0)


def news_of(action_id: str) -> str:
    event = {"id": "evt_1", "sequence": 1, "type": "action.confirmed", "subject": {"type": "action", "id": action_id}}
    return f"id: evt_1\ndata: {json.dumps(event)}\n\n"


def test_only_news_of_the_action_itself_make_it_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    service, action, _, pauses = abandonment(monkeypatch, None, ["signed"])

    def chunks() -> Iterator[str]:
        yield from ["retry: 2000\n\n", ": alive\n\n", news_of("act_other"), news_of("act_other")]
        service.statuses = ["confirmed"]
        yield news_of(action.id)

    service.streams = iter([chunks()])
    assert action.wait()["status"] == "confirmed"
    assert (service.count("/stream"), service.count(action.id), pauses) == (1, 2, [])


def test_a_stream_that_ends_at_once_is_opened_as_often_as_one_may_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    service, action, _, pauses = abandonment(monkeypatch, None, ["signed", "signed", "signed", "confirmed"])
    service.streams = (iter([]) for _ in range(100))
    assert action.wait()["status"] == "confirmed"
    assert (service.count("/stream"), service.count(action.id), pauses) == (4, 4, [3.0, 3.0, 3.0])


def test_a_wait_leaves_the_last_reads_of_its_key_to_other_calls() -> None:
    left = iter(["80", "39", "0", "120"])
    pauses: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            return httpx.Response(404, json={"error": {"code": "not_found", "reason": "None."}})
        remaining = next(left)
        status = "final" if remaining == "120" else "opened"
        return httpx.Response(200, json={"status": status}, headers={"Poll-Interval": "5", "X-Limit-Remaining": remaining})

    client = httpx.Client(transport=httpx.MockTransport(answer))
    market = Marketplace("https://market.example", keys={"read": "r"}, client=client, pause=pauses.append)
    assert market.actions.wait("act_1")["status"] == "final"
    assert pauses == [5.0, 30.0, 30.0]


def test_waits_at_the_same_time_share_what_one_key_may_ask() -> None:
    count = 25
    together = Barrier(count)
    looked: set[str] = set()
    pauses: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            return httpx.Response(429, json={"error": {"code": "rate_limited", "reason": "Three are open."}})
        is_second = request.url.path in looked
        looked.add(request.url.path)
        # Nobody goes on before all wait.
        if not is_second:
            together.wait(10)
        return httpx.Response(200, json={"status": "final" if is_second else "opened"}, headers={"Poll-Interval": "5"})

    def pause(seconds: float) -> None:
        together.wait(10)
        pauses.append(seconds)

    client = httpx.Client(transport=httpx.MockTransport(answer))
    market = Marketplace("https://market.example", keys={"read": "r"}, client=client, pause=pause)
    with ThreadPoolExecutor(count) as pool:
        records = list(pool.map(lambda number: market.actions.wait(f"act_{number}"), range(count)))
    assert [record["status"] for record in records] == ["final"] * count
    # A look a second for all together.
    assert pauses == [count - 1.0] * count


class Clock:
    """Time that passes only while a stream is silent, or in a pause."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> None:
        self._heartbeats = 0
        monkeypatch.setattr("tasktree.actions.watch.time", SimpleNamespace(monotonic=lambda: self.now))
        self._pauses = pauses

    @property
    def now(self) -> float:
        return 15.0 * self._heartbeats + sum(self._pauses)

    def heartbeats(self) -> Iterator[str]:
        while True:
            self._heartbeats += 1
            yield ": alive\n\n"


def test_without_news_it_is_looked_at_every_thirty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    service, action, _, pauses = abandonment(monkeypatch, None, ["signed", "signed", "confirmed"])
    clock = Clock(monkeypatch, pauses)
    service.streams = iter([clock.heartbeats()])
    assert action.wait()["status"] == "confirmed"
    assert (service.count("/stream"), service.count(action.id), clock.now) == (1, 3, 60)


@pytest.mark.parametrize("timeout", [1, 14, 15, 40, 100])
def test_a_limit_of_time_is_kept_while_the_stream_only_says_that_it_lives(
    monkeypatch: pytest.MonkeyPatch, timeout: float
) -> None:
    service, action, _, pauses = abandonment(monkeypatch, None, ["prepared"])
    clock = Clock(monkeypatch, pauses)
    service.streams = iter([clock.heartbeats()])
    with pytest.raises(TimeoutError):
        action.wait(timeout=timeout)
    assert clock.now == timeout
    assert all(pause <= 3 for pause in pauses)


def test_without_a_deployment_nothing_is_prepared() -> None:
    market = Marketplace(
        "https://market.example", keys={}, client=httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(500)))
    )
    with pytest.raises(ValueError, match="deployment"):
        market.tasks.prepare_creation({})


def test_the_questions_to_a_blockchain_node_are_those_of_the_other_verifier() -> None:
    vector = HONEST["fund_task by permit"]
    deployment = context_of(vector["context"]).deployment
    queries = chain_queries(vector["action"], Intent.from_json(vector["intent"]), deployment)
    names = "chainId block code node withdrawable nonceUsed refund balance permitNonce".split()
    assert [query.name for query in queries] == names
    assert [query.name for query in chain_queries(None, Intent("x", "y"), deployment)] == names[:2]


def test_a_blockchain_node_is_asked_everything_at_the_same_time() -> None:
    vector = HONEST["fund_task by permit"]
    intent, deployment = Intent.from_json(vector["intent"]), context_of(vector["context"]).deployment
    together = Barrier(len(chain_queries(vector["action"], intent, deployment)))

    def ask(method: str, params: Sequence[Any]) -> Any:
        # Nobody passes before all have come. What is not answered stays open, and so is missing from the reading.
        together.wait(10)
        if method == "eth_getCode":
            raise OSError("The node is silent")
        return "0x2105" if method == "eth_chainId" else "0x" + "7".rjust(64, "0")

    [reading] = readings_of(ask, vector["action"], intent, deployment)
    assert (reading.chain_id, reading.usdc_balance, reading.permit_nonce, reading.escrow) == (8453, 7, 7, None)
