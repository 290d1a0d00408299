import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CURRENCY_CODES, type CurrencyCode, decimalsOf } from '../../server/src/core/currencies.ts'
import { phpClass, phpShapes } from './generatePhp.ts'
import { pythonClasses, pythonDictionaries } from './generatePython.ts'
import { readModels } from './model.ts'
import { PARAMS, RESPONSES } from './schemas.ts'

const COMMAND =
  'Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u'
const RESPONSE_NOTE = 'Amounts are exact decimals, times are UTC.'

const responses = readModels(RESPONSES)
const params = readModels(PARAMS)
const decimals = CURRENCY_CODES.map((code) => [code, decimalsOf(code as CurrencyCode)] as const)

it('the Python classes of responses are those of the contract', async () => {
  const text = `# ${COMMAND}
"""Responses. ${RESPONSE_NOTE}"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional

${pythonClasses(responses)}`
  await expect(text).toMatchFileSnapshot('../python/src/florin/responses.py')
})

it('the Python dictionaries of requests are those of the contract', async () => {
  const text = `# ${COMMAND}
"""Requests. Times are an aware datetime, or text: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .amounts import Amount
from .responses import PaymentStatus

Time = Union[str, datetime]

${pythonDictionaries(params)}`
  await expect(text).toMatchFileSnapshot('../python/src/florin/params.py')
})

it('the decimals of currencies in Python are those of the service', async () => {
  const text = `# ${COMMAND}
"""Decimals per currency, as in ISO 4217. The service may know more currencies."""

DECIMALS = {
${decimals.map(([code, count]) => `    "${code}": ${count},\n`).join('')}}
`
  await expect(text).toMatchFileSnapshot('../python/src/florin/_currencies.py')
})

const PHP = `<?php

// ${COMMAND}

declare(strict_types=1);

`

const values = new Map(
  responses.filter((model) => model.values.length > 0).map(({ name, values }) => [name, values]),
)
const classes = responses.filter((model) => model.values.length === 0)

it('the PHP classes of responses are those of the contract', async () => {
  for (const model of classes) {
    const file = `../php/src/Model/${model.name}.php`
    await expect(`${PHP}${phpClass(model, values)}`).toMatchFileSnapshot(file)
  }
  const folder = new URL('../php/src/Model', import.meta.url)
  const found = (await readdir(folder)).sort()
  expect(found).toEqual(classes.map(({ name }) => `${name}.php`).sort())
})

it('the PHP array shapes of requests are those of the contract', async () => {
  const text = `${PHP}namespace Florin;

/**
 * The arrays that calls take. Amounts are decimal strings. Times are DateTimeInterface objects, or
 * strings: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601.
 *
${phpShapes(params, values)} */
final class Params
{
}
`
  await expect(text).toMatchFileSnapshot('../php/src/Params.php')
})

it('the decimals of currencies in PHP are those of the service', async () => {
  const text = `${PHP}namespace Florin\\Internal;

/**
 * Decimals per currency, as in ISO 4217. The service may know more currencies.
 *
 * @internal
 */
final class Currencies
{
    public const DECIMALS = [
${decimals.map(([code, count]) => `        '${code}' => ${count},\n`).join('')}    ];
}
`
  await expect(text).toMatchFileSnapshot('../php/src/Internal/Currencies.php')
})
