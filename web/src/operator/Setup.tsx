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
  const { translate } = useLanguage()
  const { minLength } = useChecks()
  const { fields, field } = useFields(EMPTY)
  const { isBusy, problem, start } = useAction(async () => {
    const response = await request('operator/setup', { method: 'POST', body: fields })
    // 409: an operator was created in the meantime. The reload shows the sign-in page.
    if (!response.ok && response.problem.status === 409) onDone()
    return response
  }, onDone)
  const isWrongCode = problem?.status === 403
  return (
    <Page title={translate('setup')} isSandbox={false}>
      <Form className="card stack" onSubmit={start} problem={problem}>
        <p>{translate('setupNote')}</p>
        <Field
          label={translate('setupCode')}
          help={translate('setupCodeHelp')}
          {...field('code')}
          isRequired
          autoComplete="off"
          problem={isWrongCode ? translate('setupCodeWrong') : undefined}
        />
        <Field label={translate('yourName')} {...field('name')} isRequired autoComplete="name" />
        <Field
          label={translate('email')}
          {...field('email')}
          isRequired
          type="email"
          autoComplete="username"
        />
        <Field
          label={translate('password')}
          help={translate('passwordRule')}
          {...field('password')}
          isRequired
          check={minLength(10)}
          type="password"
          autoComplete="new-password"
        />
        {problem && !isWrongCode && <ProblemNote problem={problem} />}
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('createAccount')}
        </Button>
      </Form>
    </Page>
  )
}
