/** The time of the examples in the reference. */
const BASE_MS = Date.parse('2026-01-31T08:00:00Z')
/** Times are rounded to this step, so that they are the same in every run that takes less than half of it. */
const STEP_MS = 5 * 60_000
const DAY_MS = 86_400_000
/** Times further from the run are fixed dates of an example, such as 2099-01-01, and stay. */
const MAX_DISTANCE_MS = 100 * DAY_MS
const dayOf = (ms: number) => ms - (ms % DAY_MS)

/**
 * Returns a function that replaces values that differ in every run (ids, secrets, times) with stable ones. Equal values
 * get equal replacements, so use one function for examples that belong together.
 */
export function createNormalizer(startedAt: Date) {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const replacementOf = (
    kind: string,
    real: string,
    replacement: (n: number) => string,
  ): string => {
    const found = known.get(`${kind} ${real}`)
    if (found !== undefined) return found
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    known.set(`${kind} ${real}`, replacement(n))
    return replacement(n)
  }
  /** A text of the original length that ends with a number. */
  const numbered = (start: string, length: number) => (n: number) =>
    start.slice(0, length - 3).padEnd(length - 3, '0') + String(n).padStart(3, '0')

  const shifted = (at: number): number | null => {
    const elapsedMs = at - startedAt.getTime()
    if (Math.abs(elapsedMs) > MAX_DISTANCE_MS) return null
    // The start of a day doesn't depend on the time of day of the run.
    if (at % DAY_MS === 0) return dayOf(BASE_MS) + at - dayOf(startedAt.getTime())
    return BASE_MS + Math.round(elapsedMs / STEP_MS) * STEP_MS
  }
  const time = (real: string, at: number, write: (iso: string) => string): string => {
    const moved = shifted(at)
    return moved === null ? real : write(new Date(moved).toISOString())
  }

  const rules: [RegExp, (match: string, ...groups: string[]) => string][] = [
    // The process may have started long before, for other tests.
    [/("started_at": ?")[^"]*/g, (_, start) => `${start}2026-01-31 08:00:00`],
    [
      /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z/g,
      (real) => time(real, Date.parse(real), (iso) => iso),
    ],
    [
      /\b(\d{4}-\d\d-\d\d)([ +]|%20)(\d\d:\d\d:\d\d)\b/g,
      (real, day, gap, hour) =>
        time(real, Date.parse(`${day}T${hour}Z`), (iso) => iso.slice(0, 19).replace('T', gap!)),
    ],
    [
      /("day": ?")\d{4}-\d\d-\d\d/g,
      (_, start) => start + new Date(BASE_MS).toISOString().slice(0, 10),
    ],
    [
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      (id) =>
        replacementOf('uuid', id, (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
    ],
    [
      /\b(pay|evt)_([0-9a-z]{26})/g,
      (_, kind, id) =>
        `${kind}_${replacementOf('payment', id!, numbered('06gxt709g80000ba9e0bf4r', 26))}`,
    ],
    [
      /\b\d{27}\b/g,
      (code) => replacementOf('code', code, numbered('100000174926305817264930', 27)),
    ],
    [
      /\b(flk_(?:live|sandbox)_)[\w-]{20}/g,
      (key, start) => replacementOf('key', key, (n) => start + numbered('Example', 20)(n)),
    ],
    [/\b(fl[a-z]_(?:live_|sandbox_|\d+_)?)[\w-]{43}(?![\w-])/g, (_, start) => `${start}…`],
    [/\bwhsec_[\w+/=-]{30,}/g, () => 'whsec_…'],
    [
      /("(?:challenge|clientDataJSON|attestationObject|authenticatorData|signature|userHandle)": ?")[^"]*/g,
      (_, start) => `${start}…`,
    ],
    // The ids of passkeys and of their users are random base64url, which can look like an id with any prefix. So only "evt_" is
    // excluded.
    [/("(?:id|rawId)": ?")(?!evt_)[\w-]{22,}(?=")/g, (_, start) => `${start}…`],
    [/("code": ?")\d{6}(?=")/g, (_, start) => `${start}123456`],
    [/("(?:secret|qr_svg)": ?")(?!whsec)(?:\\.|[^"\\])*/g, (_, start) => `${start}…`],
    [/(otpauth:[^"]*secret=)\w+/g, (_, start) => `${start}…`],
    [/("device_token": ?")[^"]*/g, (_, start) => `${start}2026-01-31.…`],
    // Passwords and codes in groups of four. The middle of a UUID looks like one, but has a hyphen on both sides.
    [/(?<![\w-])[0-9a-z]{4}(?:-[0-9a-z]{4}){2,3}(?![\w-])/g, () => '…'],
    [
      /\b(?!pay|evt)([a-z]{2,4})_(?=[a-z]*\d)([0-9a-z]{16,})\b/g,
      (id, kind, rest) =>
        `${kind}_${replacementOf(kind!, id, numbered('06gxt709g8', rest!.length))}`,
    ],
    [/(Pay before )[^<]*(\.<)/g, (_, start, end) => `${start}Jan 31, 2026, 8:15 AM UTC${end}`],
    // Which hour has sales depends on the time of day of the run, so show none.
    [
      /("hour": ?\d+,\s*"sales": ?\{\s*"count": ?)\d+(,\s*"amount": ?")[^"]*/g,
      (_, count, amount) => `${count}0${amount}0.00`,
    ],
    [/("duration_ms": ?)\d+/g, (_, start) => `${start}12`],
    [/("pid": ?)\d+/g, (_, start) => `${start}4242`],
    [/("host": ?")[^"]*/g, (_, start) => `${start}pay-1`],
    [/("memory_bytes": ?)\d+/g, (_, start) => `${start}104857600`],
    [/("(?:requests|faults)_per_second": ?)[\d.]+/g, (_, start) => `${start}1.5`],
    [/("p\d\d_ms": ?)(?:\d+|null)/g, (_, start) => `${start}5`],
    [/(\/logo\/)[0-9a-f]{8,}/g, (_, start) => `${start}5f2c`],
    [
      /("seconds_left": ?)(\d+)/g,
      (_, start, left) => start + String(Math.ceil(Number(left) / 60) * 60),
    ],
    [/http:\/\/127\.0\.0\.1:\d+\/hook/g, () => 'https://shop.example/hook'],
  ]
  return (text: string): string =>
    rules.reduce((done, [pattern, replacement]) => done.replace(pattern, replacement), text)
}

export type Normalize = ReturnType<typeof createNormalizer>
