<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The state of the payment does not allow it. */
final class ConflictException extends FlorinException
{
}
