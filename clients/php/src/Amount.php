<?php

declare(strict_types=1);

namespace Florin;

use Florin\Exception\ValidationException;
use Florin\Internal\Currencies;

/** Exact amounts: decimal strings such as "12.50". Requests with floats or ints are refused. */
final class Amount
{
    /** Converts an amount in minor units: `Amount::fromMinor(1250, 'USD')` is "12.50". */
    public static function fromMinor(int $minor, string $currency): string
    {
        $decimals = Currencies::DECIMALS[$currency] ?? null;
        // Don't guess: a wrong number of decimals would change the amount.
        if ($decimals === null) {
            $problem = "can't be converted, because the decimals of $currency are unknown";
            throw ValidationException::of('minor', $problem);
        }
        if ($minor < 0) {
            throw ValidationException::of('minor', 'must be 0 or more');
        }
        if ($decimals === 0) {
            return (string) $minor;
        }
        $digits = str_pad((string) $minor, $decimals + 1, '0', STR_PAD_LEFT);
        return substr($digits, 0, -$decimals) . '.' . substr($digits, -$decimals);
    }

    /**
     * The decimal text for the request. Uses no arithmetic, so nothing is rounded.
     *
     * @internal
     */
    public static function text(mixed $amount, string $field, mixed $currency = null): string
    {
        if (!is_string($amount) || preg_match('/^(0|[1-9]\d{0,20})(\.\d{1,30})?\z/', $amount) !== 1) {
            throw ValidationException::of($field, 'must be a decimal string such as "12.50"');
        }
        $decimals = is_string($currency) ? Currencies::DECIMALS[$currency] ?? null : null;
        $fraction = explode('.', $amount)[1] ?? '';
        if ($decimals !== null && trim(substr($fraction, $decimals), '0') !== '') {
            $problem = "has more decimals than $currency, which has $decimals: $amount";
            throw ValidationException::of($field, $problem);
        }
        return $amount;
    }
}
