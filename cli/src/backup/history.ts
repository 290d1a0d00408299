/**
 * The log is cut into segments of 16 MB. Each restore begins a new timeline, whose number is the first part of the names
 * of its segments and whose history file says where it left which other one, and why.
 */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
const SEGMENT_BYTES = 16n * 1024n * 1024n
const HISTORY = /^([0-9A-F]{8})\.history$/
const hex = (digits: string | undefined) => BigInt(`0x${digits}`)

export type Segment = { readonly timeline: number; readonly start: bigint }

export type History = {
  readonly timeline: number
  /** From the first timeline on, and the last one is what this one itself came from. */
  readonly forks: readonly { parent: number; at: bigint; gaveUp: boolean }[]
  /** Of the clock on the wall, which nothing of PostgreSQL's own tells. */
  readonly begunAt: Date | null
}

export function segmentOf(name: string): Segment | null {
  const [, timeline, high, low] = SEGMENT.exec(name) ?? []
  if (timeline === undefined) return null
  return { timeline: Number(hex(timeline)), start: (hex(high) << 32n) + hex(low) * SEGMENT_BYTES }
}

/** The timeline that a history file is of; null where it is another file. */
export function timelineOf(name: string): number | null {
  const digits = HISTORY.exec(name)?.[1]
  return digits === undefined ? null : Number(hex(digits))
}

/** To be added to a timeline's file, where PostgreSQL leaves room for notes and takes them over into later ones. */
export const begunNote = (timeline: number, at: Date) => `# ${timeline} begun ${at.toISOString()}\n`

export function parseHistory(timeline: number, text: string): History {
  const forks = text
    .split('\n')
    .map((line) => /^\s*(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)(?:\s(.*))?$/i.exec(line))
    .filter((found) => found !== null)
    .map(([, parent, high, low, reason]) => ({
      parent: Number(parent),
      at: (hex(high) << 32n) + hex(low),
      gaveUp: reason?.trim() !== 'no recovery target specified',
    }))
  const begun = new RegExp(`^# ${timeline} begun (\\S+)$`, 'm').exec(text)?.[1]
  return { timeline, forks, begunAt: begun === undefined ? null : new Date(begun) }
}

/**
 * The timeline that a moment is in. It may have been given up since: then the newest one would lead past the moment
 * without a word.
 */
export function timelineAt(histories: readonly History[], moment: Date): number {
  let found = 1
  for (const { timeline, forks, begunAt } of histories.toSorted(
    (a, b) => a.timeline - b.timeline,
  )) {
    const from = forks.at(-1)
    const goesOn = from?.parent === found && !from.gaveUp
    if (begunAt === null || begunAt <= moment || goesOn) found = timeline
  }
  return found
}

/** Whether the log goes on behind the point where a recovery found its end and began its own timeline. */
export function goesOnBehind({ forks }: History, segments: readonly Segment[]): boolean {
  const last = forks.at(-1)
  return segments.some(({ timeline, start }) => {
    const fork = forks.findLast(({ parent }) => parent === timeline)
    if (last === undefined || fork === undefined) return false
    return start >= last.at && (fork === last || start < fork.at)
  })
}
