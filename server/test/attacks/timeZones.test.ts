import { deadlineText, timeText } from '@florin/shared/time.js'
import { afterEach, expect, it, vi } from 'vitest'
import { instructions } from '../../src/api/kit/payment/instructions.ts'
import { localDay } from '../../src/core/calendar.ts'
import type { Payment } from '../../src/core/payment.ts'
import type { Store } from '../../src/core/store.ts'

/** Writes the letters of a zone in upper or lower case, by the bits of `n`. All of these names are valid. */
function zoneName(n: number): string {
  let bit = 0
  const change = (letter: string) => ((n >> bit++) & 1 ? letter.toUpperCase() : letter)
  return 'america/argentina/buenos_aires'.replaceAll(/[a-z]/g, change)
}

const at = new Date('2026-01-31T12:00:00Z')
const payment = { gross: 100n, currency: 'USD', expiresAt: at } as Payment
const FORMATS = {
  'the calendar': (timeZone: string) => localDay(at, timeZone),
  'the instructions': (timeZone: string) =>
    instructions(payment, { name: 'Shop', timeZone } as Store, 'en'),
  'the time of a page': (timeZone: string) => timeText(at, { locale: 'en', timeZone }),
  'the deadline of a page': (timeZone: string) => deadlineText(at, at, { locale: 'en', timeZone }),
}

afterEach(() => void vi.unstubAllGlobals())

// A formatter takes 30 KB. An owner can change the time zone of the store any number of times.
it.each(Object.entries(FORMATS))(
  '%s keeps a limited number of formatters for names that a store makes up',
  (_name, format) => {
    let created = 0
    const DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct(target, args) {
        created += 1
        return Reflect.construct(target, args)
      },
    })
    vi.stubGlobal('Intl', Object.create(Intl, { DateTimeFormat: { value: DateTimeFormat } }))
    const countCreated = (n: number) => {
      created = 0
      format(zoneName(n))
      return created
    }
    for (let n = 0; n < 1_200; n++) format(zoneName(n))
    expect(countCreated(1_199)).toBe(0)
    expect(countCreated(0)).toBeGreaterThan(0)
  },
)
