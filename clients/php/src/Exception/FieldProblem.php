<?php

declare(strict_types=1);

namespace Florin\Exception;

final class FieldProblem
{
    public function __construct(
        public readonly string $field,
        public readonly string $message,
    ) {
    }
}
