<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The request timed out. */
final class TimeoutException extends ConnectionException
{
}
