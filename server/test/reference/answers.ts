import type { Answer } from '../../src/pages/reference/examples.ts'
import type { MadeUp } from './madeUp.ts'

const MOST_ITEMS = 2
const MOST_LINES = 200

/** As it came back, in lines; of a long list the first few, and of what is no JSON only the type. */
export function answerOf(status: number, contentType: string, text: string, made: MadeUp): Answer {
  const type = contentType.split(';')[0]!
  if (type !== 'application/json') return { status, type, text: [] }
  const lines = JSON.stringify(JSON.parse(made(text)), shortened, 2)
    .replace(/"… (\d+) more"/g, '… $1 more')
    .split('\n')
  return { status, type, text: lines.length > MOST_LINES ? [] : lines }
}

const shortened = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > MOST_ITEMS + 1
    ? [...value.slice(0, MOST_ITEMS), `… ${value.length - MOST_ITEMS} more`]
    : value

/** A source as it is shown. */
export const shown = (lines: readonly string[], made: MadeUp) => made(lines.join('\n')).split('\n')
