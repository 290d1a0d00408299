import { type JsonShape, scanJson, walkJson } from './jsonText.ts'

/**
 * A number that a double cannot hold as written, such as 9007199254740993 or 1e400. An instance is a
 * function, so that no type of a JSON schema accepts it: a plain object would pass as any object.
 */
export type InexactNumber = {
  (this: unknown): unknown
  readonly literal: string
  readonly toJSON: () => string | number
}

export const isInexactNumber = (value: unknown): value is InexactNumber =>
  typeof value === 'function'

function createInexactNumber(literal: string): InexactNumber {
  // If an object has this value under the key `toJSON`, JSON.stringify calls it. Returning the object makes that call
  // a no-op.
  function self(this: unknown): unknown {
    return this
  }
  self.literal = literal
  self.toJSON = toJSON
  return self
}

/** The nearest double, except in `stringifyExactly`. */
function toJSON(this: InexactNumber): string | number {
  return exactTexts === null ? Number(this.literal) : mark(this.literal)
}

/**
 * An object that is stored as JSON text. `stringifyExactly` copies the text, which is much faster than parsing and writing the
 * object again.
 */
export const storedObject = (text: string | null) =>
  text === null ? null : (new StoredObject(text) as unknown as Record<string, unknown>)

class StoredObject {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toJSON(): unknown {
    return exactTexts === null ? JSON.parse(this.#text) : mark(this.#text)
  }
}

// Input can't contain the mark, because it is random and never leaves the process.
const MARK = `${crypto.getRandomValues(new Uint32Array(4)).join('-')} `
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g')
/** What `stringifyExactly` writes instead of the marks; null outside of it. */
let exactTexts: string[] | null = null

const mark = (text: string) => `${MARK}${exactTexts!.push(text) - 1}`

/** Like `JSON.stringify`, but an InexactNumber keeps every digit. */
export function stringifyExactly(value: unknown, indent?: number): string {
  const texts: string[] = []
  exactTexts = texts
  try {
    const text = JSON.stringify(value, null, indent)
    return texts.length === 0 ? text : text.replace(MARKED, (_, index) => texts[index]!)
  } finally {
    exactTexts = null
  }
}

/** Like `JSON.parse`, but a number that a double cannot hold as written is an InexactNumber. */
export function parseJsonExactly(text: string): unknown {
  return keepEveryDigit(JSON.parse(text), text, scanJson(text))
}

/** Puts an InexactNumber wherever `JSON.parse` rounded. No object in the text may have a key twice. */
export function keepEveryDigit(value: unknown, text: string, shape: JsonShape): unknown {
  if (shape.unusualNumbers === 0) return value
  const root = { value }
  const holders: Holder[] = []
  let holder: Holder = root
  walkJson(text, {
    open(place) {
      holders.push(holder)
      holder = (holder === root ? value : holder[place]) as Holder
    },
    close() {
      holder = holders.pop()!
    },
    key: () => false,
    number(literal, place) {
      if (isExact(literal)) return
      const key = holder === root ? 'value' : place
      // Also right for `__proto__`: `JSON.parse` has created it as an own property, so no setter is called.
      holder[key] = createInexactNumber(literal)
    },
  })
  return root.value
}

type Holder = Record<string | number, unknown>

/** Whether the double read from the literal prints as the same decimal. */
function isExact(literal: string): boolean {
  const nearest = Number(literal)
  if (!Number.isFinite(nearest)) return false
  const printed = String(nearest)
  if (printed === literal) return true
  const [written, rounded] = [decimalOf(literal), decimalOf(printed)]
  return written.digits === rounded.digits && written.exponent === rounded.exponent
}

/** The significant digits of a JSON number, and the power of ten of the last digit. */
export function decimalOf(literal: string): { digits: string; exponent: number } {
  const power = literal.search(/e/i)
  const end = power === -1 ? literal.length : power
  const point = literal.indexOf('.')
  // Loops, because a regular expression for trailing zeros may be quadratic.
  let from = literal.startsWith('-') ? 1 : 0
  let to = end
  while (from < to && isZeroOrPoint(literal, from)) from++
  while (to > from && isZeroOrPoint(literal, to - 1)) to--
  if (from === to) return { digits: '', exponent: 0 }
  const unit = point === -1 ? end : point
  // The point is either after the digits or before the last of them.
  const zeros = to <= unit ? unit - to : unit + 1 - to
  return {
    digits: literal.slice(from, to).replace('.', ''),
    exponent: zeros + (power === -1 ? 0 : Number(literal.slice(power + 1))),
  }
}

function isZeroOrPoint(literal: string, at: number): boolean {
  const code = literal.charCodeAt(at)
  return code === 0x30 || code === 0x2e
}
