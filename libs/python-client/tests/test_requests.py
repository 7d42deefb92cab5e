"""Requests, retries, lists, events and webhooks, against a market that is made up."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tasktree import MarketError, Marketplace, MarketUnreachable, WebhookRejected, read_deployment, unwrap_webhook

Answer = Callable[[httpx.Request], httpx.Response]
SECRET = "whsec_" + base64.b64encode(b"\x07" * 24).decode()
OTHER = "whsec_" + base64.b64encode(b"\x08" * 24).decode()
NOW = 1_795_348_800
BODY = json.dumps({"id": "evt_1", "type": "moon.risen", "data": {"name": "été"}})


def market(answer: Answer, pauses: list[float] | None = None, **options: Any) -> Marketplace:
    return Marketplace(
        "https://market.example/",
        keys={"read": "r", "buyer": "b", "worker": "w"},
        client=httpx.Client(transport=httpx.MockTransport(answer)),
        pause=(pauses if pauses is not None else []).append,
        chance=lambda: 0.5,
        **options,
    )


def error(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "reason": "No.", "suggestion": "Wait."}}, headers=headers)


def test_all_attempts_have_one_key_and_one_body() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) == 1:
            raise httpx.ReadError("The connection broke")
        return error(503, "unavailable") if len(seen) == 2 else httpx.Response(200, json={"ok": True})

    pauses: list[float] = []
    assert market(answer, pauses).tasks.invite("task_1", ["agent_1"]) == {"ok": True}
    assert len({(one.headers["Idempotency-Key"], one.content) for one in seen}) == 1
    assert [one.headers["X-Api-Key"] for one in seen] == ["b"] * 3
    assert pauses == [0.25, 0.5]


def test_random_faults_never_make_two_of_one_call() -> None:
    chance = random.Random(7)
    made: dict[str, bytes] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        fault = chance.choice(["none", "before", "after", "429", "503", "none"])
        if fault == "before":
            raise httpx.ConnectError("Nobody is there")
        if fault in ("429", "503"):
            return error(int(fault), "later")
        made.setdefault(request.headers["Idempotency-Key"], request.content)
        assert made[request.headers["Idempotency-Key"]] == request.content
        if fault == "after":
            raise httpx.RemoteProtocolError("It broke off")
        return httpx.Response(200, json={"ok": True})

    client = market(answer, retries=60)
    for number in range(500):
        client.tasks.invite("task_1", [f"agent_{number}"])
    assert len(made) == 500


def test_the_wait_that_is_asked_for_is_kept_unless_it_is_too_long() -> None:
    pauses: list[float] = []
    answers = iter([error(429, "rate_limited", **{"Retry-After": "7"}), httpx.Response(200, json={"id": "a"})])
    assert market(lambda _: next(answers), pauses).agents.get("a") == {"id": "a"}
    assert pauses == [7.0]
    with pytest.raises(MarketError) as refused:
        market(lambda _: error(429, "rate_limited", **{"Retry-After": "61"}), pauses).agents.get("a")
    assert (refused.value.status, refused.value.code, refused.value.suggestion) == (429, "rate_limited", "Wait.")
    assert refused.value.facts.retry_after_seconds == 61
    assert pauses == [7.0]


def test_a_conflict_is_an_answer_unless_an_earlier_attempt_still_runs() -> None:
    pauses: list[float] = []
    with pytest.raises(MarketError) as refused:
        market(lambda _: error(409, "idempotency_in_progress"), pauses).tasks.invite("t", [], idempotency_key="k1")
    assert (refused.value.idempotency_key, pauses) == ("k1", [])
    answers = iter([error(502, "bad"), error(409, "idempotency_in_progress"), httpx.Response(200, json={"ok": 1})])
    assert market(lambda _: next(answers), pauses).tasks.invite("t", []) == {"ok": 1}


def test_nobody_answers() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("Nobody is there")

    with pytest.raises(MarketUnreachable) as silent:
        market(answer).tasks.invite("t", [], idempotency_key="k1")
    assert (silent.value.attempts, silent.value.idempotency_key) == (3, "k1")


def test_an_answer_that_is_none_of_the_market_is_told_by_its_status() -> None:
    redirect = httpx.Response(302, headers={"Location": "https://evil.example/"})
    for answer, code in [(httpx.Response(500, text="<html>"), "http_500"), (redirect, "http_302")]:
        with pytest.raises(MarketError) as refused:
            market(lambda _, answer=answer: answer).me()
        assert refused.value.code == code
    with pytest.raises(MarketError):
        market(lambda _: httpx.Response(200, text="[]")).me()


def test_a_scope_without_a_key_is_told() -> None:
    with pytest.raises(ValueError, match="agent-owner"):
        market(lambda _: httpx.Response(200, json={})).agents.publish({})


def test_an_access_token_is_asked_for_each_time() -> None:
    tokens = iter(["one", "two"])
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["Authorization"])
        return httpx.Response(200, json={})

    client = market(answer, access_token=lambda: next(tokens))
    client.me()
    client.me()
    assert seen == ["Bearer one", "Bearer two"]


def test_no_part_of_a_path_leads_elsewhere() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.raw_path.decode())
        return httpx.Response(200, json={})

    market(answer).tasks.get("../me?x=1#y")
    assert seen == ["/v1/tasks/..%2Fme%3Fx%3D1%23y"]
    for part in ("..", ".", ""):
        with pytest.raises(ValueError, match="path"):
            market(answer).agents.reputation(part)
    assert len(seen) == 1


def test_lists_are_loops_with_a_cap() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        cursor = int(request.url.params.get("cursor", "0"))
        assert request.url.params["role"] == "buyer"
        return httpx.Response(
            200, json={"data": [{"n": cursor}, {"n": cursor + 1}], "next_page": None if cursor == 4 else str(cursor + 2)}
        )

    tasks = market(answer).tasks.list(role="buyer")
    assert [one["n"] for one in tasks] == [0, 1, 2, 3, 4, 5]
    assert [one["n"] for one in tasks.take(3)] == [0, 1, 2]
    with pytest.raises(ValueError):
        tasks.take(0)


def frame(number: int, text: str = "") -> str:
    event = {"id": f"evt_{number}", "sequence": number, "type": "task.opened", "text": text}
    return f"id: evt_{number}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"


class Chunks(httpx.SyncByteStream):
    """An answer that breaks off where it says so."""

    def __init__(self, *chunks: str) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if chunk == "break":
                raise httpx.ReadError("The connection broke")
            yield chunk.encode("utf-8")


def test_the_stream_comes_back_behind_the_last_event_that_was_done_with() -> None:
    places: list[str | None] = []
    connections = iter(
        [
            Chunks(
                "retry: 2000\n: hello\n\n", frame(1), frame(2, "a\u2028b\x85c")[:30], frame(2, "a\u2028b\x85c")[30:], "break"
            ),
            Chunks(frame(2), frame(3)),
            Chunks(frame(4)),
        ]
    )

    def answer(request: httpx.Request) -> httpx.Response:
        places.append(request.headers.get("Last-Event-ID"))
        return httpx.Response(200, stream=next(connections), headers={"Content-Type": "text/event-stream"})

    pauses: list[float] = []
    events = iter(market(answer, pauses).events.stream(types=["task.opened"]))
    assert [next(events)["sequence"] for _ in range(4)] == [1, 2, 3, 4]
    assert places == [None, "evt_2", "evt_3"]
    assert pauses == [2.0, 2.0]


def test_what_has_happened_already_comes_first_and_once() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            return httpx.Response(200, stream=Chunks(frame(2), frame(3)))
        past = [{"id": f"evt_{n}", "sequence": n} for n in (1, 2)]
        return httpx.Response(200, json={"data": past, "next_page": None})

    client = market(answer)
    events = iter(client.events.stream(past=True))
    assert [next(events)["sequence"] for _ in range(3)] == [1, 2, 3]
    assert client.events.once("task.opened")["sequence"] == 1


def test_a_list_of_the_past_that_nobody_answers_does_not_end_the_stream() -> None:
    places: list[str | None] = []
    faults = iter([True, True, True, False])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            places.append(request.headers.get("Last-Event-ID"))
            return httpx.Response(200, stream=Chunks())
        if next(faults):
            raise httpx.ConnectError("Nobody is there")
        return httpx.Response(200, json={"data": [{"id": "evt_1", "sequence": 1}], "next_page": None})

    pauses: list[float] = []
    assert market(answer, pauses).events.once("task.opened")["id"] == "evt_1"
    assert (places, pauses) == ([None, None], [0.25, 0.5, 1.0])


def test_a_stream_that_is_refused_for_now_is_opened_again_when_the_service_says() -> None:
    later = error(429, "rate_limited", **{"Retry-After": "41"})
    answers = iter([later, error(503, "unavailable"), error(400, "invalid_cursor")])
    pauses: list[float] = []
    with pytest.raises(MarketError):
        next(iter(market(lambda _: next(answers), pauses).events.stream()))
    assert pauses == [41.0, 2.0]


def test_a_stream_that_is_refused_for_good_is_told_and_another_is_opened_again() -> None:
    answers = iter([error(503, "unavailable"), error(400, "invalid_cursor")])
    pauses: list[float] = []
    with pytest.raises(MarketError, match="invalid_cursor"):
        next(iter(market(lambda _: next(answers), pauses).events.stream(after="evt_1")))
    assert pauses == [1.0]


def headers(body: str = BODY, secret: str = SECRET, at: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.new(key, f"evt_1.{at}.{body}".encode(), hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": f"v1a,abc v1,{signature}"}


def test_a_message_that_is_signed_is_its_event_also_of_an_unknown_type() -> None:
    assert unwrap_webhook(BODY, headers(), SECRET, NOW)["type"] == "moon.risen"
    assert Marketplace("https://m.example").webhooks.unwrap(BODY.encode(), headers(secret=OTHER), [SECRET, OTHER], NOW)


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (BODY.replace("evt_1", "evt_2"), headers()),
        (BODY, headers(secret=OTHER)),
        (BODY, headers(at=NOW - 360)),
        (BODY, headers(at=NOW + 360)),
        (BODY, {}),
        (BODY, {**headers(), "webhook-signature": "v1,***"}),
        (BODY, {**headers(), "webhook-signature": "v1,"}),
        (BODY, {**headers(), "webhook-timestamp": "now"}),
        (BODY, {**headers(), "Webhook-Id": "evt_2"}),
    ],
)
def test_any_other_message_is_refused(body: str, given: dict[str, str]) -> None:
    with pytest.raises(WebhookRejected):
        unwrap_webhook(body, given, SECRET, NOW)


@pytest.mark.parametrize(
    ("secret", "is_one"),
    [("", False), ("whsec_", False), (f"{SECRET}\n", True), ([SECRET, ""], False)],
    ids=["empty", "prefix", "line break", "an empty one beside"],
)
def test_no_secret_stands_for_the_empty_key(secret: str | list[str], is_one: bool) -> None:
    with pytest.raises(WebhookRejected if is_one else ValueError):
        unwrap_webhook(BODY, headers(secret=""), secret, NOW)
    if is_one:
        assert unwrap_webhook(BODY, headers(), secret, NOW)["id"] == "evt_1"


@pytest.mark.parametrize("secret", ["whsec_***", "whsec_é", " \n", "whsec_ "])
def test_a_secret_without_a_key_is_told_whatever_the_message(secret: str) -> None:
    with pytest.raises(ValueError, match="base64"):
        unwrap_webhook(BODY, {}, secret, NOW)


def test_a_deployment_is_read_once_and_what_is_none_is_refused() -> None:
    told = {
        "chain_id": 8453,
        "escrow_factory_address": "0x" + "c" * 40,
        "escrow_implementation_address": "0x" + "d" * 40,
        "usdc_address": "0x" + "e" * 40,
        "usdc_domain": {"name": "USD Coin", "version": "2"},
        "max_action_seconds": 900,
        "signing_origin": "https://market.example",
    }
    for changed, is_one in [({}, True), ({"usdc_address": "0x12"}, False), ({"usdc_domain": None}, False)]:
        client = httpx.Client(transport=httpx.MockTransport(lambda _, c=changed: httpx.Response(200, json={**told, **c})))
        if is_one:
            assert read_deployment("https://market.example/", client).chain_id == 8453
        else:
            with pytest.raises(ValueError):
                read_deployment("https://market.example", client)
