"""What this package says of every vector is what the TypeScript verifier says."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from eth_account.messages import encode_typed_data
from eth_utils import keccak
from vectors import FOLDER, context_of, vectors, verdict_of

from tasktree import (
    Deployment,
    Intent,
    chain_queries,
    hash_typed_data,
    is_signable,
    match_code,
    reading_from,
    reading_from_json,
    request_digest_of,
    verify_prepared_action,
    verify_signed_call,
)
from tasktree.verification.canonical_json import canonical_json
from tasktree.verification.match_words import MATCH_WORDS

ACTIONS = sorted(file.name for file in FOLDER.glob("attacks-*.json")) + [
    "anything-at-all.json",
    "honest.json",
    "open-questions.json",
]


def expected(vector: dict[str, Any]) -> dict[str, list[int]]:
    return {"failing": vector["failing"], "unknown": vector["unknown"]}


def differences(file: str, changed: list[dict[str, Any]]) -> list[Any]:
    return [
        (file, vector["name"], found, expected(vector))
        for vector in changed
        if (found := verdict_of(vector)) != expected(vector)
    ]


@pytest.mark.parametrize("file", ACTIONS)
def test_each_action_is_refused_by_exactly_the_checks_that_refuse_it_elsewhere(file: str) -> None:
    assert differences(file, vectors(file)) == []


def test_there_are_attacks() -> None:
    attacks = [vector for file in ACTIONS if file.startswith("attacks-") for vector in vectors(file)]
    assert len(attacks) > 150
    assert [vector["name"] for vector in attacks if not vector["failing"]] == []


def test_each_changed_member_is_seen_by_the_same_checks() -> None:
    honest = {vector["name"]: vector for vector in vectors("honest.json")}

    def whole(change: dict[str, Any]) -> dict[str, Any]:
        target = copy.deepcopy(honest[change["of"]])
        inner = target
        *path, last = change["path"]
        for name in path:
            inner = inner[name]
        if "value" in change:
            inner[last] = change["value"]
        else:
            del inner[last]
        return {**target, **{key: change[key] for key in ("name", "failing", "unknown")}}

    assert differences("changed-members.json", [whole(change) for change in vectors("changed-members.json")]) == []


def test_each_call_for_a_signature_has_the_same_verdict() -> None:
    found = [
        (
            one["name"],
            verify_signed_call(one["call"], one["action"], one["signature"], Deployment.from_json(one["deployment"])),
        )
        for one in vectors("signed-calls.json")
    ]
    assert [(name, check.status) for name, check in found] == [
        (one["name"], one["status"]) for one in vectors("signed-calls.json")
    ]


def test_typed_data_has_the_same_hashes_and_those_of_eth_account() -> None:
    for vector in vectors("typed-data.json"):
        payload = vector["payload"]
        hashes = hash_typed_data(payload)
        assert hashes.domain_hash == vector["domainHash"]
        assert hashes.message_hash == vector["messageHash"]
        assert hashes.digest == vector["digest"]
        assert match_code(hashes.digest) == vector["matchCode"]
        signed = {name: copy.deepcopy(payload[name]) for name in ("domain", "types", "primaryType", "message")}
        message = encode_typed_data(full_message=signed)
        assert "0x" + keccak(b"\x19" + message.version + message.header + message.body).hex() == vector["digest"]


@pytest.mark.parametrize("amount", ["0250000000", "0xee6b280"])
def test_a_number_in_another_form_is_not_hashed_although_eth_account_would(amount: str) -> None:
    payload = copy.deepcopy(HONEST["abandon_node"]["action"]["payload"])
    payload["message"]["amount"] = amount
    signed = {name: payload[name] for name in ("domain", "types", "primaryType", "message")}
    assert encode_typed_data(full_message=copy.deepcopy(signed)).body
    with pytest.raises(TypeError):
        hash_typed_data(signed)


def test_a_blockchain_node_is_asked_the_same_and_understood_alike() -> None:
    for vector in vectors("chain-readings.json"):
        action, intent = vector["action"], Intent.from_json(vector["intent"])
        deployment = Deployment.from_json(vector["deployment"])
        queries = [
            {"name": name, "method": method, "params": list(params)}
            for name, method, params in chain_queries(action, intent, deployment)
        ]
        assert queries == vector["queries"], vector["name"]
        for told in vector["readings"]:
            found = reading_from("wallet", told["answers"], action, intent, deployment)
            assert found == reading_from_json(told["reading"]), told["name"]


def test_requests_have_the_same_digests() -> None:
    for vector in vectors("request-digests.json"):
        if "canonical" in vector:
            assert canonical_json(vector["body"]) == vector["canonical"]
        assert request_digest_of(vector.get("body")) == vector["digest"]


def test_the_words_of_match_codes_are_those_of_the_page() -> None:
    source = (FOLDER.parent / "src" / "match-code" / "match-words.ts").read_text(encoding="utf-8")
    lines = re.findall(r"^  '([^']+)',$", source, re.MULTILINE)
    assert " ".join(lines).split() == list(MATCH_WORDS)
    with pytest.raises(ValueError):
        match_code("0x12")


HONEST = {vector["name"]: vector for vector in vectors("honest.json")}


class Throwing(dict[str, Any]):
    """Says yes to everything until it is read."""

    def items(self) -> Any:
        raise RuntimeError("boo")


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


CYCLE: dict[str, Any] = {}
CYCLE["payload"] = CYCLE


@pytest.mark.parametrize(
    "hostile",
    [
        object(),
        float("nan"),
        lambda: None,
        b"act_1",
        CYCLE,
        Throwing(kind="abandon_node"),
        {1: "a name that is none"},
        {**HONEST["abandon_node"]["action"], "kind": "x" * 2_000_000},
        {**HONEST["abandon_node"]["action"], "payload": {f"m{index}": index for index in range(20_000)}},
        {**HONEST["abandon_node"]["action"], "payload": deep(900)},
        {**HONEST["abandon_node"]["action"], "chain_id": 10**400},
        {**HONEST["abandon_node"]["action"], "action_id": "\ud800"},
    ],
    ids=lambda value: type(value).__name__,
)
def test_anything_gives_fifteen_rows_raises_nothing_and_is_not_signable(hostile: Any) -> None:
    vector = HONEST["abandon_node"]
    checks = verify_prepared_action(hostile, Intent.from_json(vector["intent"]), context_of(vector["context"]))
    assert [check.number for check in checks] == list(range(1, 16))
    assert not is_signable(checks)
    assert all(len(check.detail) < 400 and "\n" not in check.detail for check in checks)


def test_a_check_that_is_missing_or_there_twice_makes_nothing_signable() -> None:
    vector = HONEST["fund_task"]
    checks = verify_prepared_action(vector["action"], Intent.from_json(vector["intent"]), context_of(vector["context"]))
    assert is_signable(checks)
    assert not is_signable([])
    assert not is_signable(checks[1:])
    assert not is_signable([*checks, checks[0]])


def test_names_and_titles_are_those_of_the_verifier_in_typescript() -> None:
    source = (FOLDER.parent / "src" / "checks" / "check-copy.ts").read_text(encoding="utf-8")
    rows = re.findall(r"^  (\d+): \{ name: '(\w+)', title: '([^']+)' \},$", source, re.MULTILINE)
    vector = HONEST["fund_task"]
    checks = verify_prepared_action(vector["action"], Intent.from_json(vector["intent"]), context_of(vector["context"]))
    assert [(str(check.number), check.name, check.title) for check in checks] == rows


def test_every_file_of_vectors_is_read() -> None:
    read = {
        *ACTIONS,
        "chain-readings.json",
        "changed-members.json",
        "signed-calls.json",
        "typed-data.json",
        "request-digests.json",
    }
    assert {Path(file).name for file in FOLDER.glob("*.json")} == read
