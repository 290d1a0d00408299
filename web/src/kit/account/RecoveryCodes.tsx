import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Notice } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { saveFile } from '../saveFile.ts'
import { useCopy } from '../useCopy.ts'

type Props = {
  /** Null closes the dialog. */
  codes: readonly string[] | null
  onClose: () => void
}

/** Shows new recovery codes once, to copy, download or print. Neither Escape nor a press outside closes the dialog. */
export function RecoveryCodesDialog({ codes, onClose }: Props) {
  const { translate } = useStaffLanguage()
  const { copy, outcome } = useCopy()
  const text = codes?.join('\n') ?? ''

  const download = () =>
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'florin-recovery-codes.txt')

  return (
    <Dialog title={translate('recoveryCodes')} isOpen={codes !== null} onClose={() => {}}>
      <Notice tone="pending">{translate('codesOnce')}</Notice>
      <ul className="recovery-codes" dir="ltr">
        {codes?.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-actions">
        <Button look="quiet" onClick={() => void copy(text)}>
          <span aria-live="polite">{outcome ?? translate('copy')}</span>
        </Button>
        <Button look="quiet" onClick={download}>
          {translate('downloadCodes')}
        </Button>
        <Button look="quiet" onClick={() => window.print()}>
          {translate('print')}
        </Button>
      </div>
      <Button isWide onClick={onClose}>
        {translate('savedCodes')}
      </Button>
    </Dialog>
  )
}
