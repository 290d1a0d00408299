<?php

declare(strict_types=1);

namespace Florin;

use Florin\Exception\WebhookVerificationException;
use Florin\Internal\Json;
use Florin\Internal\SamplePayment;
use Florin\Model\Payment;

/** Verifies deliveries (Standard Webhooks 1.0.0), and creates signed ones for tests. */
final class Webhooks
{
    /** A delivery has two signatures during a rotation. Limits the work for a header full of guesses. */
    private const MAX_SIGNATURES = 8;

    /**
     * Verifies a delivery and returns its event.
     *
     * @param string $rawBody the received bytes; a body that a framework parsed and serialized again does not match
     * @param array<string, string|list<string>> $headers such as getallheaders()
     * @param string|list<string> $secret one secret, or several while one is being rotated; one match is enough
     * @param float $tolerance maximum difference of the timestamp in seconds
     */
    public static function constructEvent(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        float $tolerance = 300,
        ?\DateTimeInterface $now = null,
    ): WebhookEvent {
        $keys = self::keysOf($secret);
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        if (preg_match('/^\d{1,12}\z/', $timestamp) !== 1) {
            $message = 'webhook-timestamp is not a number of seconds';
            throw new WebhookVerificationException('timestamp_malformed', $message);
        }
        // Refuses recorded deliveries that are replayed after the tolerance.
        $seconds = $now === null ? microtime(true) : (float) $now->format('U.u');
        if (abs($seconds - (int) $timestamp) > $tolerance) {
            $message = 'webhook-timestamp is too old or in the future';
            throw new WebhookVerificationException('timestamp_outside_tolerance', $message);
        }
        if (!self::isSigned("$id.$timestamp.$rawBody", $signatures, $keys)) {
            $message = 'no signature matches: wrong secret, or not the raw body';
            throw new WebhookVerificationException('signature_wrong', $message);
        }
        return self::eventOf($id, $rawBody);
    }

    private static function eventOf(string $id, string $body): WebhookEvent
    {
        try {
            $event = Json::parse($body);
            $data = Payment::fromArray($event['data'] ?? null);
            return new WebhookEvent($id, $event['type'], $event['sequence'], $event['timestamp'], $data);
        // Frameworks convert the warning about a missing key to an ErrorException.
        } catch (\ErrorException | \JsonException | \TypeError | \UnexpectedValueException $error) {
            $message = 'the body is signed, but is not an event';
            throw new WebhookVerificationException('body_malformed', $message, $error);
        }
    }

    /** @param list<string> $keys */
    private static function isSigned(string $signed, string $header, array $keys): bool
    {
        $parts = array_slice(explode(' ', $header, self::MAX_SIGNATURES + 1), 0, self::MAX_SIGNATURES);
        foreach ($keys as $key) {
            foreach ($parts as $part) {
                // Compares in constant time.
                if (hash_equals('v1,' . self::signature($key, $signed), $part)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function signature(#[\SensitiveParameter] string $key, string $signed): string
    {
        return base64_encode(hash_hmac('sha256', $signed, $key, true));
    }

    /**
     * @param string|list<string> $secret
     * @return list<string>
     */
    private static function keysOf(#[\SensitiveParameter] string|array $secret): array
    {
        return array_map(static function (mixed $value): string {
            $text = is_string($value) ? $value : '';
            $key = base64_decode(str_starts_with($text, 'whsec_') ? substr($text, 6) : $text, true);
            // An empty key would accept signatures from anyone.
            if ($key === false || $key === '') {
                throw new \InvalidArgumentException('a secret must look like whsec_…');
            }
            return $key;
        }, array_values((array) $secret));
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $key => $value) {
            // PSR-7 has a list of values.
            $text = is_array($value) ? ($value[0] ?? '') : $value;
            if (strtolower((string) $key) === $name && $text !== '') {
                return $text;
            }
        }
        throw new WebhookVerificationException('header_missing', "$name is missing");
    }

    /**
     * Creates a signed delivery for your tests: post it, or pass it to your handler.
     *
     * @param 'payment.completed'|'payment.failed'|'payment.expired'|'payment.refunded' $type
     * @param string|list<string> $secret the secret for constructEvent: any base64 after `whsec_`
     * @param array<string, mixed> $data fields of the payment in the form of the API; the rest is sample data
     */
    public static function signTestEvent(
        string $type,
        #[\SensitiveParameter] string|array $secret,
        array $data = [],
        ?string $id = null,
        ?\DateTimeInterface $at = null,
    ): SignedDelivery {
        $at ??= new \DateTimeImmutable();
        // A refund is the second event of its payment.
        $sequence = $type === 'payment.refunded' ? 2 : 1;
        $id ??= "evt_00000000000000000000000000_$sequence";
        $body = Json::write([
            'type' => $type,
            'sequence' => $sequence,
            'timestamp' => Json::timeText($at),
            'data' => $data + SamplePayment::of(substr($type, strlen('payment.')), $at),
        ]);
        $timestamp = (string) $at->getTimestamp();
        $signatures = array_map(
            static fn (string $key): string => 'v1,' . self::signature($key, "$id.$timestamp.$body"),
            self::keysOf($secret),
        );
        return new SignedDelivery($body, [
            'content-type' => 'application/json',
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => implode(' ', $signatures),
        ]);
    }
}
