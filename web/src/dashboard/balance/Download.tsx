import { useRef, useState } from 'react'
import { Button, Choice, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Icon } from '../../kit/display.tsx'
import { basePath } from '../../kit/mount.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { saveCsv } from './saveCsv.ts'

type Progress =
  | { readonly kind: 'idle' | 'broke' }
  | { readonly kind: 'running' | 'done'; readonly rows: number; readonly total: number }

type Props = { from: string; to: string; close: () => void }

/** A file of some days, with its rows counted as they come. */
export function Download({ close, ...days }: Props) {
  const { say, locale } = useLanguage()
  const { mode } = useDashboardPlace()
  const [file, setFile] = useState<'statement' | 'payments'>('statement')
  const [from, setFrom] = useState(days.from)
  const [to, setTo] = useState(days.to)
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' })
  const stop = useRef(new AbortController())
  const count = (n: number) => new Intl.NumberFormat(`${locale}-u-nu-latn`).format(n)

  async function run(): Promise<void> {
    stop.current = new AbortController()
    setProgress({ kind: 'running', rows: 0, total: 0 })
    const query = new URLSearchParams()
    if (from) query.set('from', from)
    if (to) query.set('to', to)
    const rows = await saveCsv(`${basePath}/store/${mode}/${file}.csv?${query}`, {
      signal: stop.current.signal,
      onRows: (rows, total) => setProgress({ kind: 'running', rows, total }),
    })
    setProgress(rows === null ? { kind: 'broke' } : { kind: 'done', rows, total: rows })
  }

  function end(): void {
    stop.current.abort()
    close()
  }

  const isRunning = progress.kind === 'running'
  return (
    <Dialog title={say('download')} isOpen onClose={end}>
      <Choice
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
            className="progress"
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
          <p className="notice tone-completed">
            <Icon name="completed" />
            {say('downloadDone', { rows: count(progress.rows) })}
          </p>
        )}
        {progress.kind === 'broke' && (
          <p className="notice tone-failed">
            <Icon name="warning" />
            {say('downloadBroke')}
          </p>
        )}
      </div>
      <div className="stack">
        {isRunning ? (
          <Button isWide onClick={() => stop.current.abort()}>
            {say('downloadStop')}
          </Button>
        ) : (
          <Button isWide onClick={() => void run()}>
            {say('downloadStart')}
          </Button>
        )}
        <Button look="quiet" isWide onClick={end}>
          {say('close')}
        </Button>
      </div>
    </Dialog>
  )
}
