"""Checks 1 to 5 and 14: what the envelope says."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from ..verification.addresses import is_address, same_address
from ..verification.document import MISSING
from ..verification.notation import IDENTIFIER, node_id_of, parent_path, uint_of
from ..verification.shown_text import found_text
from . import check_copy as copy
from .subject import Finding, Subject, failed, named_node, passed, unknown

_LOOPBACK = re.compile(r"localhost|\[::1\]|127(?:\.[0-9]{1,3}){3}")
#: Stricter than browsers, which read far more as an address: no blanks within, no backslashes, no name before the host.
_URL = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][!-\[\]-~]*)?")
_TRIMMED = "".join(map(chr, range(0x21)))
_DEFAULT_PORTS = {"https": 443, "http": 80}


def check_kind(subject: Subject) -> Finding:
    """1: a client refuses another kind than it asked for, and one that it does not know."""
    kind, wanted = subject.action.get("kind"), subject.intent.kind
    if kind != wanted:
        return failed(copy.another(found_text(kind), found_text(wanted)))
    if subject.rule is None:
        return failed(f"This client does not know the kind {found_text(kind)}.")
    return passed(wanted)


def check_principal(subject: Subject) -> Finding:
    """2: the action is for the account that asked for it."""
    principal, wanted = subject.action.get("principal"), subject.intent.principal
    if not isinstance(principal, str) or principal != wanted:
        return failed(copy.another(found_text(principal), found_text(wanted)))
    return passed(wanted)


def check_wallet(subject: Subject) -> Finding:
    """3: the wallet of the envelope, of the request, of the message and the one that is connected are one."""
    connected = subject.context.connected_wallet
    wallet = subject.wallet
    if wallet is None:
        return unknown("No wallet is connected yet.")
    if not is_address(wallet):
        return failed(copy.another(found_text(wallet), "an address"))
    for other in (subject.intent.wallet, connected):
        if other is not None and not same_address(other, wallet):
            return failed(copy.another(wallet, found_text(other)))
    for name, value in _signers_in(subject):
        if not same_address(value, wallet):
            return failed(f"The message names another wallet as {name}: {found_text(value)}.")
    if connected is None:
        return unknown(f"No wallet is connected yet. The request is for {wallet}.")
    return passed(f"The wallet is {wallet}.")


def check_target(subject: Subject) -> Finding:
    """4: task and node are those of the request, and the message is for that very node."""
    action, rule = subject.action, subject.rule
    task, node = action.get("task_id"), action.get("node_id", MISSING)
    asked_task, asked_node, asked_parent = _asked_target(subject)
    if not isinstance(task, str) or not IDENTIFIER.fullmatch(task):
        return failed(copy.missing("task_id"))
    if asked_task is not None and task != asked_task:
        return failed(copy.another(found_text(task), found_text(asked_task)))
    if asked_node is not None and node != asked_node:
        return failed(copy.another(found_text(node), found_text(asked_node)))
    if subject.intent.kind == "submit_quote":
        path = uint_of(subject.own_member("terms.nodeId"))
        parent = None if path is None else parent_path(path)
        is_asked = parent == 0 if asked_parent is None else _is_node_id(asked_parent, task, parent)
        if not is_asked:
            return failed(copy.node_path(path))
    if rule is None or rule.node_member is None:
        return passed(task) if node is MISSING else failed(copy.unexpected("node_id"))
    if not isinstance(node, str):
        return failed(copy.missing("node_id"))
    named = named_node(subject)
    if not _is_node_id(node, task, named):
        return failed(copy.node_path(named))
    return passed(f"{task}, {node}")


def check_chain(subject: Subject) -> Finding:
    """5: envelope, typed data, pinned deployment and every node that was asked are of one chain."""
    chain_id = subject.context.deployment.chain_id
    places: list[tuple[str, Any]] = [
        ("The action", subject.action.get("chain_id")),
        ("What is signed", subject.domain.get("chainId")),
    ]
    for reading in subject.context.readings:
        if reading.chain_id is not None:
            places.append(("The wallet" if reading.source == "wallet" else "The service’s node", reading.chain_id))
    for place, found in places:
        if type(found) is not int or found != chain_id:
            return failed(f"{place} says chain {found_text(found)}, not {chain_id}.")
    return passed(f"Chain {chain_id}.")


def check_signing_url(subject: Subject) -> Finding:
    """14: the origin is the configured one; https, except on the machine itself."""
    url = subject.action.get("signing_url")
    found = _origin_of(url)
    if found is None:
        return failed(f"The page is at {found_text(url)}.")
    wanted = _origin_of(subject.context.deployment.signing_origin)
    if wanted is None:
        return failed(copy.UNREADABLE)
    scheme, host, port = found
    origin = f"{scheme}://{host}" + ("" if port == _DEFAULT_PORTS[scheme] else f":{port}")
    if found != wanted:
        return failed(f"The page is at {found_text(origin)}.")
    if scheme != "https" and not _LOOPBACK.fullmatch(host):
        return failed("The page is not on https.")
    return passed(origin)


def _origin_of(url: object) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for what is no address of a page."""
    # Browsers leave out controls and blanks at both ends.
    bare = url.strip(_TRIMMED) if isinstance(url, str) else ""
    if not _URL.fullmatch(bare):
        return None
    parts = urlsplit(bare)
    scheme, host = parts.scheme.lower(), parts.netloc.lower()
    if parts.port is not None:
        host = host.rpartition(":")[0]
    return scheme, host, parts.port if parts.port is not None else _DEFAULT_PORTS[scheme]


def _signers_in(subject: Subject) -> list[tuple[str, Any]]:
    """Names and values of those members of the message that must be the signing wallet."""
    signers: list[tuple[str, Any]] = []
    if subject.form == "authorization":
        signers.append(("from", subject.message.get("from")))
    if subject.form == "permit":
        signers.append(("owner", subject.message.get("owner")))
    own = None if subject.rule is None else subject.rule.signer_member
    if own is not None:
        signers.append((own, subject.own_member(own)))
    return signers


def _asked_target(subject: Subject) -> tuple[str | None, str | None, str | None]:
    """The task, node and parent node that the path and the body of the request name."""
    intent = subject.intent
    body = intent.body if isinstance(intent.body, dict) else {}
    in_body = [value if isinstance(value, str) else None for value in map(body.get, ("task_id", "node_id"))]
    parent = body.get("parent_node_id")
    task = intent.task_id if intent.task_id is not None else in_body[0]
    node = intent.node_id if intent.node_id is not None else in_body[1]
    return task, node, parent if isinstance(parent, str) else None


def _is_node_id(node_id: object, task: str, path: int | None) -> bool:
    return path is not None and node_id is not None and node_id_of(task, path) == node_id
