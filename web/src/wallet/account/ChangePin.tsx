import type { Wallet } from '@florin/contract/wallet.js'
import { type FormEvent, useState } from 'react'
import { Button, Field } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import type { Problem } from '../../kit/request.ts'
import { changePin } from '../api.ts'
import { useLanguage } from '../language.ts'
import { NewPin, NO_PIN } from '../NewPin.tsx'
import { Section } from './Section.tsx'

const PROBLEMS = { 0: 'noAnswer', 403: 'pinTries', 429: 'signInTooMany' } as const

export function ChangePin({ me }: { me: Wallet }) {
  const { say } = useLanguage()
  const [current, setCurrent] = useState('')
  const [chosen, choose] = useState(NO_PIN)
  const [isSubmitted, setSubmitted] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isWeak = problem?.fields.includes('new') === true
  const isWrong = problem?.fields.includes('current') === true

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    setChanged(false)
    if (isBusy || current === '' || chosen.first === '' || chosen.first !== chosen.second) return
    setBusy(true)
    const answer = await changePin(me.wallet_id, { current, new: chosen.first })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) return
    setCurrent('')
    choose(NO_PIN)
    setSubmitted(false)
    setChanged(true)
  }

  return (
    <Section title={say('changePin')}>
      <form
        className="stack"
        aria-label={say('changePin')}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Field
          label={say('currentPin')}
          type="password"
          inputMode="numeric"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          problem={
            isWrong
              ? say('pinWrong')
              : isSubmitted && current === ''
                ? say('pinMissing')
                : undefined
          }
        />
        <NewPin chosen={chosen} choose={choose} isSubmitted={isSubmitted} isWeak={isWeak} />
        <p className="soft small">{say('changePinNote')}</p>
        {problem && !isWeak && !isWrong && (
          <p className="field-problem" role="alert">
            <Icon name="warning" />
            {say(PROBLEMS[problem.status as keyof typeof PROBLEMS] ?? 'somethingFailed')}
          </p>
        )}
        {isChanged && <p role="status">{say('pinChanged')}</p>}
        <Button type="submit" look="quiet" isWide isBusy={isBusy}>
          {say('changePin')}
        </Button>
      </form>
    </Section>
  )
}
