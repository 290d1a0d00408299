import { Icon } from '../kit/display.tsx'
import { isAtWrongAddress, publicUrl } from '../kit/publicUrl.ts'
import type { Problem } from '../kit/request.ts'
import { useLanguage } from './language.ts'

const TEXTS: Readonly<Record<number, 'noConnection' | 'signInLocked' | 'signInTooMany'>> = {
  0: 'noConnection',
  403: 'signInLocked',
  429: 'signInTooMany',
}

type Props = {
  problem: Problem
  /** The texts of other statuses. */
  texts: Readonly<Record<number, 'signInWrong' | 'demoUnavailable' | 'codeWrong' | 'phoneTaken'>>
}

/** Why a sign-in or an activation failed. */
export function AccessProblem({ problem, texts }: Props) {
  const { translate } = useLanguage()
  return (
    <p className="field-problem" role="alert">
      <Icon name="warning" />
      {isAtWrongAddress(problem)
        ? translate('wrongAddress', { address: publicUrl() })
        : translate(texts[problem.status] ?? TEXTS[problem.status] ?? 'somethingFailed')}
    </p>
  )
}
