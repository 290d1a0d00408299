<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The state of the payment does not allow the request. */
final class ConflictException extends FlorinException
{
}
