type Point = {
  readonly label: string
  readonly value: number
  /** From 0 to 1; null without data. */
  readonly share: number | null
}

type Props = {
  /** The accessible name. A table beside the chart has every value. */
  label: string
  barsTitle: string
  lineTitle: string
  points: readonly Point[]
}

const BAR_HEIGHT = 100
const STEP = 10
const GAP = 2

/** Bars for amounts, and below them a line for a share. The SVG is stretched, so it contains no text. */
export function BarChart({ label, barsTitle, lineTitle, points }: Props) {
  const width = Math.max(1, points.length) * STEP
  const maxValue = Math.max(...points.map(({ value }) => value), Number.MIN_VALUE)
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
          const height = (value / maxValue) * BAR_HEIGHT
          const at = { x: n * STEP + GAP / 2, y: BAR_HEIGHT - height }
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position.
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

/** Draws each point as a short level stroke, so that a single point is visible too. */
function linePath(points: readonly Point[]): string {
  let path = ''
  let isDrawing = false
  for (const [n, { share }] of points.entries()) {
    if (share === null) {
      isDrawing = false
      continue
    }
    const y = (1 - share) * BAR_HEIGHT
    path += `${isDrawing ? 'L' : 'M'}${n * STEP + GAP} ${y}H${(n + 1) * STEP - GAP}`
    isDrawing = true
  }
  return path
}
