<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The store is suspended, the key lacks a scope, or a live key was used in the sandbox. */
final class PermissionException extends FlorinException
{
}
