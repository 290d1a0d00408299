/** Runs a measurement and then the cleanups that it added to the list, even after an error. */
export const withCleanup = (measure) => async (print) => {
  const cleanups = []
  try {
    return await measure(print, cleanups)
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp()
  }
}
