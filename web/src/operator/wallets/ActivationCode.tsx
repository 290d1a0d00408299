import type { Activation } from '@florin/contract/walletAccount.js'
import { textQrRows } from '@florin/server/core/qrSymbol.js'
import { CopyButton } from '../../kit/console/actions.tsx'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Notice, useTimeText } from '../../kit/display.tsx'
import { QrImage } from '../../kit/QrImage.tsx'
import { useLanguage } from '../language.ts'
import './activation.css'

type Props = { name: string; activation: Activation; onClose: () => void }

/**
 * The code as a QR code and as text, to hand over or print. It is shown only once, so only the button closes the dialog.
 * If the code was only emailed, the dialog says to whom.
 */
export function ActivationCode({ name, activation, onClose }: Props) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  const { code, url, mailed_to: email } = activation
  const time = timeText(activation.expires_at)
  const done = (
    <Button isWide onClick={onClose}>
      {translate('done')}
    </Button>
  )
  if (url === null) {
    return (
      <Dialog title={translate('activation')} isOpen onClose={onClose}>
        <p dir="auto">{name}</p>
        <p>{translate('activationOnlyMailed', { email: email!, time })}</p>
        {done}
      </Dialog>
    )
  }
  return (
    <Dialog title={translate('activation')} isOpen onClose={() => {}}>
      <div className="activation">
        <p dir="auto">{name}</p>
        <QrImage
          className="activation-qr"
          rows={textQrRows(url)}
          label={translate('activationQr')}
        />
        <code className="activation-code" dir="ltr">
          {code}
        </code>
        <p className="small activation-link" dir="ltr">
          {url}
        </p>
        <p>{translate('activationNote', { time })}</p>
        {email !== null && <p>{translate('activationMailed', { email })}</p>}
      </div>
      <div className="activation-actions">
        <Notice tone="pending">{translate('shownOnce')}</Notice>
        <div className="page-actions">
          <CopyButton text={url} subject={translate('activation')} />
          <Button look="quiet" onClick={() => window.print()}>
            {translate('print')}
          </Button>
        </div>
        {done}
      </div>
    </Dialog>
  )
}
