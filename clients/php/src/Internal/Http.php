<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Exception\ConnectionException;
use Florin\Exception\TimeoutException;

/**
 * Sends one HTTP request.
 *
 * @internal
 */
final class Http
{
    /**
     * A new connection for each request: curl would retry a request by itself if a reused one was closed.
     *
     * @param list<string> $headers
     */
    public static function exchange(
        Call $call,
        string $url,
        #[\SensitiveParameter] array $headers,
        ?string $key,
        float $timeout,
    ): Response {
        $received = [];
        $handle = curl_init();
        curl_setopt_array($handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $call->method,
            // curl would wait for a response to its Expect before it sends a long body.
            CURLOPT_HTTPHEADER => [...$headers, 'expect:'],
            CURLOPT_RETURNTRANSFER => true,
            // Following a redirect would send the secret to another address.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT_MS => max(1, (int) ceil($timeout * 1000)),
            // Timeouts below a second need this.
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_HEADERFUNCTION => static function (mixed $_, string $line) use (&$received): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $received[strtolower($parts[0])] = trim($parts[1]);
                }
                return strlen($line);
            },
        ]);
        if ($call->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $call->body);
        }
        $body = curl_exec($handle);
        $code = curl_errno($handle);
        if (is_string($body) && $code === 0) {
            return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $body);
        }
        $failure = "No response to $call->method $call->path";
        if ($code === CURLE_OPERATION_TIMEDOUT) {
            throw new TimeoutException(sprintf('%s in %.3f s', $failure, $timeout), idempotencyKey: $key);
        }
        throw new ConnectionException("$failure: " . curl_error($handle), idempotencyKey: $key);
    }
}
