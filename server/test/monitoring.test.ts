import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SECURITY_EVENT_KINDS } from '@florin/contract/values.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { WITH_MAIL } from './setup/mails.ts'
import { startTestService, type TestService } from './setup/testService.ts'

// The tests compare the alerts and the dashboard in deploy with the metrics of the service.

const root = new URL('../../', import.meta.url)
const readText = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

const dashboard = JSON.parse(readText('deploy/grafana.json'))
const groups = parse(readText('deploy/alerts.yaml')).groups as {
  rules: { alert: string; expr: string }[]
}[]
const rules = groups.flatMap((group) => group.rules)
const panels = dashboard.panels as {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string }[]
}[]
const expressions = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

it.each(expressions)('%s uses existing metrics and labels', async (_title, expr) => {
  const printed = (await t.call('GET', '/metrics', t.operator)).text
  const labels = labelsOf(t)
  for (const [, name, filter] of expr.matchAll(
    /\b((?:florin|nodejs|process)_\w+)(?:\{([^}]*)\})?/g,
  )) {
    const base = name!.replace(/_(bucket|sum|count)$/, '')
    expect(printed).toMatch(new RegExp(`^# TYPE ${base} `, 'm'))
    for (const [, label] of (filter ?? '').matchAll(/(\w+)=/g))
      expect([...(labels.get(base) ?? []), 'job']).toContain(label)
  }
  for (const [, by] of expr.matchAll(/by \(([^)]*)\)/g)) {
    const known = [...labels.values()].flat()
    for (const label of by!.split(', ')) expect([...known, 'le']).toContain(label)
  }
  for (const [, kinds] of expr.matchAll(/kind=~?"([^"]+)"/g))
    for (const kind of kinds!.split('|')) expect(SECURITY_EVENT_KINDS).toContain(kind)
  for (const [, route] of expr.matchAll(/route="([^"]+)"/g))
    expect(t.app.hasRoute({ method: 'POST', url: route! })).toBe(true)
})

it('has an alert for a blocked event loop', () => {
  expect(rules.map(({ expr }) => expr)).toContainEqual(
    expect.stringContaining('nodejs_eventloop_lag_max_seconds'),
  )
})

it('has an alert for attacks on accounts and for a changed audit log', () => {
  const metrics = rules.flatMap(({ expr }) => expr.match(/florin_(security|audit)\w+/g) ?? [])
  expect([...new Set(metrics)]).toEqual([
    'florin_security_events_total',
    'florin_audit_log_broken',
    'florin_audit_log_sealed',
  ])
})

it('shows rates with the scrape interval of the docs, and zeros before the first error', () => {
  // The shortest $__rate_interval of Grafana is four times the scrape interval, which it assumes to be 15 seconds.
  const guide = readText('docs/production.md')
  const [, prometheus] = /```yaml\n# prometheus\.yml\n(.*?)```/s.exec(guide)!
  const [job] = parse(prometheus!).scrape_configs as { scrape_interval: string }[]
  expect(job!.scrape_interval).toBe('15s')
  // These series don't exist before the first error.
  const errors = /status=~"5|transaction_retries|batch_splits/
  const onErrors = panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .filter((expr) => errors.test(expr))
  expect(onErrors).toHaveLength(3)
  for (const expr of onErrors) expect(expr).toContain('or vector(0)')
})

it('has no two panels in the same place', () => {
  const overlapping = panels.flatMap(({ title, gridPos: a }, n) =>
    panels
      .slice(n + 1)
      .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w)
      .filter(({ gridPos: b }) => a.y < b.y + b.h && b.y < a.y + a.h)
      .map((other) => `${title} and ${other.title}`),
  )
  expect(overlapping).toEqual([])
})

function labelsOf({ service }: TestService): Map<string, string[]> {
  const all = service.metrics.registry.getMetricsAsArray() as unknown as {
    name: string
    labelNames: string[]
  }[]
  return new Map(all.map(({ name, labelNames }) => [name, labelNames]))
}
