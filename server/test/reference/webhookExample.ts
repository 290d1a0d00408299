import type { ReceivedRequest } from '../setup/receiver.ts'

const TYPESCRIPT = `import { webhooks } from '@florin/sdk'

// Pass the raw body. The signature of a parsed body does not match.
export async function handleWebhook(rawBody: string, headers: Record<string, string>) {
  const secret = process.env.FLORIN_WEBHOOK_SECRET!
  const event = await webhooks.constructEvent(rawBody, headers, secret)
  console.log(event.type, event.data.payment_id)
}`

const PYTHON = `import base64
import hashlib
import hmac
import json
import os
import time


# Pass the raw body, and header names in lower case.
def handle_webhook(raw_body: bytes, headers: dict) -> None:
    event_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("too old or in the future")
    secret = os.environ["FLORIN_WEBHOOK_SECRET"].removeprefix("whsec_")
    signed = f"{event_id}.{sent_at}.".encode() + raw_body
    digest = hmac.new(base64.b64decode(secret), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(signature, expected) for signature in given):
        raise ValueError("wrong signature")
    event = json.loads(raw_body)
    print(event["type"], event["data"]["payment_id"])`

const PHP = `<?php
// Pass the raw body, file_get_contents('php://input'), and header names in lower case.
function handleWebhook(string $rawBody, array $headers): void {
    [$id, $sentAt] = [$headers['webhook-id'], $headers['webhook-timestamp']];
    if (abs(time() - (int) $sentAt) > 300) {
        throw new Exception('too old or in the future');
    }
    $secret = substr(getenv('FLORIN_WEBHOOK_SECRET'), strlen('whsec_'));
    $digest = hash_hmac('sha256', "$id.$sentAt.$rawBody", base64_decode($secret), true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($expected, $given)) {
            $event = json_decode($rawBody, true);
            echo $event['type'], ' ', $event['data']['payment_id'], "\\n";
            return;
        }
    }
    throw new Exception('wrong signature');
}`

type Receiving = {
  readonly source: string
  /** Code that passes a valid delivery, then one with a changed body. */
  readonly trial: (body: string, headers: string) => string
}

/** Verifies a webhook in each language. The trial runs with the source, but the reference doesn't show it. */
export const RECEIVING: Record<'typescript' | 'python' | 'php', Receiving> = {
  typescript: {
    source: TYPESCRIPT,
    trial: (body, headers) => `
await handleWebhook(${body}, ${headers})
await handleWebhook(${body} + ' ', ${headers}).catch(() => console.log('refused'))`,
  },
  python: {
    source: PYTHON,
    trial: (body, headers) => `
body = ${body}.encode()
handle_webhook(body, ${headers})
try:
    handle_webhook(body + b" ", ${headers})
except ValueError:
    print("refused")`,
  },
  php: {
    source: PHP,
    trial: (body, headers) => `
$body = json_decode(${quoted(body)});
$headers = json_decode(${quoted(headers)}, true);
handleWebhook($body, $headers);
try {
    handleWebhook($body . ' ', $headers);
} catch (Exception) {
    echo 'refused';
}`,
  },
}

/** A single-quoted string literal of PHP. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const SENT = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']

/** The received request as raw HTTP. */
export const rawRequest = ({ headers, body }: ReceivedRequest): string[] => [
  'POST /hook HTTP/1.1',
  'host: shop.example',
  ...SENT.map((name) => `${name}: ${headers[name]}`),
  '',
  body,
]
