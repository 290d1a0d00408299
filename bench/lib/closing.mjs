/** A measurement that is given a list of what to close, and that is closed whatever comes of it. */
export const closingAfter = (measure) => async (say) => {
  const closing = []
  try {
    return await measure(say, closing)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
