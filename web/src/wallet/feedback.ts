/** Felt where the device can; where it cannot, nothing happens. */
export function buzz(pattern: number | number[]): void {
  navigator.vibrate?.(pattern)
}
