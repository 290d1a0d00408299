<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The state of the payment does not allow the request, or the store has too many active links. */
final class ConflictException extends FlorinException
{
}
