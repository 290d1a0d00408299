type Area = 'localStorage' | 'sessionStorage'

/**
 * One text in web storage. A browser can forbid storage: `get` then returns `fallback`, and writes have no
 * effect.
 */
export const storedText = (key: string, area: Area = 'localStorage') => ({
  get: (fallback: string | null = null): string | null => {
    try {
      return window[area].getItem(key)
    } catch {
      return fallback
    }
  },
  set: (text: string): void => ignoreErrors(() => window[area].setItem(key, text)),
  remove: (): void => ignoreErrors(() => window[area].removeItem(key)),
})

function ignoreErrors(write: () => void): void {
  try {
    write()
  } catch {}
}
