import { AxisBottom, AxisLeft, AxisRight } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'

export type ChartPoint = {
  /** Short, for the axis. */
  readonly label: string
  /** The lines of the tooltip: the point first, then its values. */
  readonly details: readonly string[]
  readonly value: number
  /** A second value, drawn as a dotted line, such as that of the previous period. Null without one. */
  readonly line: number | null
}

export type ChartProps = {
  /** The accessible name. */
  label: string
  points: readonly ChartPoint[]
  /** A value of the vertical axis, such as `1.2K`. */
  valueText: (value: number) => string
  /** The largest value of the axis, if it is known. */
  max?: number
  height: number
}

/** Pixels above the bars, and for the labels of the axes. */
const TOP = 12
const BOTTOM = 28
const SIDE = 52
const MIN_LABEL_WIDTH = 64
const LETTER_WIDTH = 10
const TICKS = 4

/** Bars with axes, and a dotted line. A pointer, a finger or the arrow keys show each value. */
export default function BarChart({ label, points, valueText, max, height }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [current, setCurrent] = useState<number | null>(null)
  const isRtl = document.documentElement.dir === 'rtl'
  const [left, right] = isRtl ? [0, width - SIDE] : [SIDE, width]
  const maxValue = Math.max(...points.flatMap(({ value, line }) => [value, line ?? 0]))
  const x = scaleBand({
    domain: points.map((_, n) => n),
    range: isRtl ? [right, left] : [left, right],
    paddingInner: points.length > 45 ? 0.2 : 0.35,
    paddingOuter: 0.1,
  })
  const y = scaleLinear({ domain: [0, max ?? (maxValue || 1)], range: [height - BOTTOM, TOP] })
  if (max === undefined) y.nice(TICKS)
  const centreOf = (n: number) => x(n)! + x.bandwidth() / 2
  const longest = Math.max(...points.map((item) => item.label.length))
  const labelWidth = Math.max(MIN_LABEL_WIDTH, longest * LETTER_WIDTH)
  const labelInterval = Math.ceil(
    points.length / Math.max(1, Math.floor((right - left) / labelWidth)),
  )
  // Labels with words and digits, such as "16 نوفمبر", need the direction of their language.
  const direction = isRtl ? 'rtl' : 'ltr'
  const ValueAxis = isRtl ? AxisRight : AxisLeft
  const point = current === null ? undefined : points[current]

  function onKeyDown({ key }: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key]
    if (key === 'Escape') setCurrent(null)
    if (step === undefined) return
    const isMirrored = isRtl && (key === 'ArrowRight' || key === 'ArrowLeft')
    const next = (current ?? -1) + (isMirrored ? -step : step)
    setCurrent(Math.min(points.length - 1, Math.max(0, next)))
  }

  /** With the keyboard, the bar that is shown is the value of the slider. */
  function hideUnlessFocused(element: Element): void {
    if (!element.matches(':focus-visible')) setCurrent(null)
  }

  return (
    <div
      ref={box}
      className="chart-box"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={current ?? 0}
      aria-valuetext={points[current ?? 0]?.details.join(', ')}
      onKeyDown={onKeyDown}
      onFocus={() => setCurrent((shown) => shown ?? points.length - 1)}
      onBlur={() => setCurrent(null)}
      // A finger leaves when it is lifted. Its bar stays until something else gets the focus.
      onPointerLeave={({ pointerType, currentTarget }) => {
        if (pointerType !== 'touch') hideUnlessFocused(currentTarget)
      }}
      // The finger scrolls the page.
      onPointerCancel={({ currentTarget }) => hideUnlessFocused(currentTarget)}
    >
      <svg width={width} height={height} aria-hidden="true" direction="ltr">
        <ValueAxis
          scale={y}
          left={isRtl ? right : left}
          numTicks={maxValue === 0 && max === undefined ? 1 : TICKS}
          hideAxisLine
          // Negative, so that the ticks become lines across the chart.
          tickLength={left - right}
          tickFormat={(value) => valueText(Number(value))}
          tickComponent={({ y: top, formattedValue }) => (
            <text
              className="chart-text"
              x={isRtl ? 8 : -8}
              y={top}
              dy="0.32em"
              direction={direction}
              textAnchor="end"
            >
              {formattedValue}
            </text>
          )}
          tickClassName="chart-grid"
        />
        <AxisBottom
          scale={x}
          top={height - BOTTOM}
          hideTicks
          axisLineClassName="chart-base"
          tickValues={points.map((_, n) => n).filter((n) => n % labelInterval === 0)}
          tickFormat={(n) => points[n]?.label}
          tickComponent={({ x: at, formattedValue }) => (
            <text className="chart-text" x={at} y={20} direction={direction} textAnchor="middle">
              {formattedValue}
            </text>
          )}
        />
        {points.map(({ value }, n) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position.
            key={n}
            className={n === current ? 'chart-bar chart-bar-current' : 'chart-bar'}
            x={x(n)}
            y={y(value)}
            width={x.bandwidth()}
            height={height - BOTTOM - y(value)}
            rx={Math.min(3, x.bandwidth() / 4)}
          />
        ))}
        <LinePath
          className="chart-line"
          data={points.map(({ line }, n) => ({ n, line }))}
          defined={({ line }) => line !== null}
          x={({ n }) => centreOf(n)}
          y={({ line }) => y(line ?? 0)}
        />
        {points.map((_, n) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position.
            key={n}
            className="chart-column"
            x={x(n)! - (x.step() - x.bandwidth()) / 2}
            y={TOP}
            width={x.step()}
            height={height - BOTTOM - TOP}
            onPointerEnter={() => setCurrent(n)}
            onPointerDown={() => setCurrent(n)}
          />
        ))}
      </svg>
      {point && (
        <div
          className="chart-tip small"
          aria-hidden="true"
          style={{ left: Math.min(Math.max(centreOf(current!), 90), Math.max(90, width - 90)) }}
        >
          {point.details.map((detail, n) => (
            <span key={detail} className={n === 0 ? 'soft' : undefined}>
              {detail}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

/** The width of an element, measured again when it changes. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setWidth(current.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
