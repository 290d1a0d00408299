import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletStatement } from '@florin/contract/walletActivity.js'
import './statement.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Page } from '../kit/Page.tsx'
import { navigate, useRoute } from '../kit/router.ts'
import { getStatement } from './api.ts'
import { useLanguage } from './language.ts'
import { useRecovery } from './live.ts'
import { BackToActivity, useFocusOnHeading } from './navigation.tsx'
import { type Period, type PeriodProblem, PRESETS, timesOf } from './period.ts'
import { isLoadProblem, type LoadProblem, loadProblemOf } from './refusals.ts'
import { Statement } from './Statement.tsx'
import { saveCsv } from './statementCsv.ts'

type Props = { me: Wallet; refresh: () => Promise<void> }

const PRESET_NAMES = ['thisMonth', 'lastMonth', 'thisYear'] as const

/** The statement of a period, which is part of the URL. The browser prints it or saves it as a PDF. */
export default function StatementPage({ me, refresh }: Props) {
  const { translate } = useLanguage()
  const { query } = useRoute()
  useFocusOnHeading('statement')
  const current = PRESETS.thisMonth(new Date())
  const period = {
    first: query.get('first') ?? current.first,
    last: query.get('last') ?? current.last,
  }
  const { statement, problem } = useStatement(period, refresh)
  const choose = ({ first, last }: Period) =>
    navigate(`statement?${new URLSearchParams({ first, last })}`, { replace: true })

  return (
    <Page title={translate('statement')} isSandbox={me.mode === 'sandbox'}>
      <BackToActivity />
      <div className="no-print">
        <fieldset className="presets">
          <legend className="visually-hidden">{translate('statement')}</legend>
          {PRESET_NAMES.map((name) => {
            const { first, last } = PRESETS[name](new Date())
            const isChosen = first === period.first && last === period.last
            return (
              <button
                key={name}
                type="button"
                className="choice"
                aria-pressed={isChosen}
                onClick={() => choose({ first, last })}
              >
                {translate(name)}
              </button>
            )
          })}
        </fieldset>
        <div className="period">
          <Field
            label={translate('firstDay')}
            type="date"
            value={period.first}
            onChange={(first) => choose({ ...period, first })}
          />
          <Field
            label={translate('lastDay')}
            type="date"
            value={period.last}
            onChange={(last) => choose({ ...period, last })}
            problem={problem === null || isLoadProblem(problem) ? undefined : translate(problem)}
          />
        </div>
        <div className="statement-actions">
          <Button isWide isDisabled={statement === null} onClick={() => window.print()}>
            {translate('printPdf')}
          </Button>
          <Button
            isWide
            look="quiet"
            isDisabled={statement === null}
            onClick={() =>
              statement && saveCsv(statement, `statement-${period.first}-${period.last}.csv`)
            }
          >
            {translate('downloadCsv')}
          </Button>
        </div>
      </div>
      <div aria-live="polite">
        {isLoadProblem(problem) && <p className="soft">{translate(problem)}</p>}
      </div>
      {statement && <Statement me={me} statement={statement} period={period} />}
    </Page>
  )
}

type Loaded = Period & { readonly statement: WalletStatement }

/** The statement of the period. Null until it is loaded: the one of an earlier period is not shown under these dates. */
function useStatement({ first, last }: Period, refresh: () => Promise<void>) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [problem, setProblem] = useState<PeriodProblem | LoadProblem | null>(null)
  /** The number of loads so far. Only the response of the last one is shown. */
  const loads = useRef(0)

  const load = useCallback(async () => {
    loads.current += 1
    const ownLoad = loads.current
    const times = timesOf({ first, last })
    if (typeof times === 'string') {
      setLoaded(null)
      return setProblem(times)
    }
    const response = await getStatement(times.from, times.to)
    if (ownLoad !== loads.current) return
    setLoaded(response.ok ? { first, last, statement: response.data } : null)
    if (response.ok) return setProblem(null)
    const { status } = response.problem
    if (status === 401) return refresh()
    const isArchived = response.problem.errors.some(({ field }) => field === 'from')
    const periodProblem = isArchived ? 'periodArchived' : 'periodTooLong'
    setProblem(status === 400 ? periodProblem : loadProblemOf(status))
  }, [first, last, refresh])
  useEffect(() => void load(), [load])
  useRecovery(isLoadProblem(problem), () => void load())
  const isOfPeriod = loaded?.first === first && loaded.last === last
  return { statement: isOfPeriod ? loaded.statement : null, problem }
}
