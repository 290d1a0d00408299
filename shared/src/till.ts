/** Limits of the till's settings, for the contract and for forms. */
export const MAX_QUICK_ITEMS = 60
export const MAX_ITEM_NAME_LENGTH = 60
export const MAX_TIPS = 3
export const MAX_TIP_PERCENT = 100
