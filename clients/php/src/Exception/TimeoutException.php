<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The request timed out, or the timeout of `waitUntilSettled` passed. */
final class TimeoutException extends ConnectionException
{
}
