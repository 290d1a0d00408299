<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The idempotency key belongs to another request, or the first request with it is still running. */
final class IdempotencyException extends FlorinException
{
}
