import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Page } from '../kit/Page.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import { type Problem, request } from '../kit/request.ts'
import { useLanguage } from './language.ts'

const EMPTY = { code: '', name: '', email: '', password: '' }

/** Creates the first operator of a new service. */
export function Setup({ onDone }: { onDone: () => void }) {
  const { say } = useLanguage()
  const [fields, setFields] = useState(EMPTY)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = (name: keyof typeof EMPTY) => ({
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    isRequired: true,
  })

  async function setUp(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await request('operator/setup', { method: 'POST', body: fields })
    setBusy(false)
    // 409: another operator was created in the meantime. They can sign in.
    if (answer.ok || answer.problem.status === 409) onDone()
    else setProblem(answer.problem)
  }

  const isWrongCode = problem?.status === 403
  return (
    <Page title={say('setup')} isSandbox={false}>
      <form className="card stack" onSubmit={(event) => void setUp(event)}>
        <p>{say('setupNote')}</p>
        <Field
          label={say('setupCode')}
          help={say('setupCodeHelp')}
          {...field('code')}
          autoComplete="off"
          problem={isWrongCode ? say('setupCodeWrong') : undefined}
        />
        <Field label={say('yourName')} autoComplete="name" {...field('name')} />
        <Field label={say('email')} type="email" autoComplete="username" {...field('email')} />
        <Field
          label={say('password')}
          help={say('passwordRule')}
          {...field('password')}
          type="password"
          autoComplete="new-password"
        />
        {problem && !isWrongCode && <ProblemNote problem={problem} />}
        <Button type="submit" isWide isBusy={isBusy}>
          {say('createAccount')}
        </Button>
      </form>
    </Page>
  )
}
