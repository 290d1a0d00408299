/** Adds functions that the oldest supported browsers don't have, such as Safari 15.4 (`TARGETS` in web/build.mjs). React Aria uses them too. */
function define(owner: object, name: string, value: (...args: never[]) => unknown): void {
  if (name in owner) return
  // Not enumerable, like a built-in: `for…in` over an array must not list it.
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

define(AbortSignal, 'timeout', (ms: number) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
})

define(Array.prototype, 'toSorted', function <
  Item,
>(this: readonly Item[], compare?: (a: Item, b: Item) => number) {
  return [...this].sort(compare)
})

define(URL, 'canParse', (url: string, base?: string) => {
  try {
    // Use the result: a bundler may remove a `new URL` whose result is unused.
    return new URL(url, base).href !== ''
  } catch {
    return false
  }
})

// Unlike the standard, without negative indexes.
define(Array.prototype, 'with', function <Item>(this: readonly Item[], index: number, item: Item) {
  return this.map((old, n) => (n === index ? item : old))
})
