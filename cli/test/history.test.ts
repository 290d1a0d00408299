import { expect, it } from 'vitest'
import {
  continuesAfter,
  parseHistory,
  segmentOf,
  startNote,
  timelineAt,
} from '../src/backup/history.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 14, minute))
// In PostgreSQL's format: each file starts with its parent's content.
const second = `1\t0/5000100\tbefore 2026-01-31 14:05:00.5+00\n${startNote(2, at(10))}`
const third = `${second}\n2\t0/7000000\tno recovery target specified\n${startNote(3, at(20))}`
const fourth = `1\t0/3000120\treached consistency\n${startNote(4, at(30))}`
const histories = [second, third, fourth].map((text, index) => parseHistory(index + 2, text))

it.each([
  ['before anything was abandoned', 4, 1],
  ['in a part abandoned later', 7, 1],
  ['after the first restore, on a timeline that a full restore continues', 12, 3],
  ['after a full restore, which abandoned nothing', 25, 3],
  ['after a backup was restored without replaying the log', 31, 4],
])('finds the timeline of a moment %s', (_, minute, timeline) => {
  expect(timelineAt(histories.toReversed(), at(minute))).toBe(timeline)
})

it('detects that the log continues after the point where recovery ended', () => {
  const [, history] = histories
  const continues = (...names: string[]) =>
    continuesAfter(
      history!,
      names.map((name) => segmentOf(name)!),
    )
  // The abandoned part of the first timeline, what was replayed of the second, and a timeline that is not in the history.
  expect(continues('000000010000000000000005', '000000010000000000000009')).toBe(false)
  expect(continues('000000020000000000000005', '000000020000000000000006')).toBe(false)
  expect(continues('000000040000000000000009')).toBe(false)
  expect(continues('000000020000000000000006', '000000020000000000000007')).toBe(true)
  expect(continues('000000020000000100000000')).toBe(true)
})
