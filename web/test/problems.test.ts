import { REFUSALS, type Refusal } from '@florin/contract/refusals.js'
import { createTranslate } from '@florin/shared/translate.js'
import { words } from '@florin/shared/words/staff/en.js'
import { expect, it, vi } from 'vitest'
import { problemText } from '../src/kit/problems.tsx'

const textOf = (refusal: Refusal) => {
  const [status, message] = REFUSALS[refusal]
  return problemText({ status, message }, createTranslate<typeof words>('en', words))
}

it('distinguishes a locked account from a missing permission', () => {
  expect(textOf('account_locked')).toBe(words.locked)
  expect(textOf('role_not_allowed')).toBe(words.forbidden)
})

it('says that a picture is too large, whether Florin or a proxy refused it', () => {
  expect(textOf('body_too_large')).toBe(words.imageTooLarge)
  const fromProxy = { status: 413, message: '' }
  expect(problemText(fromProxy, createTranslate<typeof words>('en', words))).toBe(
    words.imageTooLarge,
  )
})

it('names the right address instead of a missing permission', () => {
  const app = { dataset: { publicUrl: 'https://pay.example' } }
  vi.stubGlobal('document', { getElementById: () => app })
  expect(textOf('cross_origin')).toContain('https://pay.example')
  vi.unstubAllGlobals()
})

it('says that a passkey has to be removed before another one is added', () => {
  expect(textOf('too_many_passkeys')).toBe('You have 20 passkeys. Remove one first.')
})

it('says that an authenticator app was set up in another tab', () => {
  expect(textOf('totp_active')).toBe(words.totpAlreadyActive)
  expect(textOf('totp_not_started')).toBe(words.totpSetupEnded)
})

it.each([
  'too_many_people',
  'too_many_keys',
  'too_many_unlocks',
  'too_many_activations',
  'too_many_mails_of_store',
] as const)('does not advise waiting a minute for a limit of 24 hours: %s', (refusal) => {
  expect(textOf(refusal)).toMatch(/within 24 hours.*\. (Try again tomorrow|Ask an admin)/)
})

it.each([
  ['wallet_of_sandbox', 'This is the built-in sandbox wallet of a store.'],
  ['key_reused', 'This was already sent with other details.'],
] as const)('explains a refusal that does not depend on the form: %s', (refusal, text) => {
  expect(textOf(refusal)).toContain(text)
})
