import { parseQrCode } from '@florin/server/core/qrCode.js'
import { westernDigits } from './amounts.ts'
import type { Me } from './api.ts'

export type CodeProblem = 'notFlorin' | 'wrongDigit' | 'liveCode' | 'sandboxCode'

/** The number in what was scanned or typed, or in a link to this page; or what is wrong with it. */
export function readCode(
  text: string,
  mode: Me['mode'],
): { code: string } | { problem: CodeProblem } {
  const linked = /#pay\/([0-9]+)$/.exec(text.trim())?.[1]
  const code = (linked ?? westernDigits(text)).replaceAll(/[\s-]/g, '')
  const read = parseQrCode(code)
  if (read === 'malformed') return { problem: 'notFlorin' }
  if (read === 'wrong_check_digit') return { problem: 'wrongDigit' }
  if (read.mode !== mode) return { problem: read.mode === 'live' ? 'liveCode' : 'sandboxCode' }
  return { code }
}
