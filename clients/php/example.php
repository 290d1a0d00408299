<?php

declare(strict_types=1);

/*
 * A shop with one product: sells, takes the payment, and is notified by webhook. Run it with PHP's built-in web server:
 *
 *     PHP_CLI_SERVER_WORKERS=2 php -S localhost:3000 example.php
 *
 * It needs FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET and FLORIN_WEBHOOK_SECRET.
 */

use Florin\Exception\FlorinException;
use Florin\Exception\WebhookVerificationException;
use Florin\Florin;
use Florin\Webhooks;

require __DIR__ . '/autoload.php';

const PAGE = '<h1>Tea</h1><form method="post" action="/buy"><button>Buy for 12.50 USD</button></form>' . "\n";

$florin = new Florin(
    baseUrl: getenv('FLORIN_URL') ?: '',
    apiKey: getenv('FLORIN_API_KEY') ?: '',
    apiSecret: getenv('FLORIN_API_SECRET') ?: '',
);

/** Sends the customer to the checkout page. */
function sell(Florin $florin): void
{
    $order = 'tea-' . bin2hex(random_bytes(8));
    $shop = 'http://' . $_SERVER['HTTP_HOST'];
    $created = $florin->payments->create(
        [
            'amount' => '12.50',
            'currency' => 'USD',
            'products' => [['name' => 'Tea', 'quantity' => 1, 'price' => '12.50']],
            'reference_id' => $order,
            'return_url' => "$shop/thanks",
            'webhook_url' => "$shop/hook",
        ],
        // Derived from the order, so that retried calls for one order create one payment.
        idempotencyKey: $order,
    );
    header('Location: ' . getenv('FLORIN_URL') . "/pay/$created->payment_id", true, 303);
}

function thank(Florin $florin): void
{
    try {
        // Ask Florin instead of trusting the `status` parameter: anyone can change the URL.
        $status = $florin->payments->status((string) ($_GET['payment_id'] ?? ''), wait: 5)->status;
        echo $status === 'completed' ? "Paid. Thank you!\n" : "The payment is $status.\n";
    } catch (FlorinException $error) {
        http_response_code(400);
        echo htmlspecialchars($error->getMessage()), "\n";
    }
}

function receive(): void
{
    try {
        $body = (string) file_get_contents('php://input');
        $event = Webhooks::constructEvent($body, getallheaders(), getenv('FLORIN_WEBHOOK_SECRET') ?: '');
    } catch (WebhookVerificationException $error) {
        http_response_code(400);
        echo $error->getMessage(), "\n";
        return;
    }
    // A real shop looks up $event->id in its database, because some events arrive twice, and marks the order as paid.
    error_log("$event->type {$event->data->reference->id}");
    http_response_code(204);
}

match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /' => print PAGE,
    'GET /thanks' => thank($florin),
    'POST /buy' => sell($florin),
    'POST /hook' => receive(),
    default => http_response_code(404),
};
