import type { Wallet } from '@florin/contract/wallet.js'
import { type FormEvent, useState } from 'react'
import { Button, Field } from '../../kit/controls.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Icon } from '../../kit/display.tsx'
import type { Problem } from '../../kit/request.ts'
import { changePin } from '../api.ts'
import { useLanguage } from '../language.ts'
import { NewPin, NO_PIN } from '../NewPin.tsx'
import { removeProblemOnEdit } from '../removeProblemOnEdit.ts'

const PROBLEMS = { 0: 'noConnection', 403: 'tooManyPins', 429: 'signInTooMany' } as const

type Props = { me: Wallet; refresh: () => Promise<void> }

export function ChangePin({ me, refresh }: Props) {
  const { translate } = useLanguage()
  const [current, setCurrent] = useState('')
  const [chosen, choose] = useState(NO_PIN)
  const [isSubmitted, setSubmitted] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isWeak = problem?.fields.includes('new') === true
  const isWrong = problem?.fields.includes('current') === true

  const onEdit = removeProblemOnEdit(() => setProblem(null))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    setChanged(false)
    if (isBusy || current === '' || chosen.first === '' || chosen.first !== chosen.second) return
    setBusy(true)
    const response = await changePin(me.wallet_id, { current, new: chosen.first })
    setBusy(false)
    if (!response.ok && response.problem.status === 401) return refresh()
    setProblem(response.ok ? null : response.problem)
    if (!response.ok) return
    setCurrent('')
    choose(NO_PIN)
    setSubmitted(false)
    setChanged(true)
    await refresh()
  }

  return (
    <Disclosure title={translate('changePin')}>
      <form
        className="stack"
        aria-label={translate('changePin')}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Field
          label={translate('currentPin')}
          type="password"
          inputMode="numeric"
          autoComplete="current-password"
          value={current}
          onChange={onEdit(setCurrent)}
          problem={
            isWrong
              ? translate('pinWrong')
              : isSubmitted && current === ''
                ? translate('pinMissing')
                : undefined
          }
        />
        <NewPin chosen={chosen} choose={onEdit(choose)} isSubmitted={isSubmitted} isWeak={isWeak} />
        <p className="soft small">{translate('changePinNote')}</p>
        {problem && !isWeak && !isWrong && (
          <p className="field-problem" role="alert">
            <Icon name="warning" />
            {translate(PROBLEMS[problem.status as keyof typeof PROBLEMS] ?? 'somethingFailed')}
          </p>
        )}
        {isChanged && <p role="status">{translate('pinChanged')}</p>}
        <Button type="submit" look="quiet" isWide isBusy={isBusy}>
          {translate('changePin')}
        </Button>
      </form>
    </Disclosure>
  )
}
