import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Answer, Problem } from '../kit/request.ts'
import { useLanguage } from './language.ts'

type Props<Data> = {
  /** On the button that opens it; also the heading, unless there is a longer one. */
  label: string
  title?: string
  /** What the button says that does it, with the numbers where there are some. */
  confirm: string
  look?: 'primary' | 'quiet' | 'danger'
  isDanger?: boolean
  /** Nothing to be done yet: a field is empty, or cannot be. */
  isIncomplete?: boolean
  run: () => Promise<Answer<Data>>
  onDone?: (data: Data) => void
  /** When it is opened: forms begin with what is now. */
  onOpen?: () => void
  /** The fields, and what will come of it in numbers. */
  children: ReactNode
}

/** Something that an operator does: a button, then its effect in numbers, then one question. */
export function Act<Data>(props: Props<Data>) {
  const { label, title, confirm, look = 'quiet', isDanger, isIncomplete, run, children } = props
  const { say } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  function open(): void {
    setProblem(null)
    props.onOpen?.()
    setOpen(true)
  }
  async function confirmed(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || isIncomplete) return
    setBusy(true)
    const answer = await run()
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    setOpen(false)
    props.onDone?.(answer.data)
  }

  return (
    <>
      <Button look={look} onClick={open}>
        {label}
      </Button>
      <Dialog title={title ?? label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form className="stack" onSubmit={(event) => void confirmed(event)}>
          {children}
          {problem && <ProblemNote problem={problem} />}
          <Button
            type="submit"
            isWide
            look={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            isDisabled={isIncomplete === true}
          >
            {confirm}
          </Button>
          <Button look="quiet" isWide onClick={() => setOpen(false)}>
            {say('leaveIt')}
          </Button>
        </form>
      </Dialog>
    </>
  )
}
