"""An agent that asks Purser before it pays, on Python's standard library (3.11 or newer).

    python3 agent.py           spends: a hold, a void, an unknown outcome, a rejection, an approval
    python3 agent.py receive   receives webhooks and verifies them

README.md says how to run it. Copy the parts that your own agent needs.
"""

import base64
import hashlib
import hmac
import http.client
import itertools
import json
import os
import random
import re
import sys
import time
import urllib.parse
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from decimal import ROUND_UP, Decimal
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer

say = partial(print, flush=True)  # Each line appears at once, also in a pipe.

# ---- The client ----------------------------------------------------------------------------------

TOTAL_SECONDS = 60  # All attempts of one call together.
ATTEMPT_SECONDS = 15  # One attempt without a byte from the gateway.
RETRIES = 5


class PurserError(Exception):
    """A call failed. `code` never changes, so base your logic on it: see docs/errors.md.

    If the outcome is unknown, send the same request with the same `key` again: it runs once.
    """

    def __init__(self, status: int, code: str, detail: str, key: str | None):
        super().__init__(f"{code}: {detail}" + (f" (Idempotency-Key {key})" if key else ""))
        self.status, self.code, self.key = status, code, key


class Purser:
    """Calls the API. It follows no redirect, because that would send the key to another server."""

    def __init__(self, api_key: str | None = None, base_url: str | None = None):
        environment = os.environ.get("PURSER_BASE_URL") or os.environ.get("PURSER_URL")
        url = urllib.parse.urlsplit(base_url or environment or "http://127.0.0.1:3000")
        if not url.hostname or url.scheme not in ("http", "https"):
            raise ValueError("PURSER_BASE_URL must be a URL, such as https://purser.example.com.")
        if url.scheme == "http" and url.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError("Plain http would show the API key to the network. Use https.")
        key = (api_key or os.environ.get("PURSER_API_KEY", "")).strip()
        if not re.fullmatch(r"[!-~]+", key):
            raise ValueError("Set PURSER_API_KEY to an API key, which begins with psr_.")
        secure = url.scheme == "https"
        connection = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._connect = partial(connection, url.hostname, url.port or (443 if secure else 80))
        self._prefix = url.path.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def get(self, path: str, wait: int = 0) -> dict:
        return self._call("GET", path, None, None, wait)

    def post(self, path: str, body: dict | None = None, key: str | None = None) -> dict:
        """Runs at most once per key. Pass the id of your order to stay safe after a crash too."""
        return self._call("POST", path, body, key or str(uuid.uuid4()))

    def _call(self, method: str, path: str, body: dict | None, key: str | None, wait=0) -> dict:
        # `default=float` only writes a Decimal as a JSON number. All arithmetic is in Decimal.
        data = None if body is None else json.dumps(body, default=float).encode()
        headers = self._headers | ({"Idempotency-Key": key} if key else {})
        deadline = time.monotonic() + TOTAL_SECONDS + wait
        for attempt in itertools.count():
            after, left = 0, deadline - time.monotonic()
            connection = self._connect(timeout=max(1, min(left, ATTEMPT_SECONDS + wait)))
            try:
                connection.request(method, self._prefix + path, data, headers)
                response = connection.getresponse()
                answer = read_json(response.read())
                if response.status == 200 and answer:
                    return answer
                code = answer.get("code", "unexpected_answer")
                detail = answer.get("detail", f"HTTP {response.status} without a JSON object.")
                status = 0 if response.status == 200 else response.status  # 0: a lost answer.
                error = PurserError(status, code, detail, key)
                seconds = response.headers.get("Retry-After", "")
                after = int(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else 0
            except (OSError, http.client.HTTPException) as cause:
                error = PurserError(0, "no_answer", str(cause) or type(cause).__name__, key)
            finally:
                connection.close()
            delay = after + random.uniform(0, 0.25 * 2**attempt)  # Jitter spreads the agents.
            is_late = attempt == RETRIES or time.monotonic() + delay >= deadline
            # A rejection is a 200. The other 429, `plan_limit_exceeded`, lasts until next month.
            can_pass = error.status in (0, 408) or error.status >= 500
            if is_late or not (can_pass or error.code in ("rate_limited", "idempotency_in_flight")):
                raise error
            say(f"  {error.code}: retrying in {delay:.1f} s")
            time.sleep(delay)


def read_json(text: bytes) -> dict:
    """Reads numbers as Decimal. Returns an empty dict for anything but a JSON object."""
    try:
        value = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


# ---- A spend with a hold -------------------------------------------------------------------------

HOLD_MINUTES = 15
MILLIONTH = Decimal("0.000001")  # The smallest amount of the API.


class NothingCharged(Exception):
    """Your purchase raises this if it knows that no money moved, and only then."""


class OutcomeUnknown(Exception):
    """The hold stays open: the vendor may have charged, so the budget must not be released yet."""

    def __init__(self, hold: dict, reason: str):
        start = datetime.fromisoformat(hold["evaluationDetails"]["evaluatedAt"])
        expires = start + timedelta(minutes=HOLD_MINUTES)
        self.transaction_id, self.expires_at = hold["transactionId"], expires
        super().__init__(
            f"{reason} The hold {self.transaction_id} expires at {expires:%Y-%m-%d %H:%M:%S} UTC. "
            "Ask the vendor, then settle or void it."
        )


def spend(purser: Purser, request: dict, purchase: Callable[[Decimal], Decimal]) -> dict:
    """Holds the amount, buys, and settles the hold with the cost that `purchase` returns.

    `purchase` gets the amount that it may charge at most. Returns the decision or the transaction.
    """
    hold = {"expiresIn": f"{HOLD_MINUTES}m"}
    decision = purser.post("/gateway/evaluate", {**request, "hold": hold})
    if decision["decision"] == "rejected":
        return decision
    try:
        # Tokens times price can have more than six decimals. Round up: a budget never shows less.
        cost = purchase(decision["amount"]).quantize(MILLIONTH, ROUND_UP)
    except NothingCharged:
        cost = Decimal(0)
    except Exception as cause:  # A timeout, for example: the vendor may have charged.
        raise OutcomeUnknown(decision, f"The purchase failed: {cause!r}.") from cause
    path = f"/transactions/{decision['transactionId']}"
    try:
        if cost == 0:
            return purser.post(f"{path}/void")
        return purser.post(f"{path}/settle", {"amount": cost})
    except PurserError as cause:
        known = f"The vendor charged {cost}, and Purser has not recorded it: {cause}"
        raise OutcomeUnknown(decision, known) from cause


# ---- An approval ---------------------------------------------------------------------------------


def spend_with_approval(purser: Purser, request: dict, purchase, seconds: float) -> dict:
    """Spends. If a rule asks for a person, waits for the answer and then spends with the permit."""
    decision = spend(purser, request, purchase)
    approval = decision.get("evaluationDetails", {}).get("approval")
    if decision["decision"] != "rejected" or not approval:
        return decision
    say(f"  a person must decide: npx purser approvals approve {approval['id']}")
    deadline = time.monotonic() + seconds
    while approval["status"] == "pending" and (left := deadline - time.monotonic()) > 0:
        wait = min(50, int(left) + 1)  # One request waits for at most 50 seconds.
        approval = purser.get(f"/approvals/{approval['id']}?wait={wait}", wait)
    if approval["status"] != "approved":
        say(f"  the approval is {approval['status']}, so nothing is spent")
        return decision
    # The person may have approved less. This is a new request, so it gets a new Idempotency-Key.
    amount = min(request["amount"], approval["permit"]["maxAmount"])
    permitted = {**request, "amount": amount, "approvalId": approval["id"]}
    return spend(purser, permitted, purchase)


# ---- Webhooks ------------------------------------------------------------------------------------


def verify_webhook(body: bytes, headers: Mapping[str, str], secrets: list[str]) -> dict | None:
    """Returns the event, or None for a forged or old request. `body` is the raw body.

    Pass the new and the old secret during a rotation. Process each `webhook-id` once.
    """
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return None
    if abs(time.time() - int(timestamp)) > 300:
        return None
    signed = f"{event_id}.{timestamp}.".encode() + body
    given = headers.get("webhook-signature", "").split(" ")
    is_genuine = False
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        for one in given:  # compare_digest takes the same time wherever the texts differ.
            is_genuine |= hmac.compare_digest(one.encode(), expected)
    return read_json(body) if is_genuine else None


class Receiver(BaseHTTPRequestHandler):
    timeout = 5  # Seconds for a sender that stalls.

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if re.fullmatch(r"[0-9]{1,6}", length) else b""
        event = verify_webhook(body, self.headers, os.environ["WEBHOOK_SECRET"].split())
        if event is not None:  # In production: store it under its webhook-id, process it later.
            say(f"{event['event']} {self.headers['webhook-id']}")
        self.send_response(401 if event is None else 204)
        self.end_headers()


def receive():
    if not os.environ.get("WEBHOOK_SECRET"):
        raise ValueError("Set WEBHOOK_SECRET to the webhook secret, or to the new and the old one.")
    server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Receiver)
    say(f"Listening on port {server.server_port}")
    server.serve_forever()


