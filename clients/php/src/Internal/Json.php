<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * JSON in which amounts keep every digit.
 *
 * @internal
 */
final class Json
{
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION;

    /** @throws \JsonException */
    public static function parse(string $text): mixed
    {
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    /** @throws \JsonException for a value that JSON does not have */
    public static function write(mixed $value): string
    {
        if ($value instanceof Raw) {
            return $value->text;
        }
        if ($value instanceof \DateTimeInterface) {
            return self::write(self::timeText($value));
        }
        if (!is_array($value)) {
            return json_encode($value, self::FLAGS);
        }
        if (array_is_list($value)) {
            return '[' . implode(',', array_map(self::write(...), $value)) . ']';
        }
        $pairs = [];
        foreach ($value as $name => $item) {
            $pairs[] = json_encode((string) $name, self::FLAGS) . ':' . self::write($item);
        }
        return '{' . implode(',', $pairs) . '}';
    }

    /** ISO 8601 in UTC. */
    public static function timeText(\DateTimeInterface $time): string
    {
        $utc = \DateTimeImmutable::createFromInterface($time)->setTimezone(new \DateTimeZone('UTC'));
        return $utc->format('Y-m-d\TH:i:s.v\Z');
    }

    /** Parses a time of a response. */
    public static function time(string $text): \DateTimeImmutable
    {
        $time = \DateTimeImmutable::createFromFormat('!Y-m-d H:i:s', $text, new \DateTimeZone('UTC'));
        return $time !== false ? $time : throw new \UnexpectedValueException("not a time: $text");
    }
}
