/** Lets a loop wait for its next turn. A wake-up while nothing waits applies to the next wait. */
export function createWakeup(maxWaitMs: number) {
  let isWoken = false
  let endWait = () => {}
  return {
    wake(): void {
      isWoken = true
      endWait()
    },
    /** Resolves at the next wake-up or after `maxWaitMs`. */
    async wait(): Promise<void> {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxWaitMs)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isWoken = false
    },
  }
}
