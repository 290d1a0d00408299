/** The name of an actor without the store: the audit log has `ada@example.com (store 1)`. */
export const withoutStore = (actor: string) => actor.replace(/ \(store \d+\)$/, '')
