<?php

declare(strict_types=1);

namespace Florin;

use Florin\Model\Payment;

final class WebhookEvent
{
    public function __construct(
        /** The same on every delivery; use it to detect duplicates. */
        public readonly string $id,
        /** @var 'payment.completed'|'payment.failed'|'payment.expired'|'payment.refunded' */
        public readonly string $type,
        /** Order among the events of one payment. */
        public readonly int $sequence,
        /** ISO 8601. */
        public readonly string $timestamp,
        /** The payment at the time of the event. */
        public readonly Payment $data,
    ) {
    }
}
