/** Whether the tests run as a soak (`npm run test:soak`): longer, and with a new seed. */
export const isSoak = process.env.FLORIN_SOAK === '1'

/** A fixed seed repeats the same requests, so that a failure can be reproduced. Another seed finds other failures. */
export const SEED = Number(process.env.FLORIN_SEED ?? 20_261_115)

/** The options of a test that takes longer in a soak. */
export const LONG = { timeout: isSoak ? 3_600_000 : 300_000 }
