import { createWaitersBench } from './waiters.mjs'

/** Open checkout pages: each holds a stream of events. */
export const run = createWaitersBench({
  clientCount: Number(process.env.BENCH_PAGES ?? 5_000),
  unit: 'page',
  request: 'stream',
  pathOf: (id) => `/pay/${id}/events`,
  end: 'data: completed\n\n\r\n',
  expected: 'data: completed\n\n\r\n',
})
