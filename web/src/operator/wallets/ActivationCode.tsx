import type { Activation } from '@florin/contract/walletAccount.js'
import { linkRows } from '@florin/server/core/qrSymbol.js'
import { CopyButton } from '../../kit/console/actions.tsx'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Notice, useTimeText } from '../../kit/display.tsx'
import { QrImage } from '../../kit/QrImage.tsx'
import { useLanguage } from '../language.ts'
import './activation.css'

type Props = { name: string; activation: Activation; onClose: () => void }

/** The code as QR and text, to hand over or print. It is shown only once, so a click outside doesn't close it. */
export function ActivationCode({ name, activation, onClose }: Props) {
  const { say } = useLanguage()
  const timeText = useTimeText()
  const { code, url, expires_at, mailed_to } = activation
  return (
    <Dialog title={say('activation')} isOpen onClose={() => {}}>
      <div className="activation">
        <p className="strong" dir="auto">
          {name}
        </p>
        <QrImage className="activation-qr" rows={linkRows(url)} label={say('activationQr')} />
        <code className="activation-code" dir="ltr">
          {code}
        </code>
        <p className="small activation-link" dir="ltr">
          {url}
        </p>
        <p>{say('activationNote', { time: timeText(expires_at) })}</p>
        {mailed_to !== null && <p>{say('activationMailed', { email: mailed_to })}</p>}
      </div>
      <div className="activation-actions">
        <Notice tone="pending">{say('shownOnce')}</Notice>
        <div className="page-actions">
          <CopyButton text={url} subject={say('activation')} />
          <Button look="quiet" onClick={() => window.print()}>
            {say('print')}
          </Button>
        </div>
        <Button isWide onClick={onClose}>
          {say('done')}
        </Button>
      </div>
    </Dialog>
  )
}
