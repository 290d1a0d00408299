import type { Rate, RateHistory, RateList } from '@florin/contract/platform.js'
import type { Locale } from '@florin/shared/locales.js'
import { percentText } from '@florin/shared/numbers.js'
import { toDecimal } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { ActionButton } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded, PagedTable } from '../../kit/console/states.tsx'
import { RelativeTime, Table } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Facts, useMoneyText } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { CurrencySelect } from '../../kit/pickers.tsx'
import { usePages, useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { convertAmount, isCurrency } from '../numbers.ts'
import { hrefTo, type PageProps } from '../route.ts'
import { useSession } from '../session.ts'

export function RatesPage({ id, part }: PageProps) {
  return id && part ? <History from={id} to={part} /> : <CurrentRates />
}

function CurrentRates() {
  const { translate } = useLanguage()
  const resource = useResource<RateList>('rates')
  return (
    <PageFrame
      title={translate('rates')}
      actions={
        <Allowed permission="money">
          <SetRate knownRates={resource.data?.rates ?? []} onDone={resource.reload} />
        </Allowed>
      }
    >
      <Loaded resource={resource}>
        {({ rates }) => (
          <Table
            empty={<Empty title={translate('noRates')} note={translate('noRatesHelp')} />}
            label={translate('rates')}
            rows={rates}
            keyOf={({ from, to }) => `${from} ${to}`}
            hrefOf={({ from, to }) => hrefTo('rates', from, to)}
            columns={[
              [translate('pair'), ({ from, to }) => <bdi>{`${from} → ${to}`}</bdi>],
              [translate('rate'), ({ rate }) => rate, 'end'],
              [translate('since'), ({ set_at: at }) => <RelativeTime at={at} />, 'end'],
            ]}
          />
        )}
      </Loaded>
    </PageFrame>
  )
}

function History({ from, to }: { from: string; to: string }) {
  const { translate, locale } = useLanguage()
  const list = usePages<RateHistory>(`rates/${from}/${to}?limit=50`)
  const rows = list.pages.flatMap((page) => page.rates)
  return (
    <PageFrame
      title={`${from} → ${to}`}
      back={hrefTo('rates')}
      actions={
        <Allowed permission="money">
          <SetRate knownRates={rows.slice(0, 1)} pair={{ from, to }} onDone={list.reload} />
        </Allowed>
      }
    >
      <PagedTable
        list={list}
        rowsOf={(page) => page.rates}
        label={translate('history')}
        keyOf={({ set_at, rate }) => `${set_at} ${rate}`}
        empty={<Empty title={translate('noRates')} />}
        columns={[
          [translate('since'), ({ set_at: at }) => <RelativeTime at={at} />],
          [translate('rate'), ({ rate }) => rate, 'end'],
          [
            translate('change'),
            (rate) => changeText(rows[rows.indexOf(rate) + 1]?.rate, rate.rate, locale),
            'end',
          ],
        ]}
      />
    </PageFrame>
  )
}

/** The change in percent. */
function changeText(before: string | undefined, after: string, locale: Locale): string {
  if (before === undefined) return '–'
  const change = Number(after) / Number(before) - 1
  return percentText(change, locale, { isChange: true, maxDecimals: 2 })
}

type SetRateProps = {
  knownRates: readonly Rate[]
  pair?: { from: string; to: string }
  onDone: () => void
}

function SetRate({ knownRates, pair, onDone }: SetRateProps) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { request } = useSession()
  const { fields, field, reset } = useFields({ from: '', to: '', rate: '', ...pair })
  const checks = useChecks()
  const { from, to } = fields
  const rate = toDecimal(fields.rate)
  const before = knownRates.find((entry) => entry.from === from && entry.to === to)?.rate
  const isValidRate = rate !== '' && checks.rate(rate) === undefined
  const isValidPair = isCurrency(from) && isCurrency(to) && from !== to
  return (
    <ActionButton
      label={translate('setRate')}
      title={pair ? `${translate('setRate')}: ${pair.from} → ${pair.to}` : translate('setRate')}
      look="primary"
      run={() => request(`rates/${from}/${to}`, { method: 'PUT', body: { rate } })}
      onOpen={reset}
      onDone={onDone}
    >
      {pair === undefined && (
        <div className="pair">
          <CurrencySelect label={translate('from')} {...field('from')} />
          <CurrencySelect
            label={translate('to')}
            {...field('to')}
            check={(code) => (code === from ? translate('field_currencies') : undefined)}
          />
        </div>
      )}
      <Field
        label={translate('rate')}
        help={translate('rateHelp')}
        {...field('rate')}
        inputMode="decimal"
        isRequired
        check={checks.rate}
      />
      {isValidRate && isValidPair && (
        <Facts
          facts={[
            [translate('before'), before ?? '–'],
            [translate('after'), Number(rate).toFixed(4)],
            [translate('change'), changeText(before, rate, locale)],
            [
              translate('example'),
              `${moneyText('100', from)} = ${moneyText(convertAmount('100', from, to, rate), to)}`,
            ],
          ]}
        />
      )}
      <p className="small soft">{translate('rateNote')}</p>
    </ActionButton>
  )
}
