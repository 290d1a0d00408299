import { escapeHtml } from '../core/text.ts'

/** Markup that is safe to send. Create it with the template `html`. */
export type Html = { readonly markup: string }

type Part = Html | string | number | null | readonly Part[]

/**
 * Escapes text, including inside quoted attributes. Markup of other templates is inserted as is. All text from users must go
 * through this template.
 */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = literals.reduce(
    (markup, literal, n) => markup + markupOf(parts[n - 1] ?? null) + literal,
  )
  return { markup }
}

/** Marks markup as safe. Only for markup without text from users, such as the QR code. */
export const trust = (markup: string): Html => ({ markup })

function markupOf(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}
