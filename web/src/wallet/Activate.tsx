import type { Wallet } from '@florin/contract/wallet.js'
import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Card } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import type { Problem } from '../kit/request.ts'
import { AccessProblem } from './AccessProblem.tsx'
import { activate } from './api.ts'
import { useLanguage } from './language.ts'
import { NewPin, NO_PIN } from './NewPin.tsx'
import { BackToWallet, navigateInstead } from './navigation.tsx'
import { removeProblemOnEdit } from './removeProblemOnEdit.ts'

const PROBLEMS = { 401: 'codeWrong', 409: 'phoneTaken' } as const

type Props = { code: string; onSignedIn: (me: Wallet) => void }

/** The payer chooses the PIN, with a code from a link or a typed code. */
export default function Activate({ code: linkCode, onSignedIn }: Props) {
  const { translate, locale } = useLanguage()
  const [code, setCode] = useState(linkCode)
  const [chosen, choose] = useState(NO_PIN)
  const [isSubmitted, setSubmitted] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isWeak = problem?.fields.includes('pin') === true

  const onEdit = removeProblemOnEdit(() => setProblem(null))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (isBusy || code.trim() === '' || chosen.first === '') return
    if (chosen.first !== chosen.second) return
    setBusy(true)
    const response = await activate(code, chosen.first, locale)
    setBusy(false)
    if (!response.ok) return setProblem(response.problem)
    // The code is used up, so "back" must not lead to it.
    navigateInstead('')
    onSignedIn(response.data.wallet)
  }

  return (
    <Page title={translate('activateTitle')} isSandbox={false}>
      <BackToWallet />
      <Card>
        <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
          <Field
            label={translate('activationCode')}
            help={translate('activationHelp')}
            autoComplete="one-time-code"
            spellCheck="false"
            value={code}
            onChange={onEdit(setCode)}
            problem={isSubmitted && code.trim() === '' ? translate('codeMissing') : undefined}
          />
          <NewPin
            chosen={chosen}
            choose={onEdit(choose)}
            isSubmitted={isSubmitted}
            isWeak={isWeak}
          />
          {problem && !isWeak && <AccessProblem problem={problem} texts={PROBLEMS} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {translate('activate')}
          </Button>
        </form>
      </Card>
    </Page>
  )
}
