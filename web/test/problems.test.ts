import { REFUSALS } from '@florin/contract/refusals.js'
import { createTranslate } from '@florin/shared/translate.js'
import { words } from '@florin/shared/words/staff/en.js'
import { expect, it } from 'vitest'
import { problemText } from '../src/kit/problems.tsx'

it.each(['too_many_people', 'too_many_keys', 'too_many_unlocks', 'too_many_activations'] as const)(
  'does not advise waiting a minute for a limit of 24 hours: %s',
  (refusal) => {
    const [status, message] = REFUSALS[refusal]
    const text = problemText({ status, message }, createTranslate<typeof words>('en', words))
    expect(text).toMatch(/within 24 hours\. (Try again tomorrow|Ask an admin)/)
  },
)
