import { useRef, useState } from 'react'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Notice } from '../../kit/display.tsx'
import { basePath } from '../../kit/request.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { saveCsv } from './saveCsv.ts'

type Progress =
  | { readonly kind: 'idle' | 'failed' }
  | { readonly kind: 'running' | 'done'; readonly rows: number; readonly total: number }

type Days = { from: string; to: string }

export function DownloadButton(days: Days) {
  const { say } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('download')}</Button>
      {isOpen && <DownloadDialog {...days} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Downloads the rows of some days as CSV and shows the progress. */
function DownloadDialog({ onClose, ...days }: Days & { onClose: () => void }) {
  const { say, locale } = useLanguage()
  const { mode } = useDashboardRoute()
  const [file, setFile] = useState<'statement' | 'payments'>('statement')
  const [from, setFrom] = useState(days.from)
  const [to, setTo] = useState(days.to)
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' })
  const controller = useRef(new AbortController())
  const count = (n: number) => new Intl.NumberFormat(`${locale}-u-nu-latn`).format(n)

  async function download(): Promise<void> {
    controller.current = new AbortController()
    setProgress({ kind: 'running', rows: 0, total: 0 })
    const query = new URLSearchParams()
    if (from) query.set('from', from)
    if (to) query.set('to', to)
    const rows = await saveCsv(`${basePath}/store/${mode}/${file}.csv?${query}`, {
      signal: controller.current.signal,
      onRows: (rows, total) => setProgress({ kind: 'running', rows, total }),
    })
    setProgress(rows === null ? { kind: 'failed' } : { kind: 'done', rows, total: rows })
  }

  function cancel(): void {
    controller.current.abort()
    onClose()
  }

  const isRunning = progress.kind === 'running'
  return (
    <Dialog title={say('download')} isOpen onClose={cancel}>
      <Select
        label={say('downloadWhat')}
        value={file}
        onChange={setFile}
        options={[
          ['statement', say('statement')],
          ['payments', say('payments')],
        ]}
      />
      <div className="choices">
        <Field label={say('fromDay')} type="date" value={from} onChange={setFrom} />
        <Field label={say('toDay')} type="date" value={to} onChange={setTo} />
      </div>
      <p className="soft small">{say('downloadHelp')}</p>
      {isRunning && (
        <div className="secret">
          <progress
            aria-label={say('download')}
            max={Math.max(1, progress.total)}
            value={progress.rows}
          />
          <span className="small">
            {say('downloadRows', { rows: count(progress.rows), total: count(progress.total) })}
          </span>
        </div>
      )}
      <div role="status">
        {progress.kind === 'done' && (
          <Notice tone="completed">{say('downloadDone', { rows: count(progress.rows) })}</Notice>
        )}
        {progress.kind === 'failed' && <Notice tone="failed">{say('downloadFailed')}</Notice>}
      </div>
      <div className="stack">
        {isRunning ? (
          <Button isWide onClick={() => controller.current.abort()}>
            {say('downloadStop')}
          </Button>
        ) : (
          <Button isWide onClick={() => void download()}>
            {say('downloadStart')}
          </Button>
        )}
        <Button look="quiet" isWide onClick={cancel}>
          {say('close')}
        </Button>
      </div>
    </Dialog>
  )
}
