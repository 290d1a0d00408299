<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The keys are missing, unknown, expired, revoked or wrong. */
final class AuthenticationException extends FlorinException
{
}
