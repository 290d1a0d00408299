<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin;

/**
 * The arrays that calls take. Amounts are decimal strings. Times are DateTimeInterface objects, or
 * strings: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601.
 *
 * @phpstan-type Product array{
 *     name: string,
 *     quantity: int,
 *     price: string,
 * }
 * @phpstan-type ClientInput array{
 *     name: string,
 *     email: string,
 *     phone: string,
 *     phone_dial_code?: string|null,
 * }
 * @phpstan-type CreateParams array{
 *     amount: string,
 *     currency: string,
 *     client?: ClientInput|null,
 *     products?: list<Product>|null,
 *     payload?: array<string, mixed>|null,
 *     reference_id?: string|null,
 *     reference_note?: string|null,
 *     webhook_url?: string|null,
 *     return_url?: string|null,
 *     expires_in?: int|null,
 *     locale?: 'en'|'es'|'fr'|'ar'|'zh'|null,
 * }
 * @phpstan-type ListParams array{
 *     status?: 'pending'|'completed'|'failed'|'refunded'|'expired',
 *     reference_id?: string,
 *     link_id?: string,
 *     created_from?: string|\DateTimeInterface,
 *     created_to?: string|\DateTimeInterface,
 *     limit?: int,
 *     cursor?: string,
 * }
 * @phpstan-type CreateLinkParams array{
 *     title: string,
 *     amount?: string|null,
 *     currency?: string|null,
 *     products?: list<Product>|null,
 *     description?: string|null,
 *     payload?: array<string, mixed>|null,
 *     reference_id?: string|null,
 *     reference_note?: string|null,
 *     webhook_url?: string|null,
 *     return_url?: string|null,
 *     locale?: 'en'|'es'|'fr'|'ar'|'zh'|null,
 *     max_payments?: int|null,
 *     expires_at?: string|\DateTimeInterface|null,
 * }
 * @phpstan-type UpdateLinkParams array{
 *     title?: string,
 *     description?: string|null,
 *     payload?: array<string, mixed>|null,
 *     reference_id?: string|null,
 *     reference_note?: string|null,
 *     webhook_url?: string|null,
 *     return_url?: string|null,
 *     locale?: 'en'|'es'|'fr'|'ar'|'zh'|null,
 *     max_payments?: int|null,
 *     expires_at?: string|\DateTimeInterface|null,
 *     active?: bool,
 * }
 * @phpstan-type LinkListParams array{
 *     active?: bool,
 *     limit?: int,
 *     cursor?: string,
 * }
 * @phpstan-type EventListParams array{
 *     by?: 'created_at'|'resent_at',
 *     from?: string|\DateTimeInterface,
 *     to?: string|\DateTimeInterface,
 *     limit?: int,
 *     cursor?: string,
 * }
 * @phpstan-type QuoteParams array{
 *     amount: string,
 *     currency: string,
 * }
 * @phpstan-type TimeWindow array{
 *     created_from: string|\DateTimeInterface,
 *     created_to: string|\DateTimeInterface,
 * }
 * @phpstan-type SandboxPayParams array{
 *     outcome?: 'completed'|'insufficient_balance'|'error'|null,
 *     donation_amount?: string|null,
 * }
 */
final class Params
{
}