# ---- The example ---------------------------------------------------------------------------------


def create_agent(owner: Purser) -> Purser:
    """A person does this once: an agent, its mandate, and a key bound to the agent."""
    agent_id = owner.post("/agents", {"name": "Python agent"})["id"]
    rules = [{"type": "amount", "max": 25}, {"type": "approval", "above": 10}]
    mandate = owner.post("/mandates", {"agentId": agent_id, "budgetTotal": 100, "rules": rules})
    owner.post(f"/mandates/{mandate['id']}/activate")
    expires = datetime.now(timezone.utc) + timedelta(hours=1)
    key = {"name": "Python agent", "agentIds": [agent_id], "expiresAt": expires.isoformat()}
    say(f"The agent {agent_id} may spend 100, at most 25 at once, and above 10 a person decides.")
    return Purser(owner.post("/api-keys", key)["apiKey"])


def ask_model(limit: Decimal, error: Exception | None = None) -> Decimal:
    """Stands for a call of a vendor, which charges for the tokens that it used, up to `limit`."""
    if error:
        raise error
    return 41_237 * Decimal("0.0000123")


def tell(result: dict):
    if result["decision"] == "rejected":
        details = result["evaluationDetails"]
        say(f"  rejected: {details['code']}. {details['message']}")
        say(f"  the largest amount that would pass now: {details['next']['maxAmountNow']}")
    else:
        say(f"  {result['status']}: {result['settledAmount']} of {result['amount']}")


