/** Runs a measurement and closes everything it added to the list, even after an error. */
export const closingAfter = (measure) => async (say) => {
  const closing = []
  try {
    return await measure(say, closing)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
