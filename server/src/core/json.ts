import { randomUUID } from 'node:crypto'

/**
 * A number of which `JSON.parse` would keep only a neighbour, such as 10.000000000000000001. An
 * instance is a function, so that a schema takes it for none of JSON's types: a plain object would
 * pass wherever any object will do. Written as JSON it is the nearest number.
 */
export class InexactNumber {
  constructor(nearest: number) {
    // biome-ignore lint/correctness/noConstructorReturn: only so can an instance be a function.
    return Object.setPrototypeOf(() => nearest, InexactNumber.prototype) as InexactNumber
  }

  toJSON(): number {
    return (this as unknown as () => number)()
  }
}

// Fewer than 16 characters hold at most 15 digits, which a double gives back unchanged unless the
// exponent has three digits or more. A number follows the start, a space, a comma, a colon or a
// bracket; asking for that spares most ids and phone numbers in strings the slow way.
const MAYBE_INEXACT = /(?:^|[\s,:[])(?:[0-9.eE+-]{16,}|-?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{3,})/

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** As `JSON.parse`, but a number that a double cannot hold as written becomes InexactNumber. */
export function parseJsonExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!MAYBE_INEXACT.test(text)) return value

  // The text is valid JSON from here on. Nobody can have put the tag into a string of theirs, since
  // it is made only now.
  const tag = `${randomUUID()} `
  let inexact = 0
  const tagged = text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token
    inexact++
    return `"${tag}${token}"`
  })
  return inexact === 0 ? value : untag(JSON.parse(tagged), tag)
}

/**
 * Levels are counted from the outermost object or array, which is the first. The keys that are
 * refused would change a prototype where code copies them with a plain assignment.
 */
export function structureProblem(
  value: unknown,
  maxDepth: number,
): 'too_deep' | 'forbidden_key' | null {
  if (typeof value !== 'object' || value === null) return null
  if (maxDepth <= 0) return 'too_deep'
  let found: 'forbidden_key' | null = Object.hasOwn(value, '__proto__') ? 'forbidden_key' : null
  for (const child of Object.values(value)) {
    const problem = structureProblem(child, maxDepth - 1)
    if (problem === 'too_deep') return problem
    found ??= problem
  }
  return found
}

/**
 * Without recursion, which a reviver would bring with it: this runs before anybody has looked how
 * deep the value is.
 */
function untag(root: unknown, tag: string): unknown {
  const holder = { root }
  const open: object[] = [holder]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const [key, child] of Object.entries(parent)) {
      if (typeof child === 'object' && child !== null) open.push(child)
      if (typeof child !== 'string' || !child.startsWith(tag)) continue
      const nearest = Number(child.slice(tag.length))
      // A function under this name would be called when its parent is written as JSON.
      const value = key === 'toJSON' ? nearest : new InexactNumber(nearest)
      // Defined and not assigned, because the key may be `__proto__`.
      Object.defineProperty(parent, key, { value })
    }
  }
  return holder.root
}

/** Whether the number read from the literal is printed as the same decimal. */
function isExact(literal: string): boolean {
  const nearest = Number(literal)
  if (!Number.isFinite(nearest)) return false
  const written = decimal(literal)
  const kept = decimal(String(nearest))
  return written.digits === kept.digits && written.exponent === kept.exponent
}

// The significant digits and the power of ten of the last one; the sign is never lost. Loops,
// because a regular expression for zeros at the end can be made quadratic.
function decimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = literal.toLowerCase().replace(/^-/, '').split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  const all = integer + fraction
  let from = 0
  let to = all.length
  while (all[from] === '0') from++
  while (to > from && all[to - 1] === '0') to--
  if (from === to) return { digits: '', exponent: 0 }
  return {
    digits: all.slice(from, to),
    exponent: Number(power) - fraction.length + all.length - to,
  }
}
