import { afterEach, expect, it, vi } from 'vitest'
import { setPaperSize } from '../src/kit/paper.ts'

afterEach(() => vi.unstubAllGlobals())

it('leaves the paper to the print dialog in browsers without constructed style sheets, such as Safari 15.4', () => {
  vi.stubGlobal('document', {})
  expect(setPaperSize(80, 100)()).toBeUndefined()
})
