import type { Wallet } from '@florin/contract/wallet.js'
import { parseQrCode } from '@florin/server/core/qrCode.js'
import { toWesternDigits } from '../kit/amounts.ts'
import { publicUrl } from '../kit/publicUrl.ts'
import { basePath } from '../kit/request.ts'

export type CodeProblem = 'notFlorin' | 'wrongDigit' | 'liveCode' | 'sandboxCode' | 'otherService'

/** Returns the code in a scanned or typed text, or in a link to this page, or else the problem with the text. */
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

type Scanned = { readonly page: string } | { readonly problem: CodeProblem }

/**
 * Returns the page for the first scanned text that is a payment code or link of this service, because a counter often has codes of
 * several services. If there is none, returns the problem with the first text. Null if there are no texts.
 */
export function parseScanned(texts: readonly string[], mode: Wallet['mode']): Scanned | null {
  const scanned = texts.map((text) => parseText(text, mode))
  return scanned.find((one) => 'page' in one) ?? scanned[0] ?? null
}

function parseText(text: string, mode: Wallet['mode']): Scanned {
  const link = parseLinkAddress(text)
  if (link !== null) return link
  const parsed = parseCode(text, mode)
  return 'problem' in parsed ? parsed : { page: `pay/${parsed.code}` }
}

/** Returns null if the text is not the URL of a link. Links of other services have the same form. */
function parseLinkAddress(text: string): { page: string } | { problem: 'otherService' } | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const found = url && /^(.*)\/link\/(lnk_[0-9a-z]{26})\/?$/.exec(url.origin + url.pathname)
  if (!found) return null
  return ownUrls().includes(found[1]!) ? { page: `link/${found[2]}` } : { problem: 'otherService' }
}

/** The public URL, and the URL that this page was opened at. */
function ownUrls(): readonly string[] {
  return [new URL(publicUrl()).href.replace(/\/$/, ''), location.origin + basePath]
}
