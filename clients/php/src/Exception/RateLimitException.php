<?php

declare(strict_types=1);

namespace Florin\Exception;

/** There were too many requests. Nothing was done. */
final class RateLimitException extends RetryLaterException
{
}
