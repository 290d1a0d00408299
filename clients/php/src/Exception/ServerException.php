<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The service failed, or is not available. */
final class ServerException extends RetryLaterException
{
}
