import type { Answer } from '../../src/pages/reference/examples.ts'
import type { Normalize } from './normalize.ts'

const MAX_ITEMS = 2
const MAX_LINES = 200

/** The response in lines. Keeps only the first items of a long list, and no body that is not JSON or is too long. */
export function answerOf(
  status: number,
  contentType: string,
  text: string,
  normalize: Normalize,
): Answer {
  const type = contentType.split(';')[0]!
  if (type !== 'application/json') return { status, type, text: [] }
  const lines = JSON.stringify(JSON.parse(normalize(text)), shortenLists, 2)
    .replace(/"… (\d+) more"/g, '… $1 more')
    .split('\n')
  return { status, type, text: lines.length > MAX_LINES ? [] : lines }
}

const shortenLists = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > MAX_ITEMS + 1
    ? [...value.slice(0, MAX_ITEMS), `… ${value.length - MAX_ITEMS} more`]
    : value

/** The source as the reference shows it. */
export const normalizeLines = (lines: readonly string[], normalize: Normalize) =>
  normalize(lines.join('\n')).split('\n')
