import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Notice } from '../kit/display.tsx'
import { Form } from '../kit/Form.tsx'
import { basePath } from '../kit/request.ts'
import { useSession } from '../kit/store/session.tsx'
import { downloadCsv } from './downloadCsv.ts'
import { useLanguage } from './language.ts'
import { useDashboardRoute } from './route.ts'

type Progress =
  | { readonly kind: 'idle' | 'failed' }
  /** `total` is null until the response arrives, and if the server doesn't count the rows. */
  | { readonly kind: 'running'; readonly rows: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly rows: number }

/** A button that downloads a file without choices. `note` describes the file. */
export function FileDownload({ file, note }: { file: string; note: string }) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {translate('download')}
      </Button>
      {isOpen && (
        <DownloadDialog file={file} onClose={() => setOpen(false)}>
          <p className="soft">{note}</p>
        </DownloadDialog>
      )}
    </>
  )
}

type Props = {
  /** The path and query of the file, relative to the mode: `links.csv`. */
  file: string
  onClose: () => void
  /** Describes the file, or has fields to choose its content. */
  children: ReactNode
}

/** Downloads a CSV file and shows the progress. */
export function DownloadDialog({ file, onClose, children }: Props) {
  const { translate, locale } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' })
  const controller = useRef(new AbortController())
  const countText = (count: number) => new Intl.NumberFormat(`${locale}-u-nu-latn`).format(count)

  async function download(): Promise<void> {
    controller.current = new AbortController()
    const { signal } = controller.current
    setProgress({ kind: 'running', rows: 0, total: null })
    const rows = await downloadCsv(`${basePath}/store/${mode}/${file}`, {
      session: account.session.session_id,
      signal,
      onRows: (rows, total) => setProgress({ kind: 'running', rows, total }),
    })
    if (rows !== null) setProgress({ kind: 'done', rows })
    else setProgress({ kind: signal.aborted ? 'idle' : 'failed' })
    // If the download failed because the session has ended, this request replaces the session or leads to the sign-in page.
    if (rows === null && !signal.aborted) await request('session')
  }

  function cancel(): void {
    controller.current.abort()
    onClose()
  }

  const isRunning = progress.kind === 'running'
  return (
    <Dialog title={translate('download')} isOpen onClose={cancel}>
      <Form onSubmit={download} autoFocus>
        {children}
        {isRunning && (
          <div className="group">
            {progress.total === null ? (
              <progress aria-label={translate('download')} />
            ) : (
              <progress
                aria-label={translate('download')}
                max={Math.max(1, progress.total)}
                value={progress.rows}
              />
            )}
            <span className="small">
              {progress.total === null
                ? translate('downloadRowsSoFar', { rows: countText(progress.rows) })
                : translate('downloadRows', {
                    rows: countText(progress.rows),
                    total: countText(progress.total),
                  })}
            </span>
          </div>
        )}
        <div role="status">
          {progress.kind === 'done' && (
            <Notice tone="completed">
              {translate('downloadDone', { rows: countText(progress.rows) })}
            </Notice>
          )}
          {progress.kind === 'failed' && (
            <Notice tone="failed">{translate('downloadFailed')}</Notice>
          )}
        </div>
        {isRunning ? (
          <Button isWide onClick={() => controller.current.abort()}>
            {translate('stop')}
          </Button>
        ) : (
          <Button type="submit" isWide>
            {translate('downloadStart')}
          </Button>
        )}
        <Button look="quiet" isWide onClick={cancel}>
          {translate('close')}
        </Button>
      </Form>
    </Dialog>
  )
}
