<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Call;
use Florin\Internal\Options;
use Florin\Internal\Requester;
use Florin\Internal\Settings;
use Florin\Model\Balance;
use Florin\Model\Quote;
use Florin\Model\Store;

/**
 * Client for one store. The keys select live or sandbox.
 *
 * @phpstan-import-type QuoteParams from Params
 */
final class Florin
{
    public readonly Payments $payments;
    public readonly Links $links;
    public readonly Events $events;
    public readonly Sandbox $sandbox;
    private readonly Requester $api;

    /**
     * @param string $baseUrl URL of your Florin service, such as https://pay.example.com
     * @param float $timeout seconds per attempt
     * @param int $maxRetries retries of calls that are safe to retry
     */
    public function __construct(
        string $baseUrl,
        string $apiKey,
        #[\SensitiveParameter] string $apiSecret,
        float $timeout = 30.0,
        int $maxRetries = 3,
    ) {
        $settings = new Settings($baseUrl, $apiKey, $apiSecret, $timeout, $maxRetries);
        $this->api = new Requester($settings);
        $this->payments = new Payments($this->api);
        $this->links = new Links($this->api);
        $this->events = new Events($this->api);
        $this->sandbox = new Sandbox($this->api);
    }

    /** Returns the balance of the store. */
    public function balance(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Balance {
        $options = new Options(null, $timeout, $maxRetries);
        return $this->api->json(new Call('GET', '/merchant/balance'), $options, Balance::fromArray(...));
    }

    /**
     * Returns rate, fee and remaining limits for an amount.
     *
     * @param QuoteParams $params
     */
    public function quote(
        array $params,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Quote {
        $options = new Options(null, $timeout, $maxRetries);
        $currency = $params['currency'] ?? null;
        $amount = Amount::text($params['amount'] ?? null, 'amount', $currency);
        $query = ['amount' => $amount, 'currency' => $currency];
        return $this->api->json(new Call('GET', '/merchant/quote', $query), $options, Quote::fromArray(...));
    }

    /** Returns the store's profile and settings, and the mode and scopes of the keys. */
    public function store(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Store {
        $options = new Options(null, $timeout, $maxRetries);
        return $this->api->json(new Call('GET', '/merchant/store'), $options, Store::fromArray(...));
    }
}
