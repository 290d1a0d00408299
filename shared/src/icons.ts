/** Paths on a 24 by 24 grid, drawn with a stroke of 1.75. Each status has its own shape, so that colour is never the only cue. */
export const ICONS = {
  pending: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3 2',
  completed: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8 12.5l2.7 2.7L16 9.5',
  failed:
    'M6 3.5h12a2.5 2.5 0 0 1 2.5 2.5v12a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 18V6A2.5 2.5 0 0 1 6 3.5M9 9l6 6M15 9l-6 6',
  expired:
    'M6.5 3h11M6.5 21h11M8 3v3.5c0 2.2 4 3.3 4 5.5s-4 3.3-4 5.5V21M16 3v3.5c0 2.2-4 3.3-4 5.5s4 3.3 4 5.5V21',
  refunded: 'M4 9.5h10.5a5.25 5.25 0 0 1 0 10.5H8M8.5 5L4 9.5L8.5 14',
  copy: 'M9 9h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M16 9V5a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h1',
  language:
    'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 9c-2.5-2.6-3.8-5.6-3.8-9s1.3-6.4 3.8-9',
  scan: 'M4 8V6a2 2 0 0 1 2-2h2M16 4h2a2 2 0 0 1 2 2v2M20 16v2a2 2 0 0 1-2 2h-2M8 20H6a2 2 0 0 1-2-2v-2M4 12h16',
  keypad: 'M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01',
  back: 'M15 5l-7 7l7 7',
  forward: 'M9 5l7 7l-7 7',
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  screen:
    'M4 4.5h16a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 15V6A1.5 1.5 0 0 1 4 4.5M12 16.5V20M8 20h8',
  close: 'M6 6l12 12M18 6L6 18',
  erase: 'M9 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-6-7zM11.5 9.5l5 5M16.5 9.5l-5 5',
  wallet:
    'M4 7.5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm0 0a2 2 0 0 1 2-2h10v2M16 13.5h.01',
  plus: 'M12 5v14M5 12h14',
  light:
    'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.1 1 1.9h5c0-.8.4-1.4 1-1.9A6 6 0 0 0 12 3',
  picture:
    'M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M8.5 8.5h.01M4.5 17l4.5-4.5l3.5 3.5l3-3l4 4',
  store: 'M4 10v9.5h16V10M2.8 10h18.4L18.5 4.5h-13zM9.5 19.5v-5h5v5M8.5 10a3.5 3 0 0 0 7 0',
  rates: 'M4 8.5h15M15.5 5l3.5 3.5l-3.5 3.5M20 15.5H5M8.5 12L5 15.5l3.5 3.5',
  health: 'M3 12.5h4l2.5-7l5 13l2.5-6h4',
  log: 'M7 3.5h10a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2M9 8h6M9 12h6M9 16h3',
  overview: 'M4 20h16M7 16v-4M12 16V6M17 16V9',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  code: 'M8.5 7L3.5 12l5 5M15.5 7l5 5l-5 5M13.5 4.5l-3 15',
  settings:
    'M4 7h9M19 7h1M16 4.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5M4 17h1M11 17h9M8 14.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16.2 16.2L20.5 20.5',
  external: 'M14 4h6v6M20 4l-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  again: 'M20 12a8 8 0 1 1-2.6-5.9M20 3.5v4h-4',
  warning: 'M12 4L2.8 20h18.4zM12 10v4.5M12 17.2h.01',
} as const

export type IconName = keyof typeof ICONS

/** The filled letter on the coin. */
export const COIN = 'M9 6.5h7.2v2.2h-4.7v2.6h4.2v2.2h-4.2v4.5H9z'
