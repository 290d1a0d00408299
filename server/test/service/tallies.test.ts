import { Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { tally, tallyBuckets } from '../../src/tallies.ts'

describe('what is counted with every request', () => {
  it('is told in the words of prom-client, for all time', async () => {
    const registry = new Registry()
    const counter = tally({
      ...{ name: 'answers_total', help: 'Answers', labelNames: ['route', 'status'] },
      registers: [registry],
    })
    counter.inc({ route: '/a', status: 200 })
    counter.inc({ route: '/a', status: 200 })
    counter.inc({ route: '/a', status: 404 })
    await registry.metrics()
    counter.inc({ route: '/a', status: 200 })
    expect(await registry.metrics()).toBe(
      [
        '# HELP answers_total Answers',
        '# TYPE answers_total counter',
        'answers_total{route="/a",status="200"} 3',
        'answers_total{route="/a",status="404"} 1',
        '',
      ].join('\n'),
    )
  })

  it('falls into the same buckets as with prom-client', async () => {
    const config = { name: 'took_seconds', help: 'Time', labelNames: ['route'] as const }
    const buckets = [0.5, 1, 2]
    const [ours, theirs] = [new Registry(), new Registry()]
    const tallied = tallyBuckets({ ...config, buckets, registry: ours })
    const reference = new Histogram({ ...config, buckets, registers: [theirs] })
    for (const [route, value] of [
      ['/a', 0.1],
      ['/a', 0.5],
      ['/a', 0.6],
      ['/b', 2],
      ['/b', 99],
    ] as const) {
      tallied.observe({ route }, value)
      reference.observe({ route }, value)
    }
    expect(await ours.metrics()).toBe(await theirs.metrics())
    expect(await ours.metrics()).toContain('took_seconds_bucket{le="+Inf",route="/b"} 2')
  })
})
