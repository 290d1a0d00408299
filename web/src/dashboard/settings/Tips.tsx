import type { TillSettings } from '@florin/contract/till.js'
import { MAX_TIP_PERCENT, MAX_TIPS } from '@florin/shared/till.js'
import { useState } from 'react'
import { Button, Field } from '../../kit/controls.tsx'
import { Card, Notice } from '../../kit/display.tsx'
import { onSubmit, useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** Empty, or a whole number up to the limit. */
function isTip(text: string): boolean {
  return /^\d{0,3}$/.test(text) && text !== '0' && Number(text) <= MAX_TIP_PERCENT
}

/** The tips that the customer screen offers. */
export function Tips({ till }: { till: TillSettings }) {
  const { say } = useLanguage()
  const { request } = useSession()
  const [tips, setTips] = useState(() =>
    Array.from({ length: MAX_TIPS }, (_, n) => String(till.tip_percentages[n] ?? '')),
  )
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => {
      const typed = tips.filter((text) => text !== '').map(Number)
      const body = { tip_percentages: [...new Set(typed)] }
      return request<TillSettings>('till', { method: 'PATCH', body })
    },
    () => setSaved(true),
  )
  return (
    <Card label={say('tips')}>
      <form className="stack" noValidate onSubmit={onSubmit(() => tips.every(isTip) && start())}>
        <h2>{say('tips')}</h2>
        <p className="soft">{say('tipsNote')}</p>
        <div className="tip-fields">
          {tips.map((tip, n) => (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields never move.
              key={n}
              label={say('tipPercent', { number: n + 1 })}
              value={tip}
              onChange={(text) => {
                setSaved(false)
                setTips(tips.with(n, text.trim()))
              }}
              inputMode="numeric"
              problem={isTip(tip) ? undefined : say('tipWrong', { max: MAX_TIP_PERCENT })}
            />
          ))}
        </div>
        {problem && <ProblemNote problem={problem} />}
        <div role="status">{isSaved && <Notice tone="completed">{say('saved')}</Notice>}</div>
        <Button type="submit" look="quiet" isBusy={isBusy}>
          {say('save')}
        </Button>
      </form>
    </Card>
  )
}
