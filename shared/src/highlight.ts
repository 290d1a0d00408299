type TokenKind = 'comment' | 'string' | 'key' | 'keyword' | 'number'
/** A part of a source. `kind` is null for text without a colour. */
type Token = { readonly kind: TokenKind | null; readonly text: string }

const WORDS =
  'as async await catch const curl def echo else except export false for foreach from function if import in let new null None not print raise return True true False throw try use while with yield'
const KEYWORDS = new Set(WORDS.split(' '))

/**
 * Matches at every position. JSON, HTTP, shell, TypeScript, Python and PHP are similar enough for one pattern. A space before a
 * comment is part of its match, because Safari before version 16.4 can't parse a lookbehind.
 */
const TOKEN =
  /(?<before>^|\s)(?<comment>(?:\/\/|#).*)|(?<string>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(?<number>\d+(?:\.\d+)?(?![\w-]))|(?<word>[a-z_][\w-]*)|[\s\S]/gimy

/** What follows the key of an object or the name of a header: with quotes and without. */
const AFTER_STRING = /:| =>/y
const AFTER_WORD = /: /y

/** Splits the source of an example into tokens. Joined, they are the source again. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let plain = ''
  const add = (kind: TokenKind | null, text: string) => {
    if (kind === null) {
      plain += text
      return
    }
    if (plain !== '') tokens.push({ kind: null, text: plain })
    plain = ''
    tokens.push({ kind, text })
  }
  for (const match of source.matchAll(TOKEN)) {
    const [text] = match
    const { before = '', comment, string, number, word } = match.groups!
    const end = match.index + text.length
    if (comment !== undefined) {
      add(null, before)
      add('comment', comment)
    } else if (number !== undefined) add('number', text)
    else if (string === undefined && word === undefined) add(null, text)
    else if (isKey(source, end, word === undefined)) add('key', text)
    else if (word !== undefined) add(KEYWORDS.has(word) ? 'keyword' : null, text)
    else if (/^'[[{]/.test(text)) for (const inner of quotedJson(text)) add(inner.kind, inner.text)
    else add('string', text)
  }
  if (plain !== '') tokens.push({ kind: null, text: plain })
  return tokens
}

function isKey(source: string, end: number, isString: boolean): boolean {
  const after = isString ? AFTER_STRING : AFTER_WORD
  after.lastIndex = end
  return after.test(source)
}

/** The body of a shell command is JSON in quotes. */
const quotedJson = (text: string): Token[] => [
  { kind: 'string', text: "'" },
  ...tokensOf(text.slice(1, -1)),
  { kind: 'string', text: "'" },
]
