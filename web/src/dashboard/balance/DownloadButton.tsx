import { useState } from 'react'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { useFields } from '../../kit/form.ts'
import { DownloadDialog } from '../Download.tsx'
import { useLanguage } from '../language.ts'

type Days = { from: string; to: string }

export function DownloadButton(days: Days) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate('download')}</Button>
      {isOpen && <DownloadDays {...days} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Downloads the statement or the payments of the chosen days. */
function DownloadDays({ onClose, ...days }: Days & { onClose: () => void }) {
  const { translate } = useLanguage()
  const [file, setFile] = useState<'statement' | 'payments'>('statement')
  const { fields, field } = useFields(days)
  const { from, to } = fields
  const query = new URLSearchParams()
  if (from) query.set('from', from)
  if (to) query.set('to', to)
  return (
    <DownloadDialog file={`${file}.csv?${query}`} onClose={onClose}>
      <Select
        label={translate('downloadWhat')}
        value={file}
        onChange={setFile}
        options={[
          ['statement', translate('statement')],
          ['payments', translate('payments')],
        ]}
      />
      <div className="choices">
        <Field label={translate('fromDay')} type="date" {...field('from')} />
        <Field
          label={translate('toDay')}
          type="date"
          check={(day) => (day < from ? translate('field_period') : undefined)}
          {...field('to')}
        />
      </div>
      <p className="soft small">{translate('downloadHelp')}</p>
    </DownloadDialog>
  )
}
