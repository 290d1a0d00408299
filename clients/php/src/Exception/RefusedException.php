<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The refund is refused: already refunded, not completed, balance too low. */
final class RefusedException extends FlorinException
{
}
