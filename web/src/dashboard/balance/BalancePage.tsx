import '../dashboard.css'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { isDay } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { CloseList } from './CloseList.tsx'
import { DayPage } from './DayPage.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { Statement } from './Statement.tsx'

const DAYS = 'days'

/** The statement, the daily closes, or one day. */
export function BalancePage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { hrefTo, query } = useDashboardRoute()
  if (isDay(id)) return <DayPage day={id} />
  if (id !== '' && id !== DAYS) {
    return (
      <PageFrame title={translate('balance')}>
        <Empty title={translate('noPage')}>
          <a className="button" href={hrefTo('balance', DAYS)}>
            {translate('dailyClose')}
          </a>
        </Empty>
      </PageFrame>
    )
  }
  return (
    <PageFrame
      title={translate('balance')}
      actions={<DownloadButton from={query.get('from') ?? ''} to={query.get('to') ?? ''} />}
    >
      <Tabs
        label={translate('balance')}
        tabs={[
          { href: hrefTo('balance'), label: translate('statement'), isCurrent: id === '' },
          { href: hrefTo('balance', DAYS), label: translate('dailyClose'), isCurrent: id === DAYS },
        ]}
      />
      {id === DAYS ? <CloseList /> : <Statement />}
    </PageFrame>
  )
}
