"""A shop with one product: sells, takes the payment, and is notified by webhook.

Needs FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET and FLORIN_WEBHOOK_SECRET.
"""

from __future__ import annotations

import os
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from florin import Florin, FlorinError, WebhookVerificationError, webhooks

PORT = int(os.environ.get("PORT", "3000"))
SHOP_URL = f"http://localhost:{PORT}"
FLORIN_URL = os.environ["FLORIN_URL"]
PAGE = '<h1>Tea</h1><form method="post" action="/buy"><button>Buy for 12.50 USD</button></form>\n'

florin = Florin(
    base_url=FLORIN_URL,
    api_key=os.environ["FLORIN_API_KEY"],
    api_secret=os.environ["FLORIN_API_SECRET"],
)
# A real shop keeps both in its database.
paid_orders: set[str] = set()
seen_events: set[str] = set()


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/":
            return self.reply(200, PAGE)
        if url.path == "/thanks":
            return self.thank(parse_qs(url.query).get("payment_id", [""])[0])
        return self.reply(404, "Not found\n")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.path == "/buy":
            return self.sell()
        if self.path == "/hook":
            return self.receive(body)
        return self.reply(404, "Not found\n")

    def sell(self) -> None:
        order = f"tea-{uuid.uuid4()}"
        created = florin.payments.create(
            {
                "amount": "12.50",
                "currency": "USD",
                "products": [{"name": "Tea", "quantity": 1, "price": "12.50"}],
                "reference_id": order,
                "return_url": f"{SHOP_URL}/thanks",
                "webhook_url": f"{SHOP_URL}/hook",
            },
            # Derived from the order, so that retried calls for one order create one payment.
            idempotency_key=order,
        )
        self.reply(303, "", location=f"{FLORIN_URL}/pay/{created.payment_id}")

    def thank(self, payment_id: str) -> None:
        try:
            # Ask Florin instead of trusting the `status` parameter: anyone can change the URL.
            status = florin.payments.status(payment_id, wait=5).status
        except FlorinError as error:
            return self.reply(400, f"{error}\n")
        thanks = "Paid. Thank you!\n"
        self.reply(200, thanks if status == "completed" else f"The payment is {status}.\n")

    def receive(self, body: bytes) -> None:
        secret = os.environ["FLORIN_WEBHOOK_SECRET"]
        try:
            event = webhooks.construct_event(body, self.headers, secret)
        except WebhookVerificationError as error:
            return self.reply(400, f"{error}\n")
        if event.id not in seen_events and event.type == "payment.completed":
            paid_orders.add(event.data.reference.id or "")
            print("paid", event.data.reference.id, flush=True)
        seen_events.add(event.id)
        self.reply(204, "")

    def reply(self, status: int, text: str, location: str | None = None) -> None:
        self.send_response(status)
        if location is not None:
            self.send_header("location", location)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing for each request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
    print(f"listening on {SHOP_URL}", flush=True)
    server.serve_forever()
