import type { Locale } from './locales.ts'

/** One form per plural category of the language; every language has `other`. */
export type Plural = { readonly other: string } & {
  readonly [Form in Intl.LDMLPluralRule]?: string
}

export type Words = { readonly [key: string]: string | Plural }

/** The shape of a translation of `Source`: a missing or unknown key does not compile. */
export type Translation<Source extends Words> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Plural
}

/** Loads the words of an app. Each language has its own file, so that a browser loads only the one that it shows. */
export type LoadWords<Source extends Words> = Record<
  Locale,
  () => Promise<{ readonly words: Translation<Source> }>
>

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type NamesOf<Message> = Message extends string
  ? Names<Message>
  : Message extends Plural
    ? Names<Message['other']>
    : never
type Values<Message> = [NamesOf<Message>] extends [never]
  ? []
  : [values: { readonly [Name in NamesOf<Message>]: string | number }]

/** Returns one message. The values must match the placeholders of the English message. */
export type Translate<Source extends Words> = <Key extends keyof Source & string>(
  key: Key,
  ...values: Values<Source[Key]>
) => string

/** Keeps a value in one piece and in its own direction, such as `12.50 USD` in an Arabic sentence. */
export const isolate = (value: string) => `\u2068${value}\u2069`

/** French and Spanish write a space before some marks, and French inside quotation marks. No line must break there. */
const withNoBreakSpaces = (text: string) =>
  text.replaceAll(/ ([:;?!%»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0')

/** Creates the `translate` function of one language. `{count}` selects the plural form. `formatValue` formats each value. */
export function createTranslate<Source extends Words>(
  locale: Locale,
  words: Translation<Source>,
  formatValue: (value: string) => string = (value) => value,
): Translate<Source> {
  const rules = new Intl.PluralRules(locale)
  return (key, ...args) => {
    const values: Readonly<Record<string, string | number>> = args[0] ?? {}
    const message: string | Plural = words[key]
    const text =
      typeof message === 'string'
        ? message
        : (message[rules.select(Number(values.count))] ?? message.other)
    return withNoBreakSpaces(text).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      formatValue(String(values[name])),
    )
  }
}
