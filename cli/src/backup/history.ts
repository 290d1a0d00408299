// PostgreSQL's write-ahead log consists of 16 MB segments. Each restore starts a new timeline. The number of a timeline
// is the first part of its segments' names. Its history file lists the timelines before it, and where and why each of
// them was left.

const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
const SEGMENT_BYTES = 16n * 1024n * 1024n
const HISTORY = /^([0-9A-F]{8})\.history$/
const hex = (digits: string | undefined) => BigInt(`0x${digits}`)

type Segment = { readonly timeline: number; readonly start: bigint }

export type History = {
  readonly timeline: number
  /**
   * From the first timeline on; the last fork is the origin of this timeline. `isAbandoned`: the recovery had a target, so
   * the parent may continue after the fork.
   */
  readonly forks: readonly { parent: number; at: bigint; isAbandoned: boolean }[]
  /** From the comment that `startNote` adds, because PostgreSQL records no time. Null without the comment. */
  readonly startedAt: Date | null
}

export function segmentOf(name: string): Segment | null {
  const [, timeline, high, low] = SEGMENT.exec(name) ?? []
  if (timeline === undefined) return null
  return { timeline: Number(hex(timeline)), start: (hex(high) << 32n) + hex(low) * SEGMENT_BYTES }
}

/** The timeline of a history file; null for other files. */
export function timelineOf(name: string): number | null {
  const digits = HISTORY.exec(name)?.[1]
  return digits === undefined ? null : Number(hex(digits))
}

/** A comment for a history file. PostgreSQL copies comments into later history files. */
export const startNote = (timeline: number, at: Date) => `# ${timeline} begun ${at.toISOString()}\n`

export function parseHistory(timeline: number, text: string): History {
  const forks = text
    .split('\n')
    .map((line) => /^\s*(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)(?:\s(.*))?$/i.exec(line))
    .filter((found) => found !== null)
    .map(([, parent, high, low, reason]) => ({
      parent: Number(parent),
      at: (hex(high) << 32n) + hex(low),
      isAbandoned: reason?.trim() !== 'no recovery target specified',
    }))
  const startText = new RegExp(`^# ${timeline} begun (\\S+)$`, 'm').exec(text)?.[1]
  return { timeline, forks, startedAt: startText === undefined ? null : new Date(startText) }
}

/**
 * The timeline of a moment. It may have been abandoned since; recovery along the newest timeline would then
 * silently miss the moment.
 */
export function timelineAt(histories: readonly History[], moment: Date): number {
  let current = 1
  for (const { timeline, forks, startedAt } of histories.toSorted(
    (a, b) => a.timeline - b.timeline,
  )) {
    const from = forks.at(-1)
    const isContinuation = from?.parent === current && !from.isAbandoned
    if (startedAt === null || startedAt <= moment || isContinuation) current = timeline
  }
  return current
}

/** Whether the log continues after the point where a recovery ended and started its own timeline. */
export function continuesAfter({ forks }: History, segments: readonly Segment[]): boolean {
  const last = forks.at(-1)
  return segments.some(({ timeline, start }) => {
    const fork = forks.findLast(({ parent }) => parent === timeline)
    if (last === undefined || fork === undefined) return false
    return start >= last.at && (fork === last || start < fork.at)
  })
}
