import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { isCurrency } from '../numbers.ts'
import { Paged } from '../Paged.tsx'
import { hrefTo, type PageProps } from '../place.ts'
import { TIME_ZONE, useAsked, useSession } from '../session.ts'
import type { Rate } from '../types.ts'
import { usePages } from '../usePages.ts'

export function RatesPage({ id, part }: PageProps) {
  return id && part ? <History from={id} to={part} /> : <RateList />
}

function RateList() {
  const { say } = useLanguage()
  const asked = useAsked<{ rates: Rate[] }>('rates')
  return (
    <PageFrame
      title={say('rates')}
      actions={<SetRate known={asked.data?.rates ?? []} onDone={asked.again} />}
    >
      <Loaded asked={asked}>
        {({ rates }) =>
          rates.length === 0 ? (
            <Empty title={say('noRates')}>
              <p className="soft">{say('noRatesHelp')}</p>
            </Empty>
          ) : (
            <Table
              label={say('rates')}
              rows={rates}
              keyOf={({ from, to }) => `${from} ${to}`}
              hrefOf={({ from, to }) => hrefTo('rates', from, to)}
              columns={[
                { title: say('pair'), cell: ({ from, to }) => <bdi>{`${from} → ${to}`}</bdi> },
                { title: say('rate'), isEnd: true, cell: ({ rate }) => rate },
                {
                  title: say('since'),
                  isEnd: true,
                  cell: ({ set_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function History({ from, to }: { from: string; to: string }) {
  const { say } = useLanguage()
  const pages = usePages<Rate, 'rates'>(`rates/${from}/${to}?limit=50`, 'rates')
  const { rows } = pages
  return (
    <PageFrame
      title={`${from} → ${to}`}
      back={hrefTo('rates')}
      actions={<SetRate known={rows.slice(0, 1)} pair={{ from, to }} onDone={pages.asked.again} />}
    >
      <Paged
        pages={pages}
        label={say('history')}
        keyOf={({ set_at, rate }) => `${set_at} ${rate}`}
        empty={<Empty title={say('noRates')} />}
        columns={[
          {
            title: say('since'),
            cell: ({ set_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
          },
          { title: say('rate'), isEnd: true, cell: ({ rate }) => rate },
          {
            title: say('change'),
            isEnd: true,
            cell: (rate) => changeText(rows[rows.indexOf(rate) + 1]?.rate, rate.rate),
          },
        ]}
      />
    </PageFrame>
  )
}

/** By how much the new one is more or less than the old, in percent. */
function changeText(before: string | undefined, after: string): string {
  if (before === undefined) return '–'
  const percent = (Number(after) / Number(before) - 1) * 100
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2)} %`
}

type SetRateProps = {
  known: readonly Rate[]
  pair?: { from: string; to: string }
  onDone: () => void
}

function SetRate({ known, pair, onDone }: SetRateProps) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [from, setFrom] = useState(pair?.from ?? '')
  const [to, setTo] = useState(pair?.to ?? '')
  const [rate, setRate] = useState('')
  const before = known.find((one) => one.from === from && one.to === to)?.rate
  const isRight = /^\d{1,9}(\.\d{1,4})?$/.test(rate) && Number(rate) > 0
  const arePair = isCurrency(from) && isCurrency(to) && from !== to
  return (
    <Act
      label={say('setRate')}
      look="primary"
      confirm={say('setRate')}
      isIncomplete={!isRight || !arePair}
      run={() => ask(`rates/${from}/${to}`, { method: 'PUT', body: { rate } })}
      onDone={() => {
        setRate('')
        onDone()
      }}
    >
      {pair === undefined && (
        <div className="pair">
          <Field
            label={say('from')}
            help="EUR"
            value={from}
            maxLength={3}
            onChange={(text) => setFrom(text.toUpperCase())}
          />
          <Field
            label={say('to')}
            help="USD"
            value={to}
            maxLength={3}
            onChange={(text) => setTo(text.toUpperCase())}
          />
        </div>
      )}
      <Field
        label={say('rate')}
        help={say('rateHelp')}
        value={rate}
        onChange={setRate}
        inputMode="decimal"
      />
      {isRight && arePair && (
        <Facts
          facts={[
            [say('before'), before ?? '–'],
            [say('after'), Number(rate).toFixed(4)],
            [say('change'), changeText(before, rate)],
            [say('example'), `100 ${from} = ${(Number(rate) * 100).toFixed(2)} ${to}`],
          ]}
        />
      )}
      <p className="small soft">{say('rateNote')}</p>
    </Act>
  )
}
