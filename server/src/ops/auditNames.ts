import type { CurrencyCode } from '../core/currencies.ts'
import { parseStoreId, parseWalletId } from '../core/ids.ts'
import { operatorActor } from '../core/operator.ts'
import type { Database } from '../database/database.ts'
import { listOperators } from '../sql/operators.ts'
import { findPeople } from '../sql/people.ts'
import { findStores } from '../sql/stores.ts'
import { findWallets } from '../sql/wallets.ts'

type ActorAndSubject = { readonly actor: string; readonly subject: string }

type AuditNames = {
  readonly names: ReadonlyMap<string, string>
  readonly currencies: ReadonlyMap<string, CurrencyCode>
}

/** The current names of the actors and subjects of entries, where they are known, and the currencies of stores. */
export async function findAuditNames(
  database: Database,
  entries: readonly ActorAndSubject[],
): Promise<AuditNames> {
  const idsOf = (noun: string) => [
    ...new Set(
      entries.flatMap(({ subject }) =>
        subject.startsWith(`${noun}:`) ? [subject.slice(noun.length + 1)] : [],
      ),
    ),
  ]
  const emails = entries.flatMap(({ actor }) => PERSON.exec(actor)?.[1] ?? [])
  const stores = idsOf('store').flatMap((id) => parseStoreId(id) ?? [])
  const wallets = idsOf('wallet').flatMap((id) => parseWalletId(id) ?? [])
  const [foundStores, foundWallets, people, operators] = await Promise.all([
    findStores(database, stores),
    findWallets(database, wallets),
    findPeople(database, { ids: idsOf('person'), emails: [...new Set(emails)] }),
    listOperators(database),
  ])
  const names = new Map<string, string>()
  for (const { storeId, name } of foundStores) names.set(`store:${storeId}`, name)
  for (const { publicId, name } of foundWallets) names.set(`wallet:${publicId}`, name)
  for (const { personId, name } of people) names.set(`person:${personId}`, name)
  for (const { operatorId, email, name } of operators) {
    names.set(`operator:${operatorId}`, name)
    names.set(operatorActor(email), name)
  }
  const byEmail = new Map(people.map(({ email, name }) => [email, name]))
  for (const { actor } of entries) {
    const name = byEmail.get(PERSON.exec(actor)?.[1] ?? '')
    if (name !== undefined) names.set(actor, name)
  }
  const currencies = new Map(
    foundStores.map(({ storeId, currency }) => [`store:${storeId}`, currency]),
  )
  return { names, currencies }
}

/** The form of `personActor`. */
const PERSON = /^([^\s@]+@\S+) \(store \d+\)$/
