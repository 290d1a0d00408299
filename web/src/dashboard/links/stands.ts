/** The sizes of printed stands, by their names in the URL. */
export const STANDS = ['a6', 'a4'] as const
export type StandSize = (typeof STANDS)[number]

/** Width and height in millimetres. stand.css has the same sizes. */
export const STAND_MM = {
  a6: [105, 148],
  a4: [210, 297],
} as const satisfies Record<StandSize, readonly [number, number]>
