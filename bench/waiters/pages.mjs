import { waitersBench } from './waiters.mjs'

/** Checkout pages that are open in browsers: each a stream of events. */
export const run = waitersBench({
  wanted: Number(process.env.BENCH_PAGES ?? 5_000),
  unit: 'page',
  pathOf: (id) => `/pay/${id}/events`,
  end: 'data: completed\n\n\r\n',
  told: 'data: completed\n\n\r\n',
})
