import type { BusinessOverview, CurrencyFigures } from '@florin/contract/business.js'
import './business.css'
import type { StoreList } from '@florin/contract/operator.js'
import type { PlatformBalances } from '@florin/contract/platform.js'
import type { Mode } from '@florin/server/core/ids.js'
import { percentText } from '@florin/shared/numbers.js'
import { addAmounts } from '../../kit/amounts.ts'
import { Segments } from '../../kit/console/Segments.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Facts, Money, useTimeText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { MODES, modeWord } from '../../kit/store/payment.ts'
import { LOCAL_TIME_ZONE, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { average, numberText } from '../numbers.ts'
import { filterPage, hrefTo, useOperatorRoute } from '../route.ts'
import { useCan } from '../session.ts'
import { Outcomes } from './Outcomes.tsx'
import { VolumeChart } from './VolumeChart.tsx'

const PERIODS = ['1', '7', '30'] as const
type Period = (typeof PERIODS)[number]

const REFRESH_MS = 30_000
/** Figures that are older than this are marked. */
const LATE_MS = 20 * 60_000

/** Volume, fees, outcomes, active stores and wallets, and the money held. */
export function Business() {
  const { translate } = useLanguage()
  const { query } = useOperatorRoute()
  const days: Period = PERIODS.find((period) => period === query.get('days')) ?? '7'
  const mode: Mode = query.get('mode') === 'sandbox' ? 'sandbox' : 'live'
  const parameters = new URLSearchParams({ mode, days, time_zone: LOCAL_TIME_ZONE })
  const resource = useResource<BusinessOverview>(`overview?${parameters}`, REFRESH_MS)
  // The number of stores in the figures is cached, and can still be zero after the first store was created.
  const stores = useResource<StoreList>('stores?limit=1')
  const choose = (change: { days?: Period; mode?: Mode }) =>
    filterPage('overview', { days, mode, ...change })
  return (
    <section className="stack" aria-labelledby="business">
      <div className="page-title">
        <h2 id="business">{translate('group_business')}</h2>
        <Segments
          label={translate('period')}
          options={PERIODS.map((period) => [period, translate(`period_${period}`)] as const)}
          value={days}
          onChange={(value) => choose({ days: value })}
        />
        <Segments
          label={translate('mode')}
          options={MODES.map((option) => [option, translate(modeWord(option))] as const)}
          value={mode}
          onChange={(value) => choose({ mode: value })}
        />
      </div>
      {/* Enough lines to fill a phone, so that nothing visible moves when the figures arrive. */}
      <Loaded resource={resource} lines={16}>
        {(business) => (
          <>
            <CountedUntil at={business.counted_until} />
            {stores.data?.stores.length === 0 ? (
              <NoStores />
            ) : (
              business.currencies.length === 0 && <Empty title={translate('noPaymentsInPeriod')} />
            )}
            {business.currencies.map((figures) => (
              <CurrencyCard key={figures.currency} figures={figures} />
            ))}
            <div className="tiles">
              <ActiveTile
                page="stores"
                label={translate('activeStores')}
                counts={business.stores}
              />
              <ActiveTile
                page="wallets"
                label={translate('activeWallets')}
                counts={business.wallets}
              />
            </div>
          </>
        )}
      </Loaded>
      <MoneyHeld mode={mode} />
    </section>
  )
}

/** The first step in a new service. */
function NoStores() {
  const { translate } = useLanguage()
  const canCreate = useCan('admin')
  return (
    <Empty title={translate('noStores')} note={canCreate && translate('noStoresHelp')}>
      {canCreate && (
        <a className="button" href={`${hrefTo('stores')}?new`}>
          {translate('createStore')}
        </a>
      )}
    </Empty>
  )
}

/** Shown while later payments are not counted yet, such as after an upgrade. */
function CountedUntil({ at }: { at: string }) {
  const { translate } = useLanguage()
  const time = useTimeText()(at)
  const isLate = Date.now() - parseTime(at).getTime() > LATE_MS
  return isLate && <p className="small soft">{translate('countedUntil', { time })}</p>
}

function CurrencyCard({ figures }: { figures: CurrencyFigures }) {
  const { translate, locale } = useLanguage()
  const { currency, total, before } = figures
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <section className="card business" aria-label={currency}>
      <div className="business-volume">
        <span className="soft small">{translate('volume')}</span>
        <Money amount={total.volume} currency={currency} isLarge />
        <Change now={total.volume} before={before.volume} />
      </div>
      <Facts
        facts={[
          [translate('feesEarned'), <strong key="fees">{money(total.fees)}</strong>],
          [translate('paidPayments'), numberText(total.completed, locale)],
          [translate('averagePayment'), money(average(total.volume, total.completed, currency))],
          [translate('refunds'), total.refunded > 0 && money(total.refunded_amount)],
        ]}
      />
      <VolumeChart figures={figures} />
      <Outcomes totals={total} />
    </section>
  )
}

/** The change from the previous period, in percent. */
function Change({ now, before }: { now: string; before: string }) {
  const { translate, locale } = useLanguage()
  if (Number(before) === 0) return null
  const change = percentText(Number(now) / Number(before) - 1, locale, { isChange: true })
  return (
    <span className="small soft">
      <bdi>{change}</bdi> {translate('fromBefore')}
    </span>
  )
}

type ActiveTileProps = {
  page: 'stores' | 'wallets'
  label: string
  counts: { readonly active: number; readonly total: number }
}

function ActiveTile({ page, label, counts: { active, total } }: ActiveTileProps) {
  const { translate, locale } = useLanguage()
  return (
    <a className="card tile" href={hrefTo(page)}>
      <span className="soft small">{label}</span>
      <strong>{numberText(active, locale)}</strong>
      <span className="soft small">{translate('outOf', { total: numberText(total, locale) })}</span>
    </a>
  )
}

/** The money that the service holds for others. */
function MoneyHeld({ mode }: { mode: Mode }) {
  const { translate } = useLanguage()
  const resource = useResource<PlatformBalances>('balances', REFRESH_MS)
  return (
    <section className="stack" aria-labelledby="held">
      <h2 id="held">{translate('moneyHeld')}</h2>
      <Loaded resource={resource} lines={1}>
        {({ balances }) => (
          <Table
            label={translate('moneyHeld')}
            rows={balances.filter(
              (balance) =>
                balance.mode === mode && Number(balance.stores) + Number(balance.wallets) !== 0,
            )}
            keyOf={({ currency }) => currency}
            empty={<p className="soft">{translate('noMoney')}</p>}
            columns={[
              [translate('currency'), ({ currency }) => currency],
              [
                translate('heldForStores'),
                ({ currency, stores }) => <Money amount={stores} currency={currency} />,
                'end',
              ],
              [
                translate('heldForWallets'),
                ({ currency, wallets }) => <Money amount={wallets} currency={currency} />,
                'end',
              ],
              [
                translate('heldTotal'),
                ({ currency, stores, wallets }) => (
                  <strong>
                    <Money amount={addAmounts(currency, stores, wallets)} currency={currency} />
                  </strong>
                ),
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
