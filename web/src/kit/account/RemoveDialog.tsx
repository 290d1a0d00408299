import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useAccount } from './context.ts'
import { removeOwn } from './removeOwn.ts'

type Props = {
  /** The name of the second factor. */
  subject: string
  /** The effect of the removal. */
  note: string
  path: string
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation, then removes a second factor of the signed-in account. */
export function RemoveDialog({ subject, note, path, onDone, onClose }: Props) {
  const { translate } = useStaffLanguage()
  const { request } = useAccount()
  const { isBusy, problem, start } = useAction(() => removeOwn(request, path), onDone)
  return (
    <Dialog title={`${translate('remove')}: ${subject}`} isOpen isBusy={isBusy} onClose={onClose}>
      <p>{note}</p>
      {problem && <ProblemNote problem={problem} />}
      <Button look="danger" isWide isBusy={isBusy} onClick={() => void start()}>
        {translate('remove')}
      </Button>
      <Button look="quiet" isWide isDisabled={isBusy} onClick={onClose}>
        {translate('cancel')}
      </Button>
    </Dialog>
  )
}
