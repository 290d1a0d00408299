<?php

declare(strict_types=1);

// For shops without Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Florin\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 7), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
