import type { TillSettings } from '@florin/contract/till.js'
import { MAX_TIP_PERCENT, MAX_TIPS } from '@florin/shared/till.js'
import { useState } from 'react'
import { parseTypedWholeNumber } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { SavedNote } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** The tips that customers can choose at the till. */
export function Tips({ till }: { till: TillSettings }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const checkPercent = useChecks().wholeNumber(1, MAX_TIP_PERCENT)
  const [tips, setTips] = useState(() =>
    Array.from({ length: MAX_TIPS }, (_, n) => String(till.tip_percentages[n] ?? '')),
  )
  const numbers = tips.map(parseTypedWholeNumber)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => {
      const body = {
        tip_percentages: tips.filter((text) => text !== '').map(parseTypedWholeNumber),
      }
      return request<TillSettings>('till', { method: 'PATCH', body })
    },
    () => setSaved(true),
  )
  return (
    <Card label={translate('tips')}>
      <Form onSubmit={start} problem={problem}>
        <h2>{translate('tips')}</h2>
        <p className="soft">{translate('tipsNote')}</p>
        <div className="tip-fields">
          {tips.map((tip, n) => (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields never move.
              key={n}
              label={translate('tipPercent', { number: n + 1 })}
              name={`tip_percentages.${n}`}
              value={tip}
              onChange={(text) => {
                setSaved(false)
                setTips(tips.with(n, text.trim()))
              }}
              inputMode="numeric"
              check={(text) =>
                checkPercent(text) ??
                (numbers.indexOf(parseTypedWholeNumber(text)) < n
                  ? translate('field_taken')
                  : undefined)
              }
            />
          ))}
        </div>
        {problem && <ProblemNote problem={problem} />}
        <SavedNote isSaved={isSaved} />
        <Button type="submit" look="quiet" isBusy={isBusy}>
          {translate('save')}
        </Button>
      </Form>
    </Card>
  )
}
