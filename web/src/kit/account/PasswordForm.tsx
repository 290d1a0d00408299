import { useState } from 'react'
import { useChecks } from '../checks.ts'
import { Button, Field } from '../controls.tsx'
import { Notice } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction, useFields } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useReloadAll } from '../query.ts'
import { useAccount } from './context.ts'

/** Changes the password. With `isForced`, right after the sign-in, it needs no current password. */
export function PasswordForm({ isForced = false }: { isForced?: boolean }) {
  const { translate } = useStaffLanguage()
  const { request, refresh } = useAccount()
  const reloadAll = useReloadAll()
  const { minLength } = useChecks()
  const { fields, field, reset } = useFields({ current: '', new: '', again: '' })
  const [isDone, setDone] = useState(false)
  const [needsCurrent, setNeedsCurrent] = useState(!isForced)
  const { isBusy, problem, start } = useAction(
    async () => {
      setDone(false)
      const current = needsCurrent ? { current: fields.current } : {}
      const response = await request('password', {
        method: 'POST',
        body: { ...current, new: fields.new },
      })
      // The sign-in was too long ago.
      if (!response.ok && response.problem.fields.includes('current')) setNeedsCurrent(true)
      return response
    },
    () => {
      reset()
      setDone(true)
      // Other sessions have ended, and the change is a security event.
      reloadAll()
      void refresh()
    },
  )
  const isDifferent = fields.again !== '' && fields.again !== fields.new
  return (
    <Form onSubmit={start} problem={problem}>
      {needsCurrent && (
        <Field
          label={translate('currentPassword')}
          {...field('current')}
          isRequired
          type="password"
          autoComplete="current-password"
        />
      )}
      <Field
        label={translate('newPassword')}
        help={translate('passwordRule')}
        {...field('new')}
        isRequired
        check={minLength(10)}
        type="password"
        autoComplete="new-password"
      />
      <Field
        label={translate('repeatPassword')}
        {...field('again')}
        isRequired
        check={(text) => (text === fields.new ? undefined : translate('passwordsDiffer'))}
        problem={isDifferent ? translate('passwordsDiffer') : undefined}
        type="password"
        autoComplete="new-password"
      />
      {problem && <ProblemNote problem={problem} />}
      {isDone && (
        <Notice tone="completed" role="status">
          {translate('passwordChanged')}
        </Notice>
      )}
      <p className="small soft">{translate('otherSessionsEnd')}</p>
      <Button type="submit" isBusy={isBusy}>
        {isForced ? translate('continue') : translate('changePassword')}
      </Button>
    </Form>
  )
}
