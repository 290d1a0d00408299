<?php

declare(strict_types=1);

namespace Florin\Exception;

/** A 400 response without field errors, such as a refused refund: already refunded, not completed, balance too low. */
final class RefusedException extends FlorinException
{
}
