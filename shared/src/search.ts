/** A section of the API reference that the search finds. */
export type SearchEntry = {
  readonly id: string
  readonly title: string
  /** The method of an endpoint, or the status of an error. */
  readonly tag?: string
  /** The path of an endpoint, or where the section is. */
  readonly place: string
  /** True for an error. It comes after endpoints that match equally well. */
  readonly isError?: true
  /** More words that lead to the section: its text and the names of its fields. */
  readonly words: string
}

/** Splits a text into words: `refundPayment` and `refund_payments` are both "refund payment". Ignores accents and case. */
function wordsOf(text: string): string[] {
  const letters = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  const words = letters.toLowerCase().match(/[a-z\d]+/g) ?? []
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}

/** Points if a word of the section equals, begins with, contains or nearly equals a word of the query. */
const POINTS = { equal: 8, start: 6, part: 3, similar: 2 }
const TITLE_WEIGHT = 4
const PLACE_WEIGHT = 2
const TEXT_WEIGHT = 1

export type IndexedEntry = {
  readonly entry: SearchEntry
  readonly fields: readonly { readonly words: readonly string[]; readonly weight: number }[]
}

export const indexEntry = (entry: SearchEntry): IndexedEntry => ({
  entry,
  fields: [
    { words: wordsOf(entry.title), weight: entry.isError ? TEXT_WEIGHT : TITLE_WEIGHT },
    { words: wordsOf(`${entry.tag ?? ''} ${entry.place}`), weight: PLACE_WEIGHT },
    { words: wordsOf(entry.words), weight: TEXT_WEIGHT },
  ],
})

/** Returns the sections that match the most words of the query, best first. */
export function search(
  index: readonly IndexedEntry[],
  query: string,
  limit: number,
): SearchEntry[] {
  const queryWords = wordsOf(query)
  const scored = index.map(({ entry, fields }) => {
    const points = queryWords.map((word) =>
      Math.max(...fields.map((field) => pointsIn(word, field))),
    )
    const matches = points.filter((value) => value > 0).length
    return { entry, matches, points: points.reduce((sum, value) => sum + value, 0) }
  })
  const maxMatches = Math.max(...scored.map(({ matches }) => matches))
  return scored
    .filter(({ matches }) => matches > 0 && matches === maxMatches)
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

const pointsIn = (word: string, { words, weight }: IndexedEntry['fields'][number]): number =>
  weight * words.reduce((maxPoints, other) => Math.max(maxPoints, pointsFor(word, other)), 0)

function pointsFor(word: string, other: string): number {
  if (word === other) return POINTS.equal
  if (other.startsWith(word)) return POINTS.start
  if (word.length > 2 && other.includes(word)) return POINTS.part
  return isSimilar(word, other) ? POINTS.similar : 0
}

/**
 * True if the word has at least four letters and one of them is wrong, missing or additional, or two adjacent ones are
 * swapped. The word can also be the beginning of the other.
 */
function isSimilar(word: string, other: string): boolean {
  if (word.length < 4 || other.length < word.length - 1) return false
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  const rest = word.slice(at)
  const otherRest = other.slice(at)
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`
  return (
    otherRest.slice(1).startsWith(rest.slice(1)) ||
    otherRest.startsWith(rest.slice(1)) ||
    otherRest.slice(1).startsWith(rest) ||
    otherRest.startsWith(swapped)
  )
}
