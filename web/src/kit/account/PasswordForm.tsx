import { useState } from 'react'
import { useChecks } from '../checks.ts'
import { Button, Field } from '../controls.tsx'
import { Notice } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction, useFields } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useAccount } from './context.ts'

/** Changes the password. With `isForced`, right after the sign-in, the current one is not asked for. */
export function PasswordForm({ isForced = false }: { isForced?: boolean }) {
  const { say } = useStaffLanguage()
  const { request, refresh } = useAccount()
  const { minLength } = useChecks()
  const { fields, field, reset } = useFields({ current: '', new: '', again: '' })
  const [isDone, setDone] = useState(false)
  const [needsCurrent, setNeedsCurrent] = useState(!isForced)
  const { isBusy, problem, start } = useAction(
    async () => {
      const current = needsCurrent ? { current: fields.current } : {}
      const answer = await request('password', {
        method: 'POST',
        body: { ...current, new: fields.new },
      })
      // The sign-in was too long ago.
      if (!answer.ok && answer.problem.fields.includes('current')) setNeedsCurrent(true)
      return answer
    },
    () => {
      reset()
      setDone(true)
      void refresh()
    },
  )
  const differ = fields.again !== '' && fields.again !== fields.new
  return (
    <Form onSubmit={start} problem={problem}>
      {needsCurrent && (
        <Field
          label={say('currentPassword')}
          {...field('current')}
          isRequired
          type="password"
          autoComplete="current-password"
        />
      )}
      <Field
        label={say('newPassword')}
        help={say('passwordRule')}
        {...field('new')}
        isRequired
        check={minLength(10)}
        type="password"
        autoComplete="new-password"
      />
      <Field
        label={say('repeatPassword')}
        {...field('again')}
        isRequired
        check={(text) => (text === fields.new ? undefined : say('passwordsDiffer'))}
        problem={differ ? say('passwordsDiffer') : undefined}
        type="password"
        autoComplete="new-password"
      />
      {problem && <ProblemNote problem={problem} />}
      {isDone && (
        <Notice tone="completed" role="status">
          {say('passwordChanged')}
        </Notice>
      )}
      <p className="small soft">{say('otherSessionsEnd')}</p>
      <Button type="submit" isBusy={isBusy}>
        {isForced ? say('continue') : say('changePassword')}
      </Button>
    </Form>
  )
}
