<?php

declare(strict_types=1);

namespace Florin\Exception;

/** No response, or an incomplete one. The outcome of the request is unknown. */
class ConnectionException extends FlorinException
{
}
