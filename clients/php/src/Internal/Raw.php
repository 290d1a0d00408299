<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * JSON text that is copied as it is.
 *
 * @internal
 */
final class Raw
{
    public function __construct(public readonly string $text)
    {
    }
}
