import { qrRows } from '@florin/server/core/qrSymbol.js'
import { QrImage } from '../QrImage.tsx'

/** The QR code of a payment. */
export function Qr({ code, label }: { code: string; label: string }) {
  return <QrImage rows={qrRows(code)} label={label} />
}
