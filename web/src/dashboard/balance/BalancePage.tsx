import '../office.css'
import { useState } from 'react'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Button } from '../../kit/controls.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { Closes } from './Closes.tsx'
import { DayPage } from './DayPage.tsx'
import { Download } from './Download.tsx'
import { Statement } from './Statement.tsx'

const DAYS = 'days'

/** The statement, the days, or one of them. */
export function BalancePage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { hrefTo, query } = useDashboardPlace()
  const [isDownloading, setDownloading] = useState(false)
  if (id !== '' && id !== DAYS) return <DayPage day={id} />
  return (
    <PageFrame
      title={say('balance')}
      actions={<Button onClick={() => setDownloading(true)}>{say('download')}</Button>}
    >
      <Tabs
        label={say('balance')}
        tabs={[
          { href: hrefTo('balance'), label: say('statement'), isCurrent: id === '' },
          { href: hrefTo('balance', DAYS), label: say('dailyClose'), isCurrent: id === DAYS },
        ]}
      />
      {id === DAYS ? <Closes /> : <Statement />}
      {isDownloading && (
        <Download
          from={query.get('from') ?? ''}
          to={query.get('to') ?? ''}
          close={() => setDownloading(false)}
        />
      )}
    </PageFrame>
  )
}
