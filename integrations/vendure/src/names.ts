const MAX_NAME_LENGTH = 255

/**
 * Shortens a name to the limit of Florin, which counts code points. `slice` counts code units: it could cut an emoji in half,
 * and Florin would refuse the name.
 */
export const shortenName = (name: string): string => [...name].slice(0, MAX_NAME_LENGTH).join('')
