import { expect, it } from 'vitest'
import type { Database, Tx } from '../../src/database/database.ts'
import { CommitUnknown, DatabaseUnavailable } from '../../src/database/errors.ts'
import { commitOnce } from '../../src/ops/commitOnce.ts'

it('gives up if every COMMIT fails and nothing was committed', async () => {
  let attempts = 0
  const proof = { lock: async () => {}, isCommitted: async () => false }
  // After each failed COMMIT, the next transaction looks for the proof.
  let isCommitLost = false
  const database = {
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      isCommitLost = !isCommitLost
      const result = await work({ isDistributed: false } as Tx)
      if (isCommitLost) throw new CommitUnknown(new Error('the server panicked'))
      return result
    },
  } as Database
  const run = commitOnce(database, async () => {
    attempts += 1
    return { result: 'done', proof }
  })
  await expect(run).rejects.toThrow(DatabaseUnavailable)
  expect(attempts).toBe(3)
})
