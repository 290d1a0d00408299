const KEPT = 'florin.wallet'

// The cookie itself is hidden from scripts. Whether it is worth asking for the wallet is no secret, and
// saves who was never here a call that is refused.
export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(KEPT) !== null
  } catch {
    return true
  }
}

export function rememberSignedIn(): void {
  try {
    localStorage.setItem(KEPT, '1')
  } catch {}
}

export function forgetSignedIn(): void {
  try {
    localStorage.removeItem(KEPT)
  } catch {}
}
