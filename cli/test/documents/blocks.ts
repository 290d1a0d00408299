/**
 * A code block of a page. After the language, the fence can have `skip="reason"`, or `stays="text"`: then the command keeps
 * running, and the next block starts when the command has printed this text.
 */
export type Block = {
  readonly kind: string
  readonly stays: string | null
  readonly skip: string | null
  readonly line: number
  readonly text: string
}

const FENCE = /^```(\S*)(?: (stays|skip)="([^"]+)")?$/

/** Returns all code blocks of a page. Code in another form is an error, because it would not be run. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  const lines = page.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    if (/^ {4,}\S/.test(lines[at]!) && lines[at - 1] === '')
      throw new Error(`line ${line}: indented code; put it between fences`)
    if (!/^\s*(```|~~~)/.test(lines[at]!)) continue
    const fence = FENCE.exec(lines[at]!)
    const end = lines.indexOf('```', at + 1)
    if (fence === null || end === -1) throw new Error(`line ${line}: not a supported fence`)
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

/** Languages of programs: what runs them, their file name in the comment at the start, and the output in comments. */
export const PROGRAMS: Readonly<Record<string, { run: string; file: RegExp; printed: RegExp }>> = {
  js: { run: 'node', file: /^\/\/ (\S+\.m?js)\n/, printed: /console\.log\(.*\) \/\/ (.*)$/gm },
  python: { run: 'python3', file: /^# (\S+\.py)\n/, printed: /print\(.*\) {2}# (.*)$/gm },
  php: { run: 'php', file: /^<\?php\n\/\/ (\S+\.php)\n/, printed: /echo .*; \/\/ (.*)$/gm },
}

/** Reads the file name from the comment at the start, such as `// pay.js`. */
export function fileOf({ kind, text, line }: Block): string {
  const name = PROGRAMS[kind]?.file.exec(text)?.[1]
  if (name === undefined)
    throw new Error(`line ${line}: put the file name in a comment at the start`)
  return name
}

/** The expected output, from the comments after `console.log`, `print` or `echo`. */
export const printedBy = ({ kind, text }: Block): string[] =>
  [...text.matchAll(PROGRAMS[kind]!.printed)].map((match) => match[1]!)

/** Whether a documented value or line matches the output. `…` matches anything. */
export function isShown(shown: string, found: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(found)
}

/** The paths at which a documented response differs from the real one. */
export function differences(shown: unknown, found: unknown, path = '$'): string[] {
  if (typeof shown === 'string' && shown.includes('…'))
    return isShown(shown, String(found)) ? [] : [`${path}: ${shown} is ${found}`]
  if (Array.isArray(shown) && Array.isArray(found)) {
    if (shown.length !== found.length) return [`${path}: ${found.length} elements`]
    return shown.flatMap((item, index) => differences(item, found[index], `${path}.${index}`))
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
