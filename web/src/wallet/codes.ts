import type { Wallet } from '@florin/contract/wallet.js'
import { parseQrCode } from '@florin/server/core/qrCode.js'
import { toWesternDigits } from '../kit/amounts.ts'

export type CodeProblem = 'notFlorin' | 'wrongDigit' | 'liveCode' | 'sandboxCode'

/** The code in a scanned or typed text, or in a link to this page. Otherwise the problem with it. */
export function parseCode(
  text: string,
  mode: Wallet['mode'],
): { code: string } | { problem: CodeProblem } {
  const linked = /#pay\/([0-9]+)$/.exec(text.trim())?.[1]
  const code = (linked ?? toWesternDigits(text)).replaceAll(/[\s-]/g, '')
  const parsed = parseQrCode(code)
  if (parsed === 'malformed') return { problem: 'notFlorin' }
  if (parsed === 'wrong_check_digit') return { problem: 'wrongDigit' }
  if (parsed.mode !== mode) return { problem: parsed.mode === 'live' ? 'liveCode' : 'sandboxCode' }
  return { code }
}
