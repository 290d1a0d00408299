import { rowsPath } from '@florin/server/core/qrSymbol.js'

type Props = { rows: readonly (readonly boolean[])[]; label: string; className?: string }

/** White in both themes, with a quiet zone: scanners need the contrast of paper. */
export function QrImage({ rows, label, className = 'qr' }: Props) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={rowsPath(rows)} fill="#000" />
    </svg>
  )
}
