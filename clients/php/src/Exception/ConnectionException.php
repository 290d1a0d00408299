<?php

declare(strict_types=1);

namespace Florin\Exception;

/** No response, an incomplete one, or one that is not from Florin. The outcome of the request is unknown. */
class ConnectionException extends FlorinException
{
}
