import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { fromSource } from './fromSource.mjs'

export const resolve = { alias: fromSource }

/** Folders of tests that start browsers, processes or servers. */
const SLOW =
  /\/((cli|web|sdk|clients)\/test|server\/test\/(service|embedded|openapi|reference|hostile|webhooks))\//

/** Runs slow files first, so that all processes end at about the same time. */
class SlowFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }) => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export const shared = {
  globalSetup: 'server/test/setup/globalSetup.ts',
  setupFiles: ['server/test/citus/record.ts', 'server/test/setup/cheapHashes.ts'],
  // Three processes share one PostgreSQL: tests also wait for commits, processes and pages. Without isolation, each
  // keeps its loaded modules between files; loading them again would take a third of the test time.
  pool: 'forks',
  maxWorkers: 3,
  isolate: false,
  sequence: { sequencer: SlowFirst },
  restoreMocks: true,
  testTimeout: 60_000,
  // Generous, because the machine may be busy.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 120_000,
}

export default defineConfig({
  resolve,
  test: { ...shared, include: ['{shared,server,cli,web,sdk,clients}/test/**/*.test.ts'] },
})
