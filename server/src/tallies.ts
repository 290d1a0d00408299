import { Counter, type CounterConfiguration, type Metric, type Registry } from 'prom-client'

type Labels<Name extends string> = Readonly<Record<Name, string | number>>
type Series<Name extends string> = {
  readonly labels: Labels<Name>
  count: number
  sum: number
  readonly buckets: number[]
}

/** One place to add up for each combination of labels. */
function seriesOf<Name extends string>(names: readonly Name[], buckets: number) {
  const all = new Map<string, Series<Name>>()
  const find = (labels: Labels<Name>) => {
    let key = ''
    for (const name of names) key += `${labels[name]}\n`
    let series = all.get(key)
    if (series === undefined) {
      series = { labels, count: 0, sum: 0, buckets: new Array<number>(buckets).fill(0) }
      all.set(key, series)
    }
    return series
  }
  return { all, find }
}

/**
 * A counter for what happens with every request. It is added up here and handed over when somebody looks:
 * prom-client's own way of counting would be a tenth of what a poll costs.
 */
export function tally<Name extends string>(
  config: CounterConfiguration<Name> & { labelNames: readonly Name[] },
) {
  const { all, find } = seriesOf(config.labelNames, 0)
  const counter = new Counter<Name>({
    ...config,
    collect() {
      for (const { labels, count } of all.values()) this.inc(labels as Labels<Name>, count)
      all.clear()
    },
  })
  return {
    inc(labels: Labels<Name>): void {
      find(labels).count += 1
    },
    get: () => counter.get(),
  }
}

type HistogramConfig<Name extends string> = {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Name[]
  /** Upper bounds, in order. */
  readonly buckets: readonly number[]
  readonly registry: Registry
}

/** The same for how long something took or how much it was. */
export function tallyBuckets<Name extends string>(config: HistogramConfig<Name>) {
  const { name, help, labelNames, buckets: bounds, registry } = config
  const { all, find } = seriesOf(labelNames, bounds.length)
  const values = () =>
    [...all.values()].flatMap(({ labels, count, sum, buckets }) => {
      let below = 0
      const upTo = buckets.map((inside, index) => {
        below += inside
        return {
          metricName: `${name}_bucket`,
          labels: { le: bounds[index]!, ...labels },
          value: below,
        }
      })
      return [
        ...upTo,
        { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
  const metric = {
    ...{ name, help, labelNames, type: 'histogram', aggregator: 'sum' },
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
    reset: () => all.clear(),
  }
  // What a registry asks of a metric is no more than this, though its type says a class.
  registry.registerMetric(metric as unknown as Metric)
  return {
    observe(labels: Labels<Name>, value: number): void {
      const series = find(labels)
      series.count += 1
      series.sum += value
      for (let index = 0; index < bounds.length; index++) {
        if (value <= bounds[index]!) {
          series.buckets[index]! += 1
          return
        }
      }
    },
  }
}
