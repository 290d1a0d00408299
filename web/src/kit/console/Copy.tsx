import { useState } from 'react'
import { Button } from '../controls.tsx'
import { Icon } from '../display.tsx'
import { useLanguage } from './language.ts'

/** Puts a text where it can be pasted; `label` where there is more than one thing to copy. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const { say } = useLanguage()
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <Button look="quiet" onClick={() => void copy()}>
      <Icon name={isCopied ? 'completed' : 'copy'} />
      <span aria-live="polite">{isCopied ? say('copied') : (label ?? say('copy'))}</span>
    </Button>
  )
}
