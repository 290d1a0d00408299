<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Exception\TimeoutException;
use Florin\Exception\ValidationException;

/**
 * Sends and retries requests.
 *
 * @internal
 */
final class Requester
{
    public function __construct(private readonly Settings $settings)
    {
    }

    /**
     * Converts the `data` of the response.
     *
     * @template T
     * @param callable(array<string, mixed>): T $convert
     * @return T
     */
    public function json(Call $call, Options $options, callable $convert): mixed
    {
        return $this->send($call, $options, static function (Response $response) use ($convert): mixed {
            $data = Json::parse($response->body)['data'] ?? null;
            return is_array($data)
                ? $convert($data)
                : throw new \UnexpectedValueException('the response has no data');
        });
    }

    /** Returns the bytes of an image. */
    public function image(Call $call, Options $options): string
    {
        return $this->send($call, $options, static function (Response $response): string {
            return str_starts_with($response->headers['content-type'] ?? '', 'image/')
                ? $response->body
                : throw new \UnexpectedValueException('the response is not an image');
        });
    }

    /**
     * @template T
     * @param callable(Response): T $read
     * @return T
     */
    private function send(Call $call, Options $options, callable $read): mixed
    {
        $maxRetries = Settings::checkedRetries($options->maxRetries ?? $this->settings->maxRetries);
        $perAttempt = Settings::checkedTimeout($options->timeout ?? $this->settings->timeout);
        $timeout = $perAttempt + $call->wait;
        $key = $call->isIdempotent ? self::keyOf($options->idempotencyKey) : null;
        $isIdempotent = $call->method === 'GET' || $key !== null;
        for ($retries = 0;; $retries++) {
            try {
                return $this->try($call, $key, self::within($options->deadline, $timeout), $read);
            } catch (FlorinException $error) {
                $wait = Backoff::retryWaitSeconds($error, $isIdempotent, $retries);
                if ($wait === null || $retries >= $maxRetries) {
                    throw $error;
                }
            }
            Clock::sleep(self::within($options->deadline, $wait));
        }
    }

    private function try(Call $call, ?string $key, float $timeout, callable $read): mixed
    {
        $headers = $this->settings->headers();
        if ($key !== null) {
            $headers[] = "idempotency-key: $key";
        }
        if ($call->body !== null) {
            $headers[] = 'content-type: application/json';
        } elseif ($call->method !== 'GET') {
            $headers[] = 'content-length: 0';
        }
        $response = Http::exchange($call, $this->urlOf($call), $headers, $key, $timeout);
        if ($response->status >= 400) {
            throw ErrorOf::response($response, $key);
        }
        if ($response->status < 200 || $response->status >= 300) {
            $message = 'The service responded with a redirect. Check baseUrl.';
            throw new FlorinException($message, status: $response->status);
        }
        try {
            return $read($response);
        // Frameworks convert the warning about a missing key to an ErrorException.
        } catch (\ErrorException | \JsonException | \TypeError | \UnexpectedValueException $error) {
            $message = "The response to $call->method $call->path is incomplete or not from Florin. Check baseUrl.";
            throw new ConnectionException($message, idempotencyKey: $key, previous: $error);
        }
    }

    private function urlOf(Call $call): string
    {
        $query = [];
        foreach ($call->query as $name => $value) {
            if ($value !== null) {
                $query[$name] = $value instanceof \DateTimeInterface ? Json::timeText($value) : $value;
            }
        }
        $text = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        return $this->settings->baseUrl . $call->path . ($text === '' ? '' : "?$text");
    }

    private static function within(?float $deadline, float $seconds): float
    {
        if ($deadline === null) {
            return $seconds;
        }
        $left = $deadline - Clock::now();
        return $left > 0 ? min($seconds, $left) : throw new TimeoutException('The call timed out');
    }

    private static function keyOf(?string $key): string
    {
        if ($key === null) {
            $bytes = random_bytes(16);
            $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
            $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
            return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
        }
        if (preg_match('/^[\x21-\x7e]{1,255}\z/', $key) === 1) {
            return $key;
        }
        throw ValidationException::of('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
    }
}
