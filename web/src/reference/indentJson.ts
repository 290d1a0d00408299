/** Matches at every position of valid JSON: a string, an empty list or object, or one character. */
const PART = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[\s\S]/gy

/** Indents JSON without parsing it: `JSON.parse` would round large numbers. */
export function indentJson(text: string): string {
  let depth = 0
  let indented = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [part] of text.matchAll(PART)) {
    if (part === '{' || part === '[') {
      depth++
      indented += part + newLine()
    } else if (part === '}' || part === ']') {
      depth--
      indented += newLine() + part
    } else if (part === ',') indented += part + newLine()
    else if (part === ':') indented += ': '
    else if (part.trim() !== '') indented += part
  }
  return indented
}
