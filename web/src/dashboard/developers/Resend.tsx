import type { ResentWebhooks } from '@florin/contract/developers.js'
import { useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '../../kit/console/actions.tsx'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Notice } from '../../kit/display.tsx'
import type { ApiResponse } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 10

type Props = { body: Readonly<Record<string, unknown>>; onClose: () => void }

/** Resends one event, or the first 1,000 that the filters match, page by page, and shows the count. */
export function Resend({ body, onClose }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { mode } = useDashboardRoute()
  const [matchingCount, setMatchingCount] = useState<number | null>(null)
  const [resentCount, setResentCount] = useState<number | null>(null)
  const [isDone, setDone] = useState(false)
  const isCancelled = useRef(false)

  async function resend(isDryRun: boolean, onPage?: (total: number) => void) {
    let total = 0
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES && !isCancelled.current; page++) {
      const response: ApiResponse<ResentWebhooks> = await request(`${mode}/webhooks/resend`, {
        method: 'POST',
        body: { ...body, cursor, dry_run: isDryRun },
      })
      if (!response.ok) return response
      total += response.data.events
      cursor = response.data.next_cursor
      onPage?.(total)
      if (cursor === null) break
    }
    return { ok: true, data: total, serverMs: 0 } as const
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: counts once, when the dialog opens.
  useEffect(() => {
    isCancelled.current = false
    void resend(true).then((response) => response.ok && setMatchingCount(response.data))
  }, [])

  if (isDone) {
    return (
      <Dialog title={translate('resend')} isOpen onClose={onClose}>
        <Notice tone="completed" role="status">
          {translate('resending', { count: resentCount ?? 0 })}
        </Notice>
        <Button isWide onClick={onClose}>
          {translate('close')}
        </Button>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={translate(body.ids ? 'resendAsk' : 'resendAllAsk')}
      confirmLabel={translate('resend')}
      run={() => resend(false, setResentCount)}
      onDone={() => setDone(true)}
      onClose={() => {
        isCancelled.current = true
        onClose()
      }}
    >
      <p>
        {body.ids ? String(body.ids) : translate('resendAllNote', { max: PAGE_SIZE * MAX_PAGES })}
      </p>
      {matchingCount !== null && resentCount === null && (
        <p role="status">{translate('willBeResent', { count: matchingCount })}</p>
      )}
      {resentCount !== null && (
        <p role="status" className="soft">
          {translate('sentSoFar', { count: resentCount })}
        </p>
      )}
    </ConfirmDialog>
  )
}
