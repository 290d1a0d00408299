// For this tab: a reload loses no sale, and a new day begins live, not in the sandbox of the last one.
// A browser may forbid storing; then it lasts as long as the page.
const NAME = 'florin.till.'

export function kept(name: string): string | null {
  try {
    return sessionStorage.getItem(NAME + name)
  } catch {
    return null
  }
}

export function forget(name: string): void {
  try {
    sessionStorage.removeItem(NAME + name)
  } catch {}
}

export function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(NAME + name, text)
  } catch {}
}
