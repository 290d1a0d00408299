/** The sizes of printed stands, by their names in the URL. */
export const STANDS = ['a6', 'a4'] as const
export type StandSize = (typeof STANDS)[number]
