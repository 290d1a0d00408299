/** The address of a person of the store, without its number: `ada@example.com (store 1)` for the audit log. */
export const withoutStore = (actor: string) => actor.replace(/ \(store \d+\)$/, '')
