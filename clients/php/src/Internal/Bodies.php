<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Amount;
use Florin\Exception\ValidationException;

/**
 * Bodies and paths of requests.
 *
 * @internal
 */
final class Bodies
{
    /** @param array<string, mixed> $params */
    public static function create(array $params): string
    {
        // A missing currency is reported by the service, together with all other problems.
        $currency = $params['currency'] ?? null;
        $amount = Amount::text($params['amount'] ?? null, 'amount', $currency);
        return self::textWithProducts(['amount' => new Raw($amount)] + $params, $currency);
    }

    /** @param array<string, mixed> $params */
    public static function createLink(array $params): string
    {
        $currency = $params['currency'] ?? null;
        if (isset($params['amount'])) {
            $params['amount'] = new Raw(Amount::text($params['amount'], 'amount', $currency));
        }
        return self::textWithProducts($params, $currency);
    }

    /** @param array<string, mixed> $params */
    public static function sandboxPay(array $params): string
    {
        if (isset($params['donation_amount'])) {
            $donation = Amount::text($params['donation_amount'], 'donation_amount');
            $params['donation_amount'] = new Raw($donation);
        }
        return self::text($params);
    }

    /** @param array<string, mixed> $fields */
    public static function text(array $fields): string
    {
        // PHP has one empty array for lists and objects. The payload and the body are objects.
        if (($fields['payload'] ?? null) === []) {
            $fields['payload'] = new \stdClass();
        }
        try {
            return $fields === [] ? '{}' : Json::write($fields);
        } catch (\JsonException $error) {
            $problem = "can't be sent: {$error->getMessage()}";
            throw ValidationException::of('body', $problem, $error);
        }
    }

    /** @param array<string, mixed> $fields */
    private static function textWithProducts(array $fields, mixed $currency): string
    {
        foreach ($fields['products'] ?? [] as $at => $product) {
            $price = Amount::text($product['price'] ?? null, "products.$at.price", $currency);
            $fields['products'][$at]['price'] = new Raw($price);
        }
        return self::text($fields);
    }

    public static function paymentPath(string $paymentId, string $rest = ''): string
    {
        return '/merchant/payment/' . self::checkedId($paymentId, 'payment') . $rest;
    }

    public static function linkPath(string $linkId, string $rest = ''): string
    {
        return '/merchant/links/' . self::checkedId($linkId, 'link') . $rest;
    }

    /** Ids are part of paths: an empty id or `..` would change the path. */
    public static function checkedId(string $id, string $noun): string
    {
        if (preg_match('/^\w+\z/', $id) === 1) {
            return $id;
        }
        throw ValidationException::of("{$noun}_id", "must be the id of a $noun");
    }
}
