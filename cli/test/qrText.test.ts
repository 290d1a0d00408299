import { expect, it } from 'vitest'
import { qrRows } from '../../server/src/core/qrSymbol.ts'
import { qrText } from '../src/qrText.ts'
import { decodeBlocks } from './decodeBlocks.ts'

it('draws the code black on white in any terminal theme', () => {
  const code = '200000019559551358142923136'
  const plain = qrText(qrRows(code), { colours: false }).split('\n')
  const coloured = qrText(qrRows(code), { colours: true }).split('\n')
  expect(coloured).toEqual(plain.map((line) => `\x1b[38;5;16;48;5;231m${line}\x1b[0m`))
  expect(decodeBlocks(plain)).toBe(code)
})
