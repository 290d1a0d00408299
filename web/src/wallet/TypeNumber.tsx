import { CODE_DIGITS } from '@florin/server/core/qrCode.js'
import { type FormEvent, useLayoutEffect, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Card } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { westernDigits } from './amounts.ts'
import type { Me } from './api.ts'
import { Back } from './Back.tsx'
import { readCode } from './codes.ts'
import { useLanguage } from './language.ts'
import { goInstead } from './route.ts'

export function TypeNumber({ me }: { me: Me }) {
  const language = useLanguage()
  const { say } = language
  const [text, setText] = useState('')
  const [caret, setCaret] = useState(0)
  const digits = text.replaceAll(' ', '')
  const missing = CODE_DIGITS - digits.length
  const read = missing === 0 ? readCode(digits, me.mode) : null
  const problem = read !== null && 'problem' in read ? say(read.problem) : undefined

  // Spaces come and go by themselves; whoever mends a digit in the middle stays behind that digit.
  useLayoutEffect(() => {
    const input = document.activeElement
    if (!(input instanceof HTMLInputElement) || input.value !== text) return
    const place = placeAfter(text, caret)
    input.setSelectionRange(place, place)
  }, [text, caret])

  function type(typed: string) {
    const { selectionStart } = document.activeElement as HTMLInputElement
    setCaret(onlyDigits(typed.slice(0, selectionStart ?? typed.length)).length)
    setText(inGroups(typed))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (read !== null && 'code' in read) goInstead(`pay/${read.code}`)
  }

  return (
    <Page title={say('typeNumber')} language={language} isSandbox={me.mode === 'sandbox'}>
      <Back />
      <Card>
        <form className="stack number" onSubmit={submit}>
          <Field
            label={say('numberLabel')}
            help={missing > 0 ? say('digitsLeft', { count: missing }) : undefined}
            problem={problem}
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={text}
            onChange={type}
          />
          <Button type="submit" isWide isDisabled={read === null || problem !== undefined}>
            {say('goOn')}
          </Button>
        </form>
      </Card>
    </Page>
  )
}

const onlyDigits = (typed: string) => westernDigits(typed).replaceAll(/[^0-9]/g, '')

/** Four by four, as it is printed under the code. */
const inGroups = (typed: string) =>
  onlyDigits(typed)
    .slice(0, CODE_DIGITS)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ')

const placeAfter = (text: string, digits: number) =>
  Math.min(text.length, digits + Math.max(0, Math.ceil(digits / 4) - 1))
