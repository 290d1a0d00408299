"""Sends one HTTP request."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from contextlib import suppress
from typing import Dict, Mapping, NamedTuple, Optional

from ._settings import Settings


class Response(NamedTuple):
    status: int
    headers: Dict[str, str]
    """By name in lower case."""
    body: bytes


class Expired(Exception):
    """There was no complete response in time."""


class Broken(Exception):
    """There was no complete response."""


def exchange(
    settings: Settings,
    method: str,
    target: str,
    headers: Mapping[str, str],
    body: Optional[bytes],
    timeout: float,
) -> Response:
    """Follows no redirect, which would send the secret to another address."""
    deadline = time.monotonic() + timeout
    connect = http.client.HTTPSConnection if settings.is_https else http.client.HTTPConnection
    # A new connection for each request: the service may close a reused one at the same moment, and then the outcome of
    # the request would be unknown.
    connection = connect(settings.host, settings.port, timeout=timeout)
    is_expired = threading.Event()
    try:
        connection.connect()
        timer = _shutdown_at(deadline, connection.sock, is_expired)
        try:
            all_headers = {**headers, "connection": "close"}
            connection.request(method, settings.path + target, body=body, headers=all_headers)
            response = connection.getresponse()
            content = response.read()
        finally:
            timer.cancel()
        if is_expired.is_set():
            raise Expired
        received = {name.lower(): value for name, value in response.headers.items()}
        return Response(response.status, received, content)
    # A host that can't be a name, such as "a..b", raises a UnicodeError.
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        if is_expired.is_set() or isinstance(error, socket.timeout):
            raise Expired from error
        raise Broken(str(error) or type(error).__name__) from error
    finally:
        connection.close()


def _shutdown_at(
    deadline: float, sock: socket.socket, is_expired: threading.Event
) -> threading.Timer:
    """Limits the whole response. The timeout of a socket limits only each read."""

    def shutdown() -> None:
        is_expired.set()
        with suppress(OSError):
            # Not the method of a TLS socket, which is not safe while another thread reads.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), shutdown)
    timer.daemon = True
    timer.start()
    return timer
