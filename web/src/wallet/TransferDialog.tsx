import type { ActivityEntry } from '@florin/contract/walletActivity.js'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Facts, useTimeText } from '../kit/display.tsx'
import { useLanguage } from './language.ts'
import { KINDS, Reference, SignedAmount } from './transfer.tsx'

type Props = { entry: ActivityEntry; onClose: () => void }

/** The details of a top-up or withdrawal, which has no receipt. */
export default function TransferDialog({ entry, onClose }: Props) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  return (
    <Dialog title={translate(KINDS[entry.kind].word)} isOpen onClose={onClose}>
      <SignedAmount {...entry} isLarge />
      <Facts
        facts={[
          [translate('time'), timeText(entry.at)],
          [translate('note'), entry.note || null],
          [translate('reference'), <Reference key="reference" id={entry.reference} />],
        ]}
      />
      <Button look="quiet" isWide onClick={onClose}>
        {translate('close')}
      </Button>
    </Dialog>
  )
}
