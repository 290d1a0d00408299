import { type ReactNode, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import type { Problem } from '../kit/request.ts'
import { useLanguage } from './language.ts'
import { Refused } from './Refused.tsx'

type Props = {
  title: string
  note: string
  /** What the button says that does it. */
  action: string
  isDanger?: boolean
  /** Null when it is done. */
  act: () => Promise<Problem | null>
  close: () => void
  /** After it was done; closes where there is nothing more to show. */
  done?: () => void
  /** What it means here that the state of things does not allow it. */
  conflict?: string
  children?: ReactNode
}

/** Says what will happen, and asks once. */
export function AskFirst({ title, note, action, isDanger, children, ...props }: Props) {
  const { act, close, done = close, conflict } = props
  const { say } = useLanguage()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function run(): Promise<void> {
    setBusy(true)
    const found = await act()
    setBusy(false)
    setProblem(found)
    if (found === null) done()
  }

  return (
    <Dialog title={title} isOpen onClose={close}>
      <p>{note}</p>
      {children}
      {problem && <Refused problem={problem} conflict={conflict} />}
      <div className="stack">
        <Button
          {...(isDanger && { look: 'danger' as const })}
          isWide
          isBusy={isBusy}
          onClick={() => void run()}
        >
          {action}
        </Button>
        <Button look="quiet" isWide onClick={close}>
          {say('cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
