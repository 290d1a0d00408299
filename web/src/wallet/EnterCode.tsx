import type { Wallet } from '@florin/contract/wallet.js'
import { CODE_DIGITS } from '@florin/server/core/qrCode.js'
import { type FormEvent, useLayoutEffect, useState } from 'react'
import { toWesternDigits } from '../kit/amounts.ts'
import { Button, Field } from '../kit/controls.tsx'
import { Card } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { parseCode } from './codes.ts'
import { useLanguage } from './language.ts'
import { BackToWallet, navigateInstead } from './navigation.tsx'

/** Pages without https have no clipboard, and pages in Firefox before version 125 can't read it. */
const CAN_PASTE = navigator.clipboard?.readText !== undefined

export default function EnterCode({ me }: { me: Wallet }) {
  const { translate } = useLanguage()
  const [text, setText] = useState('')
  const [caret, setCaret] = useState(0)
  const [isPasteEmpty, setPasteEmpty] = useState(false)
  const digits = text.replaceAll(' ', '')
  const missing = CODE_DIGITS - digits.length
  const parsed = missing === 0 ? parseCode(digits, me.mode) : null
  const problem = parsed !== null && 'problem' in parsed ? translate(parsed.problem) : undefined
  const pasteProblem = isPasteEmpty ? translate('nothingToPaste') : undefined

  // Grouping adds spaces while the payer types. Keep the caret after the typed digit.
  useLayoutEffect(() => {
    const input = document.activeElement
    if (!(input instanceof HTMLInputElement) || input.value !== text) return
    const position = caretAfter(text, caret)
    input.setSelectionRange(position, position)
  }, [text, caret])

  function type(typed: string) {
    const { selectionStart } = document.activeElement as HTMLInputElement
    setCaret(onlyDigits(typed.slice(0, selectionStart ?? typed.length)).length)
    setText(groupDigits(typed))
    setPasteEmpty(false)
  }

  async function paste() {
    // The browser refuses to read the clipboard if the payer does not allow it.
    const copied = await navigator.clipboard.readText().catch(() => '')
    setPasteEmpty(onlyDigits(copied) === '')
    if (onlyDigits(copied) !== '') setText(groupDigits(copied))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (parsed !== null && 'code' in parsed) navigateInstead(`pay/${parsed.code}`)
  }

  return (
    <Page title={translate('typeNumber')} isSandbox={me.mode === 'sandbox'}>
      <BackToWallet />
      <Card>
        <form className="stack number" onSubmit={submit}>
          <Field
            label={translate('numberLabel')}
            help={missing > 0 ? translate('digitsLeft', { count: missing }) : undefined}
            problem={problem ?? pasteProblem}
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={text}
            onChange={type}
          />
          {CAN_PASTE && (
            <Button look="quiet" isWide onClick={() => void paste()}>
              {translate('paste')}
            </Button>
          )}
          <Button type="submit" isWide isDisabled={parsed === null || problem !== undefined}>
            {translate('continue')}
          </Button>
        </form>
      </Card>
    </Page>
  )
}

const onlyDigits = (typed: string) => toWesternDigits(typed).replaceAll(/[^0-9]/g, '')

/** Groups the digits by four, like the number under the QR code. */
const groupDigits = (typed: string) =>
  onlyDigits(typed)
    .slice(0, CODE_DIGITS)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ')

const caretAfter = (text: string, digits: number) =>
  Math.min(text.length, digits + Math.max(0, Math.ceil(digits / 4) - 1))
