const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Both quotes as well, so that the result is safe inside an attribute too. */
export function escapeHtml(text: string): string {
  // Most text has nothing to escape, and looking is much quicker than replacing nothing.
  if (!/[&<>"']/.test(text)) return text
  return text.replace(/[&<>"']/g, (char) => HTML_ESCAPES[char]!)
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The same rule as a JSON Schema pattern; it needs the unicode flag, which Ajv sets by default. */
export const TEXT_PATTERN = '^[^\\u0000\\ud800-\\udfff]*$'

/** International numbers only: without a country nobody can tell two equal numbers apart. */
export function normalisePhone(text: string): string | null {
  const digits = text.replace(/[\s.()\p{Dash_Punctuation}]/gu, '').replace(/^00/, '+')
  return /^\+[0-9]{7,15}$/.test(digits) ? digits : null
}
