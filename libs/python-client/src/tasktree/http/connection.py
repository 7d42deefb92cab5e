"""The connection to one market with the credentials of one account."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal, Union
from urllib.parse import quote

import httpx

from .errors import error_of
from .pages import Json, Pages
from .retries import Sending, send

Scope = Literal["read", "buyer", "worker", "agent-owner"]
AccessToken = Union[str, Callable[[], str]]


@dataclass(frozen=True)
class Credentials:
    """API keys, one per scope, or an access token (OAuth), which may be a function that gives the newest one."""

    keys: Mapping[str, str]
    access_token: AccessToken | None

    def headers(self, scope: Scope) -> dict[str, str]:
        """Raises ValueError where no credential has this scope."""
        token = self.access_token
        if token is not None:
            return {"Authorization": f"Bearer {token if isinstance(token, str) else token()}"}
        if scope not in self.keys:
            raise ValueError(f"This call needs an API key of the scope {scope}")
        return {"X-Api-Key": self.keys[scope]}


class Connection:
    """Sends the calls of one account."""

    def __init__(self, base_url: str, credentials: Credentials, sending: Sending, service_version: str | None) -> None:
        self.base_url = base_url.rstrip("/")
        self._credentials = credentials
        self._sending = sending
        self._version = {} if service_version is None else {"Service-Version": service_version}
        self._waits = 0
        self._counting = Lock()

    @property
    def waits(self) -> int:
        """How many wait with this connection now, in all threads."""
        return self._waits

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Counts one who waits, because all of them share the limit of one credential."""
        with self._counting:
            self._waits += 1
        try:
            yield
        finally:
            with self._counting:
                self._waits -= 1

    @property
    def pause(self) -> Callable[[float], None]:
        """Waits so many seconds."""
        return self._sending.pause

    def get(self, path: str, query: Mapping[str, Any] | None = None, scope: Scope = "read") -> Json:
        """The body of an answer. Raises MarketError, MarketUnreachable."""
        return _json_of(self.answer(scope, "GET", path, query=query))

    def pages(self, path: str, query: Mapping[str, Any], scope: Scope = "read") -> Pages:
        return Pages(lambda cursor: self.get(path, {**query, "cursor": cursor}, scope))

    def write(
        self,
        scope: Scope,
        method: str,
        path: str,
        body: Any = None,
        idempotency_key: str | None = None,
        media_type: str = "application/json",
    ) -> Json:
        """Writes JSON, or bytes as they are. A call that is repeated with its key is one call; None: a new one."""
        key = idempotency_key or secrets.token_hex(16)
        content = body if isinstance(body, bytes) or body is None else _json_bytes(body)
        return _json_of(self.answer(scope, method, path, content=content, key=key, media_type=media_type), key)

    def answer(
        self,
        scope: Scope,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        key: str | None = None,
        media_type: str = "application/json",
    ) -> httpx.Response:
        """An answer that is none of an error."""
        headers = {"Accept": "application/json", **self._headers(scope)}
        if key is not None:
            headers["Idempotency-Key"] = key
        if content is not None:
            headers["Content-Type"] = media_type
        request = self._sending.client.build_request(
            method, self._url(path), params=_present(query), headers=headers, content=content
        )
        response = send(self._sending, request)
        if not response.is_success:
            raise error_of(response, key)
        return response

    def open(
        self, path: str, query: Mapping[str, Any], headers: Mapping[str, str], timeout: float
    ) -> AbstractContextManager[httpx.Response]:
        """Opens an answer that goes on; its end and its faults are the caller's business. Seconds of silence."""
        return self._sending.client.stream(
            "GET",
            self._url(path),
            params=_present(query),
            headers={**headers, **self._headers("read")},
            timeout=httpx.Timeout(30.0, read=timeout),
            follow_redirects=False,
        )

    def _url(self, path: str) -> str:
        return f"{self.base_url}{path}"

    def _headers(self, scope: Scope) -> dict[str, str]:
        return {**self._credentials.headers(scope), **self._version}


def at(template: str, **parts: str) -> str:
    """A path with its parts in place; nothing in a part can lead elsewhere. Raises ValueError on what is no part."""
    for name, part in parts.items():
        # These are resolved, or left out, on the way, and the rest is the path of another operation.
        if part in ("", ".", ".."):
            raise ValueError(f"{part!r} cannot be the {name} in a path")
    return template.format(**{name: quote(part, safe="") for name, part in parts.items()})


def _json_of(response: httpx.Response, key: str | None = None) -> Json:
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise error_of(response, key)
    return answer


def _present(query: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if query is None else {name: value for name, value in query.items() if value is not None}


def _json_bytes(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