def run():
    agent = create_agent(Purser())
    model = {"vendor": "api.openai.com", "category": "llm"}
    say("The agent holds 2 for a model, and settles the cost:")
    tell(spend(agent, {**model, "amount": Decimal(2)}, ask_model))
    say("The vendor refuses, so the agent voids the hold:")
    refused = partial(ask_model, error=NothingCharged("The vendor answered 429."))
    tell(spend(agent, {**model, "amount": Decimal(3)}, refused))
    say("The vendor does not answer, so the agent leaves the hold:")
    try:
        silent = partial(ask_model, error=TimeoutError("No answer."))
        tell(spend(agent, {**model, "amount": Decimal(4)}, silent))
    except OutcomeUnknown as unknown:
        say(f"  {unknown}")
    say("The agent asks for 40, which is too much:")
    tell(spend(agent, {**model, "amount": Decimal(40)}, ask_model))
    say("The agent asks for 20, and waits five minutes for a person:")
    tell(spend_with_approval(agent, {**model, "amount": Decimal(20)}, lambda limit: limit, 300))


if __name__ == "__main__":
    try:
        receive() if sys.argv[1:] == ["receive"] else run()
    except (PurserError, OutcomeUnknown, ValueError) as problem:
        sys.exit(f"{type(problem).__name__}: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
