import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tokensOf } from '../src/highlight.ts'
import { indexEntry, search } from '../src/search.ts'

const markTokens = (source: string) =>
  tokensOf(source)
    .map(({ kind, text }) => (kind === null ? text : `<${kind} ${text}>`))
    .join('')

it.each([
  [
    '{"n": -1.5, "of": [true, "a: b"]}',
    '{<key "n">: -<number 1.5>, <key "of">: [<keyword true>, <string "a: b">]}',
  ],
  [
    'curl -H "a: $B" \\\n  -d \'{"n": 1}\' # end',
    '<keyword curl> -H <string "a: $B"> \\\n  -d <string \'>{<key "n">: <number 1>}<string \'> <comment # end>',
  ],
  [
    "const a = new B({ key: 'it\\'s' }) // so",
    "<keyword const> a = <keyword new> B({ <key key>: <string 'it\\'s'> }) <comment // so>",
  ],
  [
    'with open("a") as b:\n    c["d"] = None',
    '<keyword with> open(<string "a">) <keyword as> b:\n    c[<string "d">] = <keyword None>',
  ],
  ["echo $a['b' => 2];", "<keyword echo> $a[<key 'b'> => <number 2>];"],
  [
    'POST /hook HTTP/1.1\nwebhook-id: evt_1\nsignature: v1,a//b',
    'POST /hook HTTP/<number 1.1>\n<key webhook-id>: evt_1\n<key signature>: v1,a//b',
  ],
])('highlights %s', (source, expected) => {
  expect(markTokens(source)).toBe(expected)
})

it('keeps every character of a source', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'"\'\\{}[]:#/a1 \n-') }), (source) => {
      const joined = tokensOf(source).map(({ text }) => text)
      expect(joined.join('')).toBe(source)
    }),
  )
})

const INDEX = [
  {
    id: 'refundPayment',
    title: 'Refund a payment',
    tag: 'POST',
    place: '/merchant/payment/{payment_id}/refund',
    words: 'Idempotency-Key note',
  },
  {
    id: 'createPayment',
    title: 'Create a payment',
    tag: 'POST',
    place: '/merchant/payment/create',
    words: 'amount currency webhook_url',
  },
  { id: 'idempotency', title: 'Idempotency', place: 'Basics', words: 'keys payments refund' },
].map(indexEntry)

it.each([
  ['REFUND', ['refundPayment', 'idempotency']],
  ['refnud', ['refundPayment', 'idempotency']],
  ['payment crete', ['createPayment']],
  ['paymets', ['refundPayment', 'createPayment', 'idempotency']],
  ['webhookUrl', ['createPayment']],
  ['Idempoténcy', ['idempotency', 'refundPayment']],
  ['createPayment', ['createPayment']],
  ['post merchant refund', ['refundPayment']],
  ['refund xyz', ['refundPayment', 'idempotency']],
  ['xyz', []],
  ['', []],
])('the search for "%s" finds %j', (query, expected) => {
  expect(search(INDEX, query, 10).map(({ id }) => id)).toEqual(expected)
})
