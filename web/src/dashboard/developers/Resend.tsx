import { useEffect, useRef, useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Icon } from '../../kit/display.tsx'
import type { Answer, Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { AskFirst } from '../AskFirst.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'

/** The server takes a page at a time; this many pages are asked for at most. */
const PAGE = 100
const MAX_PAGES = 10

type Sent = { readonly events: number; readonly next_cursor: string | null }
type Props = { body: Readonly<Record<string, unknown>>; close: () => void }

/** Everything that the filters find, or one event, with a count while it goes on. */
export function Resend({ body, close }: Props) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const { mode } = useDashboardPlace()
  const [sent, setSent] = useState<number | null>(null)
  const [isDone, setDone] = useState(false)
  const isStopped = useRef(false)

  const [found, setFound] = useState<number | null>(null)

  async function run(isDryRun: boolean, count: (total: number) => void): Promise<Problem | null> {
    let total = 0
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES && !isStopped.current; page++) {
      const answer: Answer<Sent> = await ask(`${mode}/webhooks/resend`, {
        method: 'POST',
        body: { ...body, cursor, dry_run: isDryRun },
      })
      if (!answer.ok) return answer.problem
      total += answer.data.events
      cursor = answer.data.next_cursor
      count(total)
      if (cursor === null) break
    }
    return null
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: counted once, when the dialog opens.
  useEffect(() => {
    isStopped.current = false
    let total = 0
    void run(true, (count) => {
      total = count
    }).then((problem) => problem === null && setFound(total))
  }, [])

  if (isDone) {
    return (
      <Dialog title={say('sendAgain')} isOpen onClose={close}>
        <p className="notice tone-completed" role="status">
          <Icon name="completed" />
          {say('sentAgain', { count: sent ?? 0 })}
        </p>
        <Button isWide onClick={close}>
          {say('close')}
        </Button>
      </Dialog>
    )
  }
  return (
    <AskFirst
      title={say('sendAllAsk')}
      note={body.ids ? String(body.ids) : say('sendAllNote', { max: PAGE * MAX_PAGES })}
      action={say('sendAgain')}
      close={() => {
        isStopped.current = true
        close()
      }}
      act={() => run(false, setSent)}
      done={() => setDone(true)}
    >
      {found !== null && sent === null && (
        <p role="status">{say('willBeSent', { count: found })}</p>
      )}
      {sent !== null && (
        <p role="status" className="soft">
          {say('sentSoFar', { count: sent })}
        </p>
      )}
    </AskFirst>
  )
}
