import { useChecks } from '../kit/checks.ts'
import { Button, Field } from '../kit/controls.tsx'
import { Form } from '../kit/Form.tsx'
import { useAction, useFields } from '../kit/form.ts'
import { Page } from '../kit/Page.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import { request } from '../kit/request.ts'
import { useLanguage } from './language.ts'

const EMPTY = { code: '', name: '', email: '', password: '' }

/** Creates the first operator of a new service. */
export function Setup({ onDone }: { onDone: () => void }) {
  const { say } = useLanguage()
  const { minLength } = useChecks()
  const { fields, field } = useFields(EMPTY)
  const { isBusy, problem, start } = useAction(async () => {
    const answer = await request('operator/setup', { method: 'POST', body: fields })
    // 409: another operator was created in the meantime. They can sign in.
    if (!answer.ok && answer.problem.status === 409) onDone()
    return answer
  }, onDone)
  const isWrongCode = problem?.status === 403
  return (
    <Page title={say('setup')} isSandbox={false}>
      <Form className="card stack" onSubmit={start} problem={problem}>
        <p>{say('setupNote')}</p>
        <Field
          label={say('setupCode')}
          help={say('setupCodeHelp')}
          {...field('code')}
          isRequired
          autoComplete="off"
          problem={isWrongCode ? say('setupCodeWrong') : undefined}
        />
        <Field label={say('yourName')} {...field('name')} isRequired autoComplete="name" />
        <Field
          label={say('email')}
          {...field('email')}
          isRequired
          type="email"
          autoComplete="username"
        />
        <Field
          label={say('password')}
          help={say('passwordRule')}
          {...field('password')}
          isRequired
          check={minLength(10)}
          type="password"
          autoComplete="new-password"
        />
        {problem && !isWrongCode && <ProblemNote problem={problem} />}
        <Button type="submit" isWide isBusy={isBusy}>
          {say('createAccount')}
        </Button>
      </Form>
    </Page>
  )
}
