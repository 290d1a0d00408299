// Scans JSON text for details that `JSON.parse` drops: duplicate keys, and digits beyond a double's precision. Every
// function is linear in the length of the text.

const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LETTER_E = 0x65
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A double preserves any 15 significant digits. */
const MAX_USUAL_LENGTH = 15

export type JsonShape = {
  /** Levels of objects and lists, counting the outermost. */
  readonly depth: number
  readonly keys: number
  /** Values at all levels. White space inside an empty object or list may add one. */
  readonly values: number
  /** Numbers that a double may not hold as written. */
  readonly unusualNumbers: number
}

/** A single pass without allocations. The text need not be valid JSON. */
export function scanJson(text: string): JsonShape {
  let level = 0
  let depth = 0
  let keys = 0
  let values = 1
  let unusualNumbers = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1
    } else if (code === COLON) {
      keys++
    } else if (code === COMMA) {
      values++
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      values++
      level++
      if (level > depth) depth = level
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const before = text.charCodeAt(at - 1)
      if (before === OPEN_OBJECT || before === OPEN_LIST) values--
      level--
    } else if (isNumberStart(code)) {
      const end = numberEnd(text, at)
      if (isUnusual(text, at, end)) unusualNumbers++
      at = end - 1
    }
  }
  return { depth, keys, values, unusualNumbers }
}

type JsonVisitor = {
  /** An object or list begins under this key or index. */
  readonly open: (place: string | number) => void
  readonly close: () => void
  /** Returns true to end the walk. */
  readonly key: (name: string) => boolean
  /** Called only for numbers that a double may not hold as written. */
  readonly number: (literal: string, place: string | number) => void
}

/** Takes valid JSON. Doesn't recurse, because the text may be nested deeply. */
export function walkJson(text: string, visitor: JsonVisitor): void {
  const outerPlaces: (string | number)[] = []
  let place: string | number = 0
  let isKeyNext = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = stringEnd(text, at)
      if (isKeyNext) {
        place = unquote(text, at, end)
        isKeyNext = false
        if (visitor.key(place)) return
      }
      at = end - 1
    } else if (code === COMMA) {
      if (typeof place === 'number') place++
      else isKeyNext = true
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      visitor.open(place)
      outerPlaces.push(place)
      isKeyNext = code === OPEN_OBJECT
      place = isKeyNext ? '' : 0
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      visitor.close()
      place = outerPlaces.pop()!
      isKeyNext = false
    } else if (isNumberStart(code)) {
      const end = numberEnd(text, at)
      if (isUnusual(text, at, end)) visitor.number(text.slice(at, end), place)
      at = end - 1
    }
  }
}

/** The first duplicate key of an object in valid JSON. Escapes are resolved. */
export function findDuplicateKey(text: string): string | null {
  const outerKeys: (Set<string> | null)[] = []
  let keys: Set<string> | null = null
  let duplicate: string | null = null
  walkJson(text, {
    open() {
      outerKeys.push(keys)
      keys = null
    },
    close() {
      keys = outerKeys.pop()!
    },
    key(name) {
      keys ??= new Set()
      if (keys.has(name)) duplicate = name
      keys.add(name)
      return duplicate !== null
    },
    number() {},
  })
  return duplicate
}

/** The index after the closing quote, or the end of the text if there is none. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

function unquote(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner
}

const isDigit = (code: number) => code >= ZERO && code <= NINE
const isNumberStart = (code: number) => isDigit(code) || code === MINUS
const isExponent = (code: number) => (code | 0x20) === LETTER_E

function numberEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const isPart =
      isDigit(code) || code === DOT || code === MINUS || code === PLUS || isExponent(code)
    if (!isPart) break
    at++
  }
  return at
}

/** A double preserves a short number with an exponent of at most two digits. */
function isUnusual(text: string, start: number, end: number): boolean {
  if (end - start > MAX_USUAL_LENGTH) return true
  for (let at = end - 1; at > start; at--) {
    const code = text.charCodeAt(at)
    if (isExponent(code))
      return end - at > 4 || (end - at === 4 && isDigit(text.charCodeAt(at + 1)))
    if (code === DOT) return false
  }
  return false
}
