import { escapeHtml } from '../core/text.ts'

/** Markup that is safe to send; only the template below makes it. */
export type Html = { readonly markup: string }

type Part = Html | string | number | null | readonly Part[]

/**
 * Text in it is escaped, also inside quoted attributes, unless it is markup of another template. What
 * merchants write reaches a page only this way.
 */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = literals.reduce(
    (done, literal, n) => done + written(parts[n - 1] ?? null) + literal,
  )
  return { markup }
}

/** Markup from elsewhere that holds nothing but our own text: the QR code's. */
export const trusted = (markup: string): Html => ({ markup })

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(written).join('')
}
