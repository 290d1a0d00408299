<?php

declare(strict_types=1);

// Runs the commands of the conformance suite: one JSON line in, one JSON line out.

use Florin\Amount;
use Florin\Exception\FlorinException;
use Florin\Exception\RetryLaterException;
use Florin\Exception\ValidationException;
use Florin\Exception\WebhookVerificationException;
use Florin\Florin;
use Florin\Webhooks;

require __DIR__ . '/../../php/autoload.php';

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message));

/** Converts the marked values of a command. */
function decode(mixed $value): mixed
{
    return match (true) {
        !is_array($value) => $value,
        isset($value['$minor']) => Amount::fromMinor((int) $value['$minor'], $value['currency']),
        isset($value['$long']) => $value['$long'],
        isset($value['$float']) => $value['$float'] === 'NaN' ? NAN : (float) $value['$float'],
        isset($value['$time']) => DateTimeImmutable::createFromFormat('U.v', sprintf('%.3F', $value['$time'] / 1000)),
        default => array_map(decode(...), $value),
    };
}

/** Converts a result to what the service sent, so that the results of all clients can be compared. */
function encode(mixed $value): mixed
{
    return match (true) {
        $value instanceof DateTimeInterface => $value->format('Y-m-d H:i:s'),
        is_object($value) => array_map(encode(...), get_object_vars($value)),
        is_array($value) => array_map(encode(...), $value),
        is_string($value) && !isUtf8($value) => bin2hex($value),
        default => $value,
    };
}

function isUtf8(string $text): bool
{
    return preg_match('//u', $text) === 1;
}

/** Timeouts are in milliseconds in the suite, and in seconds in PHP. */
function optionsOf(array $options): array
{
    if (isset($options['timeoutMs'])) {
        $options['timeout'] = $options['timeoutMs'] / 1000;
        unset($options['timeoutMs']);
    }
    return $options;
}

function call(array $command): mixed
{
    $args = decode($command['args'] ?? []);
    $options = optionsOf($command['options'] ?? []);
    if ($command['call'] === 'webhooks.constructEvent') {
        if (isset($options['now'])) {
            $options['now'] = decode(['$time' => $options['now']]);
        }
        return Webhooks::constructEvent(...$args, ...$options);
    }
    if ($command['call'] === 'webhooks.signTestEvent') {
        [$type, $secret, $at, $data] = $args;
        return Webhooks::signTestEvent($type, $secret, $data, at: $at);
    }
    ['base_url' => $baseUrl, 'api_key' => $apiKey, 'api_secret' => $apiSecret] = $command['client'];
    $more = optionsOf(array_diff_key($command['client'], ['base_url' => 1, 'api_key' => 1, 'api_secret' => 1]));
    $florin = new Florin($baseUrl, $apiKey, $apiSecret, ...$more);
    if ($command['call'] === 'printed') {
        ob_start();
        var_dump($florin);
        return ob_get_clean() . print_r($florin, true) . var_export($florin, true) . json_encode($florin);
    }
    $path = explode('.', $command['call']);
    $method = array_pop($path);
    $target = $path === [] ? $florin : $florin->{$path[0]};
    if ($method === 'list') {
        return array_map(
            static fn ($page) => $page->items,
            iterator_to_array($target->list(...$args)->pages(), false),
        );
    }
    if ($method === 'qr') {
        return $target->qr($args[0], ...($args[1] ?? []), ...$options);
    }
    return $target->{$method}(...$args, ...$options);
}

function failure(Throwable $error): array
{
    if (!$error instanceof FlorinException) {
        return ['kind' => 'usage', 'message' => $error->getMessage()];
    }
    $kind = (new ReflectionClass($error))->getShortName();
    return [
        'kind' => preg_replace('/Exception$/', 'Error', $kind),
        'message' => $error->getMessage(),
        'status' => $error->status,
        'requestId' => $error->requestId,
        'idempotencyKey' => $error->idempotencyKey,
    ] + match (true) {
        $error instanceof ValidationException => [
            'fields' => array_map(static fn ($problem) => $problem->field, $error->errors),
        ],
        $error instanceof RetryLaterException => [
            'retryAfterMs' => $error->retryAfter === null ? null : $error->retryAfter * 1000,
        ],
        $error instanceof WebhookVerificationException => ['reason' => $error->reason],
        default => [],
    };
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $reply = ['result' => encode(call(json_decode($line, true, 512, JSON_THROW_ON_ERROR)))];
    } catch (FlorinException | InvalidArgumentException | TypeError $error) {
        $reply = ['error' => failure($error)];
    }
    fwrite(STDOUT, json_encode($reply, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) . "\n");
}
