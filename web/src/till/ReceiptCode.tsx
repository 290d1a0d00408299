import { textQrRows } from '@florin/server/core/qrSymbol.js'
import { QrImage } from '../kit/QrImage.tsx'
import { basePath } from '../kit/request.ts'
import { useLanguage } from './language.ts'

/** The payment's page, which shows the order and the outcome to anyone who has the link. */
export const receiptUrl = (paymentId: string) => `${location.origin}${basePath}/pay/${paymentId}`

/** A code that opens the receipt on the customer's phone. */
export function ReceiptCode({ url }: { url: string }) {
  const { translate } = useLanguage()
  return (
    <figure className="receipt-code">
      <QrImage className="receipt-qr" rows={textQrRows(url)} label={translate('receiptQr')} />
      <figcaption>{translate('receiptScan')}</figcaption>
    </figure>
  )
}
