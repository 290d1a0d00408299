import { expect, it } from 'vitest'
import { phpSource, pythonSource } from './sources.ts'

const request = {
  method: 'POST',
  url: '/orders',
  headers: { accept: 'text/csv', authorization: 'Bearer $TOKEN', 'api-key': '$API_KEY' },
  body: { note: null, path: "C:\\it's" },
}

it('Python has None, and headers that contain environment variables', () => {
  const source = pythonSource(request).join('\n')
  expect(source).toContain('"accept": "text/csv",')
  expect(source).toContain('"authorization": "Bearer " + os.environ["TOKEN"],')
  expect(source).toContain('"api-key": os.environ["API_KEY"],')
  expect(source).toContain('"note": None,')
})

it('PHP escapes backslashes, and has headers that contain environment variables', () => {
  const source = phpSource(request).join('\n')
  expect(source).toContain("'accept: text/csv',")
  expect(source).toContain("'authorization: Bearer ' . getenv('TOKEN'),")
  expect(source).toContain("'api-key: ' . getenv('API_KEY'),")
  expect(source).toContain("'note' => null,")
  expect(source).toContain(String.raw`'path' => 'C:\\it\'s',`)
})
