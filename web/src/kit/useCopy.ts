import { useState } from 'react'
import { useStaffLanguage } from './language.tsx'

const SHOWN_MS = 3_000

/** Copies text. `outcome` is shown for a moment. A browser can refuse, and has no clipboard on a page without https. */
export function useCopy() {
  const { translate } = useStaffLanguage()
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('notCopied')
    }
    setTimeout(() => setOutcome(null), SHOWN_MS)
  }
  return { copy, isCopied: outcome === 'copied', outcome: outcome && translate(outcome) }
}
