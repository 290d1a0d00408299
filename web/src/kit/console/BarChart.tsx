type Point = {
  readonly label: string
  readonly value: number
  /** From 0 to 1; null where there is nothing to say. */
  readonly part: number | null
}

type Props = {
  /** What the picture shows, for who cannot see it; every figure stands in a table beside it. */
  label: string
  barsTitle: string
  lineTitle: string
  points: readonly Point[]
}

const BAR_HEIGHT = 100
const STEP = 10
const GAP = 2

/** Bars for amounts, and below them a line for a part of one. Stretched to its place, so without text inside. */
export function BarChart({ label, barsTitle, lineTitle, points }: Props) {
  const width = Math.max(1, points.length) * STEP
  const most = Math.max(...points.map(({ value }) => value), Number.MIN_VALUE)
  const labels = [points[0], points[Math.floor((points.length - 1) / 2)], points.at(-1)]
  return (
    <figure className="chart">
      <figcaption className="small soft">{barsTitle}</figcaption>
      <svg
        className="chart-bars"
        viewBox={`0 0 ${width} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {points.map(({ value }, n) => {
          const height = (value / most) * BAR_HEIGHT
          const at = { x: n * STEP + GAP / 2, y: BAR_HEIGHT - height }
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
          return <rect key={n} {...at} width={STEP - GAP} height={height} />
        })}
      </svg>
      <p className="small soft">{lineTitle}</p>
      <svg
        className="chart-line"
        viewBox={`0 0 ${width} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={linePath(points)} />
      </svg>
      {points.length > 2 && (
        <div className="chart-labels small soft" aria-hidden="true">
          {labels.map((point, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: first, middle, last.
            <span key={n}>{point?.label}</span>
          ))}
        </div>
      )}
    </figure>
  )
}

/** Each point is a short level stroke, so that one alone is seen too, joined to its neighbours. */
function linePath(points: readonly Point[]): string {
  let path = ''
  let isDrawing = false
  for (const [n, { part }] of points.entries()) {
    if (part === null) {
      isDrawing = false
      continue
    }
    const y = (1 - part) * BAR_HEIGHT
    path += `${isDrawing ? 'L' : 'M'}${n * STEP + GAP} ${y}H${(n + 1) * STEP - GAP}`
    isDrawing = true
  }
  return path
}
