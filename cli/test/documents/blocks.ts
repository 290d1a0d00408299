/**
 * A block of code of a page. After the language the fence may say `stays="words"`: the command goes on
 * running, and what comes next may rely on it once it has printed these words; or `skip="reason"`.
 */
export type Block = {
  readonly kind: string
  readonly stays: string | null
  readonly skip: string | null
  readonly line: number
  readonly text: string
}

const FENCE = /^```(\S*)(?: (stays|skip)="([^"]+)")?$/

/** Every block of a page. What stands there as code in another way would not be seen, and is an error. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  const lines = page.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    if (/^ {4,}\S/.test(lines[at]!) && lines[at - 1] === '')
      throw new Error(`line ${line}: code that is only indented; put it between fences`)
    if (!/^\s*(```|~~~)/.test(lines[at]!)) continue
    const fence = FENCE.exec(lines[at]!)
    const end = lines.indexOf('```', at + 1)
    if (fence === null || end === -1) throw new Error(`line ${line}: not a fence as we write them`)
    const [, kind, word, words] = fence
    blocks.push({
      kind: kind!,
      line,
      text: `${lines.slice(line, end).join('\n')}\n`,
      stays: word === 'stays' ? words! : null,
      skip: word === 'skip' ? words! : null,
    })
    at = end
  }
  return blocks
}

/** A program names its file in its first line, as `// pay.js`. */
export function fileOf({ text, line }: Block): string {
  const name = /^\/\/ (\S+\.m?js)\n/.exec(text)?.[1]
  if (name === undefined) throw new Error(`line ${line}: say the file's name in the first line`)
  return name
}

/** What the comments behind a program's `console.log` say that it prints. */
export const printedBy = (text: string): string[] =>
  [...text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map((one) => one[1]!)

/** Whether a shown value or line is what came out. `…` stands for anything. */
export function isShown(shown: string, found: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(found)
}

/** Where a shown answer differs from the real one, as paths; none where it is true. */
export function differences(shown: unknown, found: unknown, path = '$'): string[] {
  if (typeof shown === 'string' && shown.includes('…'))
    return isShown(shown, String(found)) ? [] : [`${path}: ${shown} is ${found}`]
  if (Array.isArray(shown) && Array.isArray(found)) {
    if (shown.length !== found.length) return [`${path}: ${found.length} elements`]
    return shown.flatMap((one, at) => differences(one, found[at], `${path}.${at}`))
  }
  if (isObject(shown) && isObject(found)) {
    const names = new Set([...Object.keys(shown), ...Object.keys(found)])
    return [...names].flatMap((name) => differences(shown[name], found[name], `${path}.${name}`))
  }
  return Object.is(shown, found)
    ? []
    : [`${path}: ${JSON.stringify(shown)} is ${JSON.stringify(found)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
