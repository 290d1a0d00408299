<?php

declare(strict_types=1);

namespace Florin\Exception;

/** There is no such payment or link. */
final class NotFoundException extends FlorinException
{
}
