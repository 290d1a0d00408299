<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * Validates the settings before anything is sent.
 *
 * @internal
 */
final class Settings
{
    /** A longer one overflows the timers of curl. */
    private const MAX_TIMEOUT_SECONDS = 2_000_000.0;

    public readonly string $baseUrl;
    public readonly float $timeout;
    public readonly int $maxRetries;
    /** A function, so that exports of this object don't contain the secret. */
    private readonly \Closure $headers;

    public function __construct(
        string $baseUrl,
        string $apiKey,
        #[\SensitiveParameter] string $apiSecret,
        float $timeout,
        int $maxRetries,
    ) {
        if (!function_exists('curl_init')) {
            throw new \RuntimeException('Florin needs the PHP extension curl. On Debian and Ubuntu: apt-get install php-curl');
        }
        $this->baseUrl = self::checkedUrl($baseUrl);
        self::checkKey('apiKey', $apiKey);
        self::checkKey('apiSecret', $apiSecret);
        $this->headers = static fn (): array => ["api-key: $apiKey", "api-secret: $apiSecret"];
        $this->timeout = self::checkedTimeout($timeout);
        $this->maxRetries = self::checkedRetries($maxRetries);
    }

    /** @return list<string> */
    public function headers(): array
    {
        return ($this->headers)();
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    private static function checkedUrl(string $url): string
    {
        $parts = parse_url($url);
        if (!in_array($parts['scheme'] ?? null, ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            throw new \InvalidArgumentException('baseUrl must be a URL such as https://pay.example.com');
        }
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        return "{$parts['scheme']}://{$parts['host']}$port" . rtrim($parts['path'] ?? '', '/');
    }

    private static function checkKey(string $name, #[\SensitiveParameter] string $value): void
    {
        // Never print the value: it may be a secret.
        if (preg_match('/^[\x21-\x7e]+\z/', $value) !== 1) {
            throw new \InvalidArgumentException("$name must be a string of visible ASCII characters");
        }
    }

    public static function checkedTimeout(float $value): float
    {
        if (!is_finite($value) || $value <= 0) {
            throw new \InvalidArgumentException('timeout must be a positive number of seconds');
        }
        return min($value, self::MAX_TIMEOUT_SECONDS);
    }

    public static function checkedRetries(int $value): int
    {
        if ($value < 0) {
            throw new \InvalidArgumentException('maxRetries must be 0 or more');
        }
        return $value;
    }
}
