const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes both quotes, so that the result is also safe in an attribute. */
export function escapeHtml(text: string): string {
  // Most text has nothing to escape, and testing is faster than replacing.
  if (!/[&<>"']/.test(text)) return text
  return text.replace(/[&<>"']/g, (char) => HTML_ESCAPES[char]!)
}

/** PostgreSQL can't store U+0000 or lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** An empty id, which no row has, instead of one that PostgreSQL can't store. */
export const storableId = (id: string): string => (isStorable(id) ? id : '')

/**
 * Accepts only international numbers, because national ones are ambiguous. Removes invisible characters: phones add them to copied
 * numbers of contacts, to keep their order within right-to-left text.
 */
export function normalizePhone(text: string): string | null {
  const digits = text
    .replace(/[\s.()\p{Dash_Punctuation}\p{Format}]/gu, '')
    .replace(/^(00|＋)/, '+')
  return /^\+[0-9]{7,15}$/.test(digits) ? digits : null
}
