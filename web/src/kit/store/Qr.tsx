import { QR_MODULES, qrPath } from '@florin/server/core/qrSymbol.js'

/** White in both themes, with a quiet zone: scanners need the contrast of paper. */
export function Qr({ code, label }: { code: string; label: string }) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${QR_MODULES} ${QR_MODULES}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={QR_MODULES} height={QR_MODULES} fill="#fff" />
      <path d={qrPath(code)} fill="#000" />
    </svg>
  )
}
