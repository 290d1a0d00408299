import './charts.css'
import { lazy, Suspense } from 'react'
import { useConsoleLanguage } from '../language.tsx'
import type { ChartProps } from './BarChart.tsx'

// The script of the chart has about 20 kB, compressed, and the figures are readable without a chart.
const BarChart = lazy(() => import('./BarChart.tsx').catch(() => ({ default: () => <></> })))

type Props = Omit<ChartProps, 'height'> & { height?: number }

/** A chart whose script loads after the page. Its placeholder has the final height, so that nothing moves. */
export function Chart({ label, height = 240, ...chart }: Props) {
  const { translate } = useConsoleLanguage()
  return (
    <Suspense fallback={<div style={{ height }} />}>
      <BarChart {...chart} height={height} label={translate('chartKeys', { name: label })} />
    </Suspense>
  )
}
