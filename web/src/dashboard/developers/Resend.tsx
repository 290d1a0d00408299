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

type Progress = { pages: number; total: number; cursor: string | null }
const newProgress = (): Progress => ({ pages: 0, total: 0, cursor: null })

/**
 * Resends one event, or the first 1,000 that the filters match, page by page, and shows the count. After a failure, another
 * attempt continues with the page that failed.
 */
export function Resend({ body, onClose }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { mode } = useDashboardRoute()
  const [matchingCount, setMatchingCount] = useState<number | null>(null)
  const [resentCount, setResentCount] = useState<number | null>(null)
  const [isDone, setDone] = useState(false)
  const isCancelled = useRef(false)
  const resent = useRef(newProgress())

  async function resend(
    isDryRun: boolean,
    progress: Progress,
    onPage?: (total: number) => void,
  ): Promise<ApiResponse<number>> {
    while (progress.pages < MAX_PAGES && !isCancelled.current) {
      const response = await request<ResentWebhooks>(`${mode}/webhooks/resend`, {
        method: 'POST',
        body: { ...body, cursor: progress.cursor, dry_run: isDryRun },
      })
      if (!response.ok) return response
      progress.pages++
      progress.total += response.data.events
      progress.cursor = response.data.next_cursor
      onPage?.(progress.total)
      if (progress.cursor === null) break
    }
    return { ok: true, data: progress.total, serverMs: 0 }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: counts once, when the dialog opens.
  useEffect(() => {
    void resend(true, newProgress()).then(
      (response) => response.ok && setMatchingCount(response.data),
    )
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
      run={() => resend(false, resent.current, setResentCount)}
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
